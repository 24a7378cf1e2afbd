// One instance of the module: what goes in and what comes out, as texts and bytes.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * What an instance hands to whoever runs it.
 * @typedef {object} Ears
 * @property {(page: number, text: string) => void} [message]  for a page
 * @property {(name: string, bytes: Uint8Array<ArrayBuffer>) => void} [keep]
 * @property {(name: string) => void} [forget]
 * @property {(number: number, errand: string) => void} [sendOut]
 * @property {(number: number) => void} [callBack]
 * @property {(news: Uint8Array<ArrayBuffer>) => void} [said]  of the errand that it is on
 * @property {(text: string) => void} [failed]
 * @property {() => boolean} [stopping]  whether what it does is to stop
 */

/** @typedef {{ status: number, kind: string, body: Uint8Array<ArrayBuffer> }} Answer */
/** @typedef {{ verb: string, path: string[], query: Record<string, string> }} Question */

/** Makes an instance. @param {WebAssembly.Module} module @param {Ears} ears */
export async function start(module, ears) {
  /** @type {any} */
  let inside = null;
  const bytes = (/** @type {number} */ at, /** @type {number} */ len) =>
    new Uint8Array(inside.memory.buffer).slice(at, at + len);
  const text = (/** @type {number} */ at, /** @type {number} */ len) => decoder.decode(bytes(at, len));
  /** @type {Answer | null} */
  let answer = null;
  /** @typedef {number} N */
  const browser = {
    clock: () => performance.now(),
    date: () => Date.now(),
    stopping: () => (ears.stopping?.() ? 1 : 0),
    message: (/** @type {N} */ page, /** @type {N} */ at, /** @type {N} */ len) => ears.message?.(page, text(at, len)),
    answer: (/** @type {N} */ status, /** @type {N[]} */ ...[kind, kindLen, body, bodyLen]) => {
      answer = {
        status,
        kind: text(kind, kindLen),
        body: bytes(body, bodyLen),
      };
    },
    keep: (/** @type {N[]} */ ...[name, nameLen, body, len]) => ears.keep?.(text(name, nameLen), bytes(body, len)),
    forget: (/** @type {N} */ name, /** @type {N} */ len) => ears.forget?.(text(name, len)),
    send_out: (/** @type {N} */ number, /** @type {N} */ at, /** @type {N} */ len) =>
      ears.sendOut?.(number, text(at, len)),
    call_back: (/** @type {N} */ number) => ears.callBack?.(number),
    said: (/** @type {N} */ at, /** @type {N} */ len) => ears.said?.(bytes(at, len)),
    decode: (/** @type {N[]} */ ...[set, setLen, at, len]) =>
      giveText(new TextDecoder(text(set, setLen), { ignoreBOM: true }).decode(bytes(at, len))),
    failed: (/** @type {N} */ at, /** @type {N} */ len) => ears.failed?.(text(at, len)),
  };
  inside = (await WebAssembly.instantiate(module, { browser })).exports;

  /** Leaves bytes where the module finds them. @param {Uint8Array[]} parts */
  const give = (...parts) => {
    let at = inside.buffer(parts.reduce((sum, part) => sum + part.length, 0));
    for (const part of parts) {
      new Uint8Array(inside.memory.buffer).set(part, at);
      at += part.length;
    }
  };
  const giveText = (/** @type {string} */ words) => give(encoder.encode(words));
  return {
    /** Puts in what was kept. @param {string} name @param {Uint8Array} kept @param {number} changed */
    put(name, kept, changed) {
      const called = encoder.encode(name);
      give(called, kept);
      inside.put(called.length, changed);
    },
    /** Supplies a network. @param {Uint8Array} net */
    network(net) {
      give(net);
      if (!inside.network()) throw new Error("This is no network.");
    },
    /** Supplies the position books and the opening sets, and says whether they are that. @param {Uint8Array[]} texts */
    openings(texts) {
      give(...texts.flatMap((text, i) => (i ? [new Uint8Array(1), text] : [text])));
      return inside.openings() === 1;
    },
    /** Supplies the puzzles, and says whether they are that. @param {Uint8Array} text */
    puzzles(text) {
      give(text);
      return inside.puzzles() === 1;
    },
    /** Opens the desk. @param {number} cores @param {boolean} hasHands */
    open: (cores, hasHands) => inside.open(cores, hasHands ? 1 : 0),
    /** @param {number} page */
    connect: (page) => inside.connect(page) === 1,
    /** @param {number} page */
    leave: (page) => inside.leave(page),
    /** @param {number} page @param {string} words */
    hear(page, words) {
      giveText(words);
      inside.hear(page);
    },
    /** @param {Question} question @param {Uint8Array} body @returns {Answer} */
    ask(question, body) {
      give(encoder.encode(`${JSON.stringify(question)}\n`), body);
      answer = null;
      inside.ask();
      return answer ?? { status: 500, kind: "", body: new Uint8Array() };
    },
    /** Does everything that waits to be done, and sends what there is to send. */
    settle() {
      while (inside.work()) inside.send_news();
      inside.send_news();
    },
    /** @param {string} errand */
    run(errand) {
      giveText(errand);
      inside.run_errand();
    },
    /** @param {number} number @param {Uint8Array} news */
    heard(number, news) {
      give(news);
      inside.heard(number);
    },
    /** @param {number} depth @returns {number} */
    bench: (depth) => inside.bench(depth),
  };
}
