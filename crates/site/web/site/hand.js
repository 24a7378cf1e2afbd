// A worker that does one long thing at a time: a search, a review, an errand of the desk.

import { start } from "./instance.js";

/** The only page of this instance. */
const PAGE = 1;

/** @typedef {import("./instance.js").Question} Question */
/**
 * @typedef {{ t: "start", module: WebAssembly.Module, cores: number, flag: Int32Array | null }
 *   | { t: "net", net: Uint8Array<ArrayBuffer> }
 *   | { t: "hear", text: string }
 *   | { t: "ask", question: Question, body: Uint8Array<ArrayBuffer> }
 *   | { t: "errand", text: string }} ToHand
 */
/**
 * @typedef {{ t: "text", text: string }
 *   | { t: "said", news: Uint8Array<ArrayBuffer> }
 *   | { t: "answer", answer: import("./instance.js").Answer }
 *   | { t: "failed", text: string }
 *   | { t: "done" }} FromHand
 */

const post = (/** @type {FromHand} */ message) => self.postMessage(message);

/** @type {Promise<Awaited<ReturnType<typeof start>>>} */
let instance;

/** @param {Extract<ToHand, { t: "start" }>} message */
async function open({ module, cores, flag }) {
  const made = await start(module, {
    message: (_, text) => post({ t: "text", text }),
    said: (news) => post({ t: "said", news }),
    failed: (text) => post({ t: "failed", text }),
    stopping: () => flag !== null && Atomics.load(flag, 0) !== 0,
  });
  made.open(cores, false);
  made.connect(PAGE);
  return made;
}

/** @param {ToHand} message */
async function handle(message) {
  if (message.t === "start") return void (instance = open(message));
  const desk = await instance;
  if (message.t === "net") return desk.network(message.net);
  if (message.t === "hear") desk.hear(PAGE, message.text);
  else if (message.t === "errand") desk.run(message.text);
  else post({ t: "answer", answer: desk.ask(message.question, message.body) });
  desk.settle();
  post({ t: "done" });
}

let last = Promise.resolve();
self.onmessage = ({ data }) => {
  // One after the other, in their order.
  last = last.then(() => handle(data)).catch((error) => post({ t: "failed", text: String(error) }));
};
