// The workers that do what takes long, and who is at work on what.

/** @typedef {import("./hand.js").ToHand} ToHand */
/** @typedef {import("./hand.js").FromHand} FromHand */
/** @typedef {Extract<FromHand, { t: "text" | "said" | "answer" }>} News */
/**
 * Something to be done. `heard` is called with what comes of it, and last with nothing, or with why it failed.
 * @typedef {object} Task
 * @property {ToHand} message
 * @property {string} about  what a player remembers belongs together
 * @property {(news: News | null, failure?: string) => void} heard
 */

/** More are not started: each has a player's memory. */
const MOST = 8;

class Hand {
  /** @type {Task | null} */
  task = null;
  about = "";
  used = 0;
  /** @type {Set<string>} */
  nets = new Set();

  /** @param {WebAssembly.Module} module @param {number} cores @param {(hand: Hand) => void} rest */
  constructor(module, cores, rest) {
    this.rest = rest;
    this.flag = self.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
    this.worker = new Worker(new URL("./hand.js", import.meta.url), {
      type: "module",
    });
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => this.end(event.message || "The worker failed.");
    this.post({ t: "start", module, cores, flag: this.flag });
  }

  /** @param {ToHand} message */
  post(message) {
    this.worker.postMessage(message);
  }

  /** @param {FromHand} message */
  hear(message) {
    if (message.t === "failed") return this.end(message.text);
    if (message.t !== "done") return this.task?.heard(message);
    if (this.flag) Atomics.store(this.flag, 0, 0);
    const { task } = this;
    this.task = null;
    this.used = Date.now();
    task?.heard(null);
    this.rest(this);
  }

  /** Ends the worker. @param {string} [failure] */
  end(failure) {
    this.worker.terminate();
    this.dead = true;
    const { task } = this;
    this.task = null;
    this.rest(this);
    task?.heard(null, failure);
  }
}

/** @param {WebAssembly.Module} module @param {number} cores @param {(rule: string) => Promise<Uint8Array<ArrayBuffer>>} net */
export function makeHands(module, cores, net) {
  /** @type {Hand[]} */
  let all = [];
  const rest = (/** @type {Hand} */ hand) => {
    if (hand.dead) all = all.filter((one) => one !== hand);
  };
  /** One that rests, best one that remembers; or a new one. @param {string} about */
  const free = (about) => {
    const idle = all.filter((one) => !one.task).sort((a, b) => a.used - b.used);
    const fits = idle.find((one) => one.about === about) ?? idle.find((one) => !one.about);
    const found = fits ?? (idle.length > 2 || all.length >= MOST ? idle[0] : null);
    if (found) return found;
    if (all.length >= MOST) return null;
    return add();
  };
  const add = () => {
    const hand = new Hand(module, cores, rest);
    all.push(hand);
    return hand;
  };
  const supply = (
    /** @type {Hand} */ hand,
    /** @type {string} */ rule,
    /** @type {Uint8Array<ArrayBuffer>} */ bytes,
  ) => {
    if (!hand.nets.has(rule)) hand.post({ t: "net", net: bytes });
    hand.nets.add(rule);
  };
  return {
    /** Has a hand ready for the first move, with this network. @param {string} rule */
    warm(rule) {
      const hand = add();
      net(rule).then(
        (bytes) => supply(hand, rule, bytes),
        () => {},
      );
    },
    /** Has something done with these networks; says whether there was a hand. @param {Task} task @param {string[]} rules */
    give(task, rules) {
      const hand = free(task.about);
      if (!hand) return false;
      hand.task = task;
      hand.about = task.about;
      const missing = rules.filter((rule) => !hand.nets.has(rule));
      Promise.all(missing.map(net)).then(
        (nets) => {
          if (hand.task !== task || hand.dead) return;
          nets.forEach((bytes, i) => supply(hand, missing[i], bytes));
          hand.post(task.message);
        },
        (error) => {
          if (hand.task === task) hand.task = null;
          task.heard(null, String(error));
        },
      );
      return true;
    },
    /** Asks for the end of a task, and says whether the hand can be asked; it will then say what it has found. @param {Task} task */
    stop(task) {
      const hand = all.find((one) => one.task === task);
      if (hand?.flag) Atomics.store(hand.flag, 0, 1);
      return Boolean(hand?.flag);
    },
    /** Breaks a task off; nothing more comes of it. @param {Task} task */
    drop(task) {
      all.find((one) => one.task === task)?.end();
    },
    /** Breaks everything off. */
    close() {
      for (const hand of [...all]) hand.end();
    },
  };
}
