// The one socket to the server: requests with ids, listeners by type, and coming back after a loss.

import { batch, signal } from "./dom.js";
import { problemText } from "./i18n.js";
import { ask, open } from "./wire.js";

/**
 * `wait` before the first connection, `open`, or `lost`.
 * @type {import("./dom.js").Signal<"wait" | "open" | "lost">}
 */
export const link = signal(/** @type {"wait" | "open" | "lost"} */ ("wait"));

let sendText = (/** @type {string} */ _) => false;
let pause = 200;
let nextId = 1;
/** @type {Map<string, Set<(message: any) => void>>} */
const listeners = new Map();

/** A number no other request of this page has. */
export const newId = () => nextId++;

/** Sends a message if the server is there. @param {import("./types").PageMessage} message */
export const send = (message) => sendText(JSON.stringify(message));

/**
 * Listens to messages of a type; returns a function that ends it.
 * @template {import("./types").ServerMessage["t"]} T
 * @param {T} type
 * @param {(message: import("./types").MessageOf<T>) => void} listener
 */
export function on(type, listener) {
  const all = listeners.get(type) ?? new Set();
  listeners.set(type, all.add(listener));
  return () => void all.delete(listener);
}

export function connect() {
  sendText = open({
    opened() {
      pause = 200;
      send({ t: "hello", proto: 1 });
    },
    text(text) {
      const message = /** @type {import("./types").ServerMessage} */ (JSON.parse(text));
      batch(() => {
        if (message.t === "hello") link.value = "open";
        listeners.get(message.t)?.forEach((listener) => listener(message));
      });
    },
    closed() {
      link.value = "lost";
      setTimeout(connect, pause);
      pause = Math.min(pause * 1.7, 5000);
    },
  });
}

/** What an answer that is no success says. @param {Response} answer */
export const problemOf = async (answer) =>
  problemText(String(answer.status), (await answer.json().catch(() => null))?.error || answer.statusText);

/** Asks the server for JSON. @param {string} path @param {RequestInit} [init] */
export async function api(path, init) {
  const answer = await ask(path, init);
  if (!answer.ok) throw new Error(await problemOf(answer));
  return answer.status === 204 ? null : answer.json();
}

/** Sends the server JSON and asks for its answer. @param {string} path @param {unknown} body */
export const post = (path, body) =>
  api(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
