// The worker behind the page: it keeps everything and answers, and has hands for what takes long.
//
// Of several tabs one has the desk, and the others talk to it through a channel. When that one is closed,
// another opens the desk again, and the pages connect anew, as they do when a server was started again.

import { makeHands } from "./hands.js";
import { start } from "./instance.js";
import { openStorage } from "./storage.js";

/** @typedef {import("./hands.js").Task} Task */
/** @typedef {import("./instance.js").Answer} Answer */
/** @typedef {import("./instance.js").Question} Question */
/**
 * @typedef {{ t: "open" } | { t: "text", text: string }
 *   | { t: "ask", n: number, question: Question, body: Uint8Array<ArrayBuffer> }} FromPage
 */
/** @typedef {{ t: "opened" | "closed" } | { t: "text", text: string } | { t: "answer", n: number, answer: Answer }} ToPage */
/** @typedef {(message: ToPage) => void} Reply */

const folder = new URL("../", import.meta.url);
const NAME = `tengen ${folder.pathname}`;
/** This tab. */
const ME = `${Date.now()}-${Math.random()}`;
const nothing = new Uint8Array();
const cores = navigator.hardwareConcurrency || 1;

/** @param {string} path */
async function load(path) {
  const answer = await fetch(new URL(path, folder));
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

/** @type {Map<string, Promise<Uint8Array<ArrayBuffer>>>} */
const files = new Map();
/** A file that is fetched when it is needed. @param {string} name */
function file(name) {
  const found =
    files.get(name) ?? load(`site/${name}`).then(async (answer) => new Uint8Array(await answer.arrayBuffer()));
  files.set(name, found);
  found.catch(() => files.delete(name));
  return found;
}
/** The position books and the opening sets. */
const OPENINGS = [
  ...["freestyle-15", "standard-15", "renju-15"].map((one) => `${one}.book`),
  ...["freestyle-15", "standard-15", "renju-15", "caro-15", "caro-exact-15", "freestyle-20"].map((one) => `${one}.txt`),
];
/** The network of a rule. @param {string} rule */
const net = (rule) => file(`${rule}.net`);

/** The networks that are needed to do what a text says: that of its rule, and the one whose scores are a measure. */
const netsFor = (/** @type {string} */ text) =>
  /engine/.test(text)
    ? [...new Set(["freestyle", ...[...text.matchAll(/"rule":"([a-z-]+)"/g)].map((one) => one[1])])]
    : [];

/** Everything that answers, for all pages. */
async function openDesk() {
  // The first move needs it.
  net("freestyle").catch(() => {});
  const [[storage, kept], module] = await Promise.all([
    openStorage(NAME).then(
      async (opened) => /** @type {const} */ ([opened, await opened.all()]),
      () => /** @type {const} */ ([null, []]),
    ),
    WebAssembly.compileStreaming(load("site/tengen.wasm")),
  ]);
  const hands = makeHands(module, cores, net);
  hands.warm("freestyle");

  /** Pages by the number that the desk knows them by. @type {Map<number, Reply>} */
  const pages = new Map();
  /** @type {(() => void)[]} */
  let out = [];
  /** @type {import("./storage.js").Changes} */
  let changes = new Map();
  /** @type {Map<number, Task>} */
  const errands = new Map();
  /** @type {[number, Task][]} */
  let waiting = [];
  /** Set when the module has failed: it can answer no more. */
  let failed = "";

  const desk = await start(module, {
    message: (page, text) => out.push(() => pages.get(page)?.({ t: "text", text })),
    keep: (name, bytes) => changes.set(name, bytes),
    forget: (name) => changes.set(name, null),
    failed: (text) => (failed = text),
    sendOut(number, text) {
      waiting.push([
        number,
        {
          message: { t: "errand", text },
          about: "errand",
          heard(news) {
            if (!news) errands.delete(number);
            if (!news || news.t === "said") turn(() => desk.heard(number, news?.news ?? nothing));
          },
        },
      ]);
      queueMicrotask(sendNext);
    },
    callBack(number) {
      const before = waiting.length;
      waiting = waiting.filter(([one]) => one !== number);
      const task = errands.get(number);
      if (task) hands.drop(task);
      else if (waiting.length < before) turn(() => desk.heard(number, nothing));
    },
  });

  function sendNext() {
    while (waiting.length && errands.size < Math.max(1, cores - 1)) {
      const [number, task] = waiting[0];
      if (!hands.give(task, netsFor(/** @type {any} */ (task.message).text))) return;
      waiting.shift();
      errands.set(number, task);
    }
  }

  /** What is done at the desk, one after the other. @type {Promise<any>} */
  let last = Promise.resolve();
  /**
   * Does something at the desk. What comes of it is told when all that was changed is on disk.
   * @param {() => void | Promise<void>} work
   */
  function turn(work) {
    last = last.then(async () => {
      if (failed) return;
      try {
        await work();
        desk.settle();
      } catch (error) {
        failed ||= String(error);
      }
      const [told, changed] = [out, changes];
      [out, changes] = [[], new Map()];
      if (changed.size) {
        try {
          if (!storage) throw new Error("This browser keeps nothing for this page.");
          await storage.keep(changed);
        } catch (error) {
          const text = JSON.stringify({
            t: "error",
            id: null,
            code: "disk",
            detail: String(error),
          });
          for (const reply of pages.values()) reply({ t: "text", text });
          return;
        }
      }
      told.forEach((tell) => tell());
      sendNext();
      if (!failed) return;
      hands.close();
      for (const reply of pages.values()) reply({ t: "closed" });
    });
  }

  for (const { name, changed, bytes } of kept) desk.put(name, bytes, changed);
  desk.open(cores, true);
  turn(() => {});

  /** What pages have searched for: by page and number. @type {Map<string, { task: Task, info: any, reply: Reply }>} */
  const searches = new Map();
  const key = (/** @type {number} */ page, /** @type {number} */ id) => `${page}/${id}`;

  /** @param {number} page @param {Reply} reply @param {string} text @param {any} message */
  function search(page, reply, text, message) {
    const say = (/** @type {any} */ answer) => reply({ t: "text", text: JSON.stringify(answer) });
    const place = key(page, message.id);
    /** @type {Task} */
    const task = {
      message: { t: "hear", text },
      about: `${message.game}/${message.player}`,
      heard(news, failure) {
        const one = searches.get(place);
        if (!one) return;
        if (news?.t === "text") {
          // The greeting of another desk is of no use to the page.
          const said = JSON.parse(news.text);
          if (said.t === "info") one.info = said;
          if (said.t === "best" || said.t === "review" || (said.t === "error" && said.id !== null))
            searches.delete(place);
          reply({ t: "text", text: news.text });
        } else if (!news) {
          searches.delete(place);
          say({
            t: "error",
            id: message.id,
            code: "crash",
            detail: failure ?? `The player ${message.player} failed.`,
          });
        }
      },
    };
    searches.set(place, { task, info: null, reply });
    if (hands.give(task, netsFor(text))) return;
    searches.delete(place);
    say({
      t: "error",
      id: message.id,
      code: "busy",
      detail: "Too many searches are running.",
    });
  }

  /** Stops searches of a page: one, or all. @param {number} page @param {number | null} id */
  function stop(page, id) {
    for (const [place, { task, info, reply }] of searches) {
      if (id === null ? !place.startsWith(`${page}/`) : place !== key(page, id)) continue;
      if (hands.stop(task)) continue;
      // Its worker is gone, and what it has told last is all there is.
      searches.delete(place);
      hands.drop(task);
      const number = Number(place.split("/")[1]);
      const best = info && {
        ...info,
        t: "best",
        stones: info.cand.slice(0, 1).map((/** @type {any} */ one) => one.m),
      };
      const said = best
        ? {
            ...best,
            why: "search",
            e: info.cand[0]?.e ?? null,
            w: info.cand[0]?.w ?? null,
            iterations: [],
            stopped: true,
          }
        : { t: "error", id: number, code: "over", detail: "" };
      reply({ t: "text", text: JSON.stringify(said) });
    }
  }

  /** Asks the desk, at its turn. @param {Question} question @param {Uint8Array} body @returns {Promise<Answer>} */
  const askDesk = (question, body) =>
    new Promise((resolve) =>
      turn(() => {
        const answer = desk.ask(question, body);
        out.push(() => resolve(answer));
      }),
    );

  /** Asks a hand. @param {Question} question @param {Uint8Array<ArrayBuffer>} body @returns {Promise<Answer>} */
  const askHand = (question, body) =>
    new Promise((resolve) => {
      const refuse = (/** @type {string} */ text) =>
        resolve({
          status: 503,
          kind: "application/json",
          body: new TextEncoder().encode(JSON.stringify({ error: text })),
        });
      /** @type {Task} */
      const task = {
        message: { t: "ask", question, body },
        about: "ask",
        heard: (news, failure) => (news?.t === "answer" ? resolve(news.answer) : refuse(failure ?? "It has failed.")),
      };
      const text = new TextDecoder().decode(body.slice(0, 4096));
      if (!hands.give(task, netsFor(text))) refuse("Too much is going on.");
    });

  let hasOpenings = false;
  let hasPuzzles = false;
  /** @param {Question} question @param {Uint8Array<ArrayBuffer>} body */
  async function ask(question, body) {
    const path = question.path.join("/");
    if (path === "api/opening/choose") return askHand(question, body);
    if (/^api\/proofs\/[^/]+\/check$/.test(path)) {
      const file = await askDesk(
        {
          verb: "GET",
          path: [...question.path.slice(0, 3), "file"],
          query: {},
        },
        nothing,
      );
      return file.status === 200 ? askHand({ verb: "POST", path: ["api", "check"], query: {} }, file.body) : file;
    }
    if (/^api\/(explore|openings)/.test(path) && !hasOpenings) {
      const texts = await Promise.all(OPENINGS.map(file)).catch(() => null);
      if (texts) turn(() => void (hasOpenings = desk.openings(texts)));
    }
    if (path === "api/puzzles" && !hasPuzzles) {
      const text = await file("puzzles.txt").catch(() => null);
      if (text) turn(() => void (hasPuzzles = desk.puzzles(text)));
    }
    return askDesk(question, body);
  }

  let lastPage = 0;
  /** A page has come. @param {Reply} reply */
  function connect(reply) {
    const page = ++lastPage;
    turn(() => {
      if (!desk.connect(page)) return reply({ t: "closed" });
      pages.set(page, reply);
      out.push(() => reply({ t: "opened" }));
    });
    return {
      /** @param {string} text */
      hear(text) {
        const message = JSON.parse(text);
        if (message.t === "think" || message.t === "review") search(page, reply, text, message);
        else if (message.t === "stop") stop(page, message.id ?? null);
        else
          turn(async () => {
            // An evaluation is explained with the network.
            const wanted = message.t === "look" ? netsFor(text) : [];
            for (const bytes of await Promise.all(wanted.map(net))) desk.network(bytes);
            desk.hear(page, text);
          });
      },
      leave() {
        stop(page, null);
        pages.delete(page);
        turn(() => desk.leave(page));
      },
    };
  }
  return { connect, ask, hasFailed: () => failed !== "" };
}

/** Serves pages: that of this tab, and those of others. */
function serve() {
  /** @type {ReturnType<typeof openDesk> | null} */
  let opening = null;
  /** The desk; another, if one has failed. */
  const desk = async () => {
    if (await opening?.then((one) => one.hasFailed()).catch(() => true)) opening = null;
    return (opening ??= openDesk());
  };
  /** @typedef {ReturnType<Awaited<ReturnType<typeof openDesk>>["connect"]>} Line */
  /** @type {Map<string, Promise<Line>>} */
  const lines = new Map();
  const leave = async (/** @type {string} */ tab) => (await lines.get(tab)?.catch(() => null))?.leave();
  return async (/** @type {string} */ tab, /** @type {FromPage} */ message, /** @type {Reply} */ reply) => {
    if (message.t === "open") {
      leave(tab);
      const line = desk().then(({ connect }) => connect(reply));
      lines.set(tab, line);
      line.catch((error) => (console.error(error), reply({ t: "closed" })));
      // The lock of a tab is free when the tab is gone.
      if (tab !== ME) navigator.locks.request(`${NAME} ${tab}`, () => leave(tab));
    } else if (message.t === "text") {
      (await lines.get(tab)?.catch(() => null))?.hear(message.text);
    } else {
      const answer = await desk().then(({ ask }) => ask(message.question, message.body));
      reply({ t: "answer", n: message.n, answer });
    }
  };
}

const channel = new BroadcastChannel(NAME);
const toPage = (/** @type {ToPage} */ message) => self.postMessage(message);
/** What the page says goes to the desk, here or in another tab. @type {(message: FromPage) => void} */
let send;

function lead() {
  const take = serve();
  send = (message) => void take(ME, message, toPage).catch((error) => console.error(error));
  channel.onmessage = ({ data: { from, to, message } }) => {
    if (to !== "desk") return;
    take(from, message, (answer) => channel.postMessage({ to: from, message: answer })).catch(console.error);
  };
  channel.postMessage({ to: "all", message: { t: "closed" } });
}

function follow() {
  send = (message) => channel.postMessage({ from: ME, to: "desk", message });
  channel.onmessage = ({ data: { to, message } }) => (to === ME || to === "all") && toPage(message);
}

const forever = new Promise(() => {});
/** Decides who has the desk. Without locks, every tab has one. */
const settled = new Promise((/** @type {(value?: any) => void} */ resolve) => {
  const { locks } = navigator;
  if (!locks) return resolve(lead());
  locks.request(`${NAME} ${ME}`, () => forever);
  locks.request(NAME, { ifAvailable: true }, (lock) => {
    if (lock) return (resolve(lead()), forever);
    resolve(follow());
    locks.request(NAME, () => {
      lead();
      toPage({ t: "closed" });
      return forever;
    });
  });
});

self.onmessage = ({ data }) => settled.then(() => send(data));
