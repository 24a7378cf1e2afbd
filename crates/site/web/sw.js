// Keeps the files of the site, so that it opens without a network, and lets its workers share memory.

/** @type {any} */
const worker = self;
const here = new URL("./", worker.location.href);
/** Names this site and this version of it. */
const VERSION = "{version}";
/** @type {string[]} */
const FILES = /** @type {any} */ ("{files}");

/** The file again, as a page has it that is kept to itself. @param {Response} answer */
function isolated(answer) {
  const headers = new Headers(answer.headers);
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("cross-origin-embedder-policy", "require-corp");
  headers.set("cross-origin-resource-policy", "same-origin");
  return new Response(answer.body, {
    status: answer.status,
    statusText: answer.statusText,
    headers,
  });
}

/** Fetches what is not there yet. */
async function fill() {
  const cache = await caches.open(VERSION);
  for (const file of FILES) {
    const url = new URL(file, here);
    if (await cache.match(url)) continue;
    const answer = await fetch(url, { cache: "no-cache" });
    if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
    await cache.put(url, answer);
  }
}

/** @param {any} event */
worker.oninstall = (event) =>
  // The first time nobody waits for all files. Another version is used when it is whole and no page of this one is open.
  event.waitUntil(worker.registration.active ? fill() : worker.skipWaiting());

/** @param {any} event */
worker.onactivate = (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names
            .filter((name) => name.startsWith(`tengen ${here.pathname} `) && name !== VERSION)
            .map((name) => caches.delete(name)),
        ),
      )
      .then(() => worker.clients.claim()),
  );

/** Whoever asks for all files is told when they are there. @param {any} event */
worker.onmessage = (event) =>
  event.waitUntil(
    fill().then(
      () => event.source?.postMessage("filled"),
      () => {},
    ),
  );

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(VERSION);
  const url = new URL(request.url);
  url.search = "";
  url.hash = "";
  const kept = await cache.match(url.pathname === here.pathname ? new URL("index.html", here) : url);
  return isolated(kept ?? (await fetch(request)));
}

/** @param {any} event */
worker.onfetch = (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(here.href)) event.respondWith(answer(request));
};
