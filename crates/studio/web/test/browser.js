// Stands in for the browser: a store, a socket, an address. Imported before the page's own modules.

/** @type {Map<string, string>} */
export const store = new Map();
/** What the page has sent since it was last looked at. @type {import("../types").PageMessage[]} */
let sent = [];
/** @type {FakeSocket | null} */
let socket = null;

class FakeSocket {
  static OPEN = 1;
  readyState = 0;
  onopen = () => {};
  onclose = () => {};
  /** @type {(event: { data: string }) => void} */
  onmessage = () => {};
  constructor() {
    socket = this;
  }
  /** @param {string} text */
  send(text) {
    sent.push(JSON.parse(text));
  }
}

/** Everything of a browser that the tested modules touch. @type {any} */
const browser = {
  WebSocket: FakeSocket,
  localStorage: {
    getItem: (/** @type {string} */ key) => store.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void store.set(key, value),
    removeItem: (/** @type {string} */ key) => void store.delete(key),
  },
  location: { host: "127.0.0.1:1", hash: "" },
  history: {
    replaceState: (/** @type {any} */ _, /** @type {string} */ __, /** @type {string} */ hash) =>
      void (browser.location.hash = hash),
  },
  document: { documentElement: {} },
  navigator: { languages: ["en"] },
  requestAnimationFrame: (/** @type {() => void} */ work) => setTimeout(work),
};
for (const [name, value] of Object.entries(browser))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

/** What the page has sent of a type since this was last asked; all else is forgotten. @template {import("../types").PageMessage["t"]} T @param {T} type @returns {import("../types").MessageFromPage<T>[]} */
export function takeSent(type) {
  const found = sent.filter((message) => message.t === type);
  sent = [];
  return /** @type {any} */ (found);
}

/** The server takes the connection and says hello. @param {import("../types").Doc | null} [doc] */
export function openSocket(doc = null) {
  if (!socket) throw new Error("nobody has asked for a socket");
  socket.readyState = FakeSocket.OPEN;
  socket.onopen();
  receive({ t: "hello", proto: 1, version: "", client: 1, cores: 1, doc });
}

/** The server says something. @param {import("../types").ServerMessage} message */
export const receive = (message) => socket?.onmessage({ data: JSON.stringify(message) });

/** The connection is lost. */
export function loseSocket() {
  if (socket) socket.readyState = 3;
  socket?.onclose();
}

/** Lets everything that waits for a moment or a frame happen. */
export async function settled() {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** A look at the position that the page asked about last. @param {Partial<import("../types").Look>} [more] */
export function answerLook(more = {}) {
  const asked = takeSent("look").at(-1);
  if (!asked) throw new Error("the page has not asked about the board");
  receive({ t: "look", rev: asked.rev, forbidden: [], ...more });
}
