// The way to the desk, which is in a worker of this browser. It stands in the place of the studio's file of
// this name.

/** @typedef {import("./site/hub.js").FromPage} FromPage */
/** @typedef {import("./site/hub.js").ToPage} ToPage */
/** @typedef {import("./site/instance.js").Answer} Answer */

/** Pages of which there is nothing here. @type {ReadonlySet<string>} */
export const missing = new Set(["lab", "tune"]);

const hub = new Worker(new URL("./site/hub.js", import.meta.url), {
  type: "module",
});
const send = (/** @type {FromPage} */ message) => hub.postMessage(message);

/** @type {{ opened: () => void, text: (text: string) => void, closed: () => void } | null} */
let ears = null;
let isOpen = false;
let last = 0;
/** What has been asked and not answered. @type {Map<number, { message: FromPage, verb: string, resolve: (answer: Answer) => void }>} */
const asked = new Map();

/** @param {MessageEvent<ToPage>} event */
hub.onmessage = ({ data: message }) => {
  if (message.t === "text") {
    if (message.text.startsWith('{"t":"saved"')) stay();
    return void (isOpen && ears?.text(message.text));
  }
  if (message.t === "answer") {
    asked.get(message.n)?.resolve(message.answer);
    asked.delete(message.n);
    return;
  }
  isOpen = message.t === "opened";
  if (isOpen) return ears?.opened();
  // Another desk is asked again; what was to be done may have been done.
  for (const [n, { message: again, verb, resolve }] of asked) {
    if (verb === "GET") send(again);
    else resolve({ status: 503, kind: "", body: new Uint8Array() });
    if (verb !== "GET") asked.delete(n);
  }
  const before = ears;
  ears = null;
  before?.closed();
};

/**
 * Opens a line to the desk; what is returned sends a text, and says whether there was somebody to take it.
 * @param {NonNullable<typeof ears>} listener
 */
export function open(listener) {
  ears = listener;
  send({ t: "open" });
  return (/** @type {string} */ text) => {
    if (isOpen) send({ t: "text", text });
    return isOpen;
  };
}

/** Asks for something. @param {string} path @param {RequestInit} [init] */
export async function ask(path, init = {}) {
  const url = new URL(path, "http://desk");
  const body = new Uint8Array(await new Response(init.body).arrayBuffer());
  const question = {
    verb: init.method ?? "GET",
    path: url.pathname.split("/").slice(1).map(decodeURIComponent),
    query: Object.fromEntries(url.searchParams),
  };
  const n = ++last;
  /** @type {FromPage} */
  const message = { t: "ask", n, question, body };
  const answer = await new Promise((/** @type {(answer: Answer) => void} */ resolve) => {
    asked.set(n, { message, verb: question.verb, resolve });
    send(message);
  });
  const headers = { "content-type": answer.kind };
  return new Response(answer.status === 204 ? null : answer.body, {
    status: answer.status,
    headers,
  });
}

// What a link would fetch from a server, the desk gives.
document.addEventListener("click", async (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const path = link?.getAttribute("href") ?? "";
  if (!link || !path.startsWith("/api/")) return;
  event.preventDefault();
  const tab = link.target ? window.open("", link.target) : null;
  const blob = URL.createObjectURL(await (await ask(path)).blob());
  if (tab) return void (tab.location.href = blob);
  const save = document.createElement("a");
  save.href = blob;
  save.download = link.download || `${path.split("/").at(-2)}.${path.split("/").at(-1)}`;
  save.click();
  setTimeout(() => URL.revokeObjectURL(blob), 60_000);
});

let mayStay = false;
/** What is kept here shall not be thrown away when room is short. */
function stay() {
  if (!mayStay) navigator.storage?.persist?.().catch(() => {});
  mayStay = true;
}

// After the first visit no network is needed.
navigator.serviceWorker?.register(new URL("./sw.js", import.meta.url), { updateViaCache: "none" }).then(
  () => navigator.serviceWorker.ready.then(({ active }) => active?.postMessage("fill")),
  () => {},
);
