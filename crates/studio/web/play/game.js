// The game at hand: the document, its keeping, and every change a person can make to it.
//
// The document is saved in this browser and on the server after each change. Another tab's change
// arrives as a whole document; the tab that made the last change is the one that asks players to
// move, so two tabs do not both play.

import { afterPaint, batch, computed, effect, signal } from "../dom.js";
import { t } from "../i18n.js";
import { docOf, hashOf, parseHash } from "../model/share.js";
import * as tree from "../model/tree.js";
import { link, on, send } from "../net.js";
import { choose, settings } from "../settings.js";
import { notify, spoken } from "../ui.js";

/** @typedef {import("../types").Doc} Doc */
/** @typedef {import("../types").Seat} Seat */

const KEY = "tengen.game";
const RULES = ["freestyle", "standard", "renju", "caro", "caro-exact"];

/** @type {import("../dom.js").Signal<Doc>} */
export const doc = signal(load());
/** Whether this tab made the last change. */
export const mine = signal(true);
/** Whether players wait although it is their turn. */
export const paused = signal(false);
/**
 * While an opening protocol is played: what a press on the board does, and the stones chosen so far.
 * @type {import("../dom.js").Signal<{ press: (p: string) => void, pending: string[], offers: boolean, marks: string[] } | null>}
 */
export const opener = signal(/** @type {any} */ (null));
/**
 * What the server says about the node that is shown.
 * @type {import("../dom.js").Signal<(import("../types").Look & { node: number, doc: Doc }) | null>}
 */
export const look = signal(/** @type {any} */ (null));

export const stones = computed(() => tree.stones(doc.value));
export const toMove = computed(() => tree.toMove(doc.value));
export const isTip = computed(() => doc.value.at === doc.value.tip);

/** What decided the game at the node shown, if anything did. */
export const result = computed(() => {
  const now = look.value;
  if (now && now.node === doc.value.at && now.result) return now.result;
  const end = doc.value.end;
  if (!end || !isTip.value) return null;
  return {
    winner: end.winner === null ? null : end.winner ? /** @type {const} */ ("white") : /** @type {const} */ ("black"),
    ending: end.ending,
    line: /** @type {string[]} */ ([]),
  };
});

/** @type {Doc[]} */
const undone = [];
/** @type {Doc[]} */
const redone = [];

function load() {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "null");
    if (stored?.v === tree.VERSION && Array.isArray(stored.nodes)) return /** @type {Doc} */ (stored);
  } catch {
    // What cannot be read is not there.
  }
  return tree.create();
}

let unsent = localStorage.getItem(`${KEY}.unsent`) === "1";
let timer = 0;

/**
 * Replaces the document.
 * @param {Doc} next
 * @param {{ edit?: boolean, soon?: boolean }} [how]  `edit` can be undone; `soon` may be saved a little later
 */
export function commit(next, how = {}) {
  const before = doc.peek();
  if (next === before) return;
  if (how.edit) {
    undone.push(before);
    if (undone.length > 100) undone.shift();
    redone.length = 0;
  }
  const plies = tree.depth(next, next.tip);
  const names = /** @type {[string, string]} */ (
    next.seats.map((seat, i) => (seat.who === "player" ? (seat.spec ?? "") : next.names[i] || ""))
  );
  batch(() => {
    mine.value = true;
    const result = next.end ? resultText(next.end.winner, next.end.ending) : null;
    doc.value = {
      ...next,
      result,
      seq: Math.max(next.seq, before.id === next.id ? before.seq : 0) + 1,
      saved: Date.now(),
      plies,
      names,
    };
  });
  unsent = true;
  clearTimeout(timer);
  if (how.soon) timer = window.setTimeout(save, 150);
  else save();
}

function save() {
  const now = doc.peek();
  const sent = send({ t: "doc-put", doc: now });
  try {
    localStorage.setItem(KEY, JSON.stringify(now));
    localStorage.setItem(`${KEY}.unsent`, "1");
  } catch {
    // Too large for the browser; the server has it.
  }
  if (!sent) unsent = true;
}

/** Shows a document that came from elsewhere. @param {Doc} next */
function adopt(next) {
  batch(() => {
    doc.value = next;
    mine.value = false;
  });
  unsent = false;
  localStorage.setItem(KEY, JSON.stringify(next));
  localStorage.removeItem(`${KEY}.unsent`);
}

on("saved", (message) => {
  if (message.game === doc.peek().id && message.seq === doc.peek().seq) {
    unsent = false;
    localStorage.removeItem(`${KEY}.unsent`);
  }
});
on("doc", (message) => adopt(message.doc));

/** Whether nothing is known of the reader: no game here, none on the server, none in the address. */
let isNew = localStorage.getItem(KEY) === null;

/** Whoever comes for the first time finds an opponent at the board. @param {string} spec */
export function welcome(spec) {
  const now = doc.peek();
  if (isNew && now.nodes.length === 1 && !now.setup && now.seats.every((seat) => seat.who === "human"))
    commit({ ...now, seats: [{ who: "human" }, { who: "player", spec }] }, { soon: true });
  isNew = false;
}

let firstHello = true;
on("hello", (message) => {
  const theirs = /** @type {Doc | null} */ (message.doc);
  const ours = doc.peek();
  isNew &&= !theirs;
  const newer = theirs && (theirs.id === ours.id ? theirs.seq > ours.seq : !unsent || ours.nodes.length === 1);
  if (theirs && newer) {
    const was = mine.peek();
    adopt(theirs);
    if (firstHello) mine.value = true;
    else mine.value = was;
  } else if (ours.nodes.length > 1 || unsent) save();
  if (firstHello && opening) {
    const wanted = docOf(opening, doc.peek(), RULES);
    if (wanted && wanted !== doc.peek()) commit(wanted, { soon: true });
  }
  firstHello = false;
});

/** The position that the address asked for when the page was opened. @type {URLSearchParams | null} */
let opening = null;

/** Shows the position of an address. @param {string} hash */
export function openHash(hash) {
  const { page, values } = parseHash(hash);
  if (page !== "play" || !values.has("r")) return;
  isNew = false;
  if (firstHello) opening = values;
  const wanted = docOf(values, doc.peek(), RULES);
  if (!wanted) notify(t("error.address"), "error");
  else if (wanted !== doc.peek()) commit(wanted, { soon: true });
}

/** Keeps the address in step with the board. Browsers take their time over it, so the stone is painted first. */
export function followHash() {
  effect(() => {
    doc.value;
    const before = location.hash;
    afterPaint(() => {
      const hash = hashOf(doc.peek());
      // Whoever went elsewhere in the meantime is not brought back.
      if (location.hash === before && parseHash(before).page === "play" && before !== hash)
        history.replaceState(null, "", hash);
    });
  });
}

/** Shows a node. @param {number} at */
export function show(at) {
  if (at !== doc.peek().at) commit({ ...doc.peek(), at }, { soon: true });
}

/** Goes along the tree. @param {Parameters<typeof tree.go>[2]} way */
export const walk = (way) => show(tree.go(doc.peek(), doc.peek().at, way));

/**
 * Plays a stone for whoever is to move at the node shown. Returns whether it was possible.
 * @param {string} p
 */
export function playHere(p) {
  const now = doc.peek();
  if (!tree.isFree(now, now.at, p)) return false;
  if (result.peek()) {
    notify(t("over"));
    return false;
  }
  const side = tree.toMove(now);
  const ban = side === 0 && look.peek()?.node === now.at ? look.peek()?.forbidden.find(([q]) => q === p) : undefined;
  if (ban) {
    notify(t(`forbidden.${ban[1]}`, { move: p.toUpperCase() }), "error");
    return false;
  }
  const [next, at] = tree.play(now, now.at, p);
  paused.value = false;
  commit({ ...next, at, tip: at, end: null });
  say(p, side);
  return true;
}

/**
 * Adds a player's move at the node it was asked about.
 * @param {number} node
 * @param {string} p
 * @param {Partial<import("../types").DocNode>} more
 */
export function playAt(node, p, more) {
  const now = doc.peek();
  const side = tree.toMove(now, node);
  const [next, at] = tree.play(now, node, p, more);
  commit({ ...next, tip: at, at: now.at === node ? at : now.at, end: null });
  say(p, side);
}

/** @param {string} p @param {0 | 1} side */
function say(p, side) {
  spoken.value = t(side ? "say.white" : "say.black", { move: p.toUpperCase() });
  if (settings.peek().sound) knock();
}

/** @type {AudioContext | null} */
let audio = null;

/** The sound of a stone: a short noise through a filter. */
function knock() {
  audio ??= new AudioContext();
  const length = 0.05;
  const noise = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
  const data = noise.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * Math.exp((-i / data.length) * 9);
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  source.connect(new BiquadFilterNode(audio, { type: "bandpass", frequency: 1900, Q: 1.2 })).connect(audio.destination);
  source.start();
}

/** Takes the last move back: two against a player, one otherwise. The line stays in the tree. */
export function undo() {
  const now = doc.peek();
  const from = now.tip;
  if (now.opening)
    return commit({ ...now, nodes: [{ p: -1 }], at: 0, tip: 0, opening: { ...now.opening, actions: [] } });
  if (from === 0) return;
  const human = now.seats.some((seat) => seat.who === "human");
  const againstPlayer = human && now.seats.some((seat) => seat.who === "player");
  let to = now.nodes[from].p;
  if (againstPlayer) {
    const isHuman = (/** @type {number} */ id) => now.seats[tree.toMove(now, id)].who === "human";
    while (to > 0 && !isHuman(to)) to = now.nodes[to].p;
  }
  if (!human) paused.value = true;
  commit({ ...now, at: to, tip: to, end: null });
}

/** Starts another game with the same people; the old one stays in the library. @param {Partial<Doc>} [given] */
export function newGame(given = {}) {
  const { rule, size, seats, clock, opening } = doc.peek();
  const base = clock?.base ?? 0;
  paused.value = false;
  commit(
    tree.create({
      rule,
      size,
      seats,
      clock: clock ? { ...clock, left: [base, base] } : null,
      opening: opening ? { ...opening, actions: [] } : null,
      ...given,
    }),
    { edit: true },
  );
}

/** Shows any document as a new game. @param {Doc} next */
export function openDoc(next) {
  paused.value = true;
  commit(next, { edit: true });
}

/** Changes the document as an edit that can be undone. @param {(now: Doc) => Doc | null} change */
export function edit(change) {
  const next = change(doc.peek());
  if (next) commit(next, { edit: true });
}

export function undoEdit() {
  const before = undone.pop();
  if (!before) return notify(t("nothing-to-undo"));
  redone.push(doc.peek());
  commit({ ...before, seq: doc.peek().id === before.id ? doc.peek().seq : before.seq });
}

export function redoEdit() {
  const next = redone.pop();
  if (!next) return notify(t("nothing-to-redo"));
  undone.push(doc.peek());
  commit({ ...next, seq: doc.peek().id === next.id ? doc.peek().seq : next.seq });
}

/** Gives a side to a person or a player. @param {0 | 1} side @param {Seat} seat */
export function setSeat(side, seat) {
  const now = doc.peek();
  const seats = /** @type {[Seat, Seat]} */ (now.seats.map((one, i) => (i === side ? seat : one)));
  paused.value = false;
  commit({ ...now, seats });
}

/** The algorithm that analyses and plays when no other is named. */
export const algorithm = computed(() => settings.value.alg);

/** Chooses the algorithm; sides that players have are given to it. @param {string} spec */
export function setAlgorithm(spec) {
  choose({ alg: spec });
  const now = doc.peek();
  if (now.seats.every((seat) => seat.who === "human")) return;
  commit({
    ...now,
    seats: /** @type {[Seat, Seat]} */ (now.seats.map((seat) => (seat.who === "player" ? { ...seat, spec } : seat))),
  });
}

/** The game is decided away from the board. @param {import("../types").GameEnd} end */
export function finish(end) {
  commit({ ...doc.peek(), end, at: doc.peek().tip });
  paused.value = true;
}

/** A result as records write it. @param {0 | 1 | null} winner @param {string} ending */
export function resultText(winner, ending) {
  if (winner === null) return "0";
  const mark = { resign: "R", time: "T", forbidden: "F" }[ending];
  return `${winner ? "W" : "B"}+${mark ?? ""}`;
}

// A decided board is written into the document, so that the library and records know.
effect(() => {
  const now = look.value;
  const game = doc.value;
  if (!now?.result || now.node !== game.tip || now.doc.id !== game.id || game.end) return;
  const winner = now.result.winner === null ? null : now.result.winner === "white" ? 1 : 0;
  const end = { winner: /** @type {0 | 1 | null} */ (winner), ending: now.result.ending };
  if (!mine.peek()) return;
  queueMicrotask(() => {
    if (doc.peek().tip === now.node && doc.peek().id === now.doc.id && !doc.peek().end) commit({ ...doc.peek(), end });
    spoken.value = endText(now.result ?? null);
  });
});

/** @param {{ winner: "black" | "white" | null, ending: string } | null} end */
export function endText(end) {
  if (!end) return "";
  return t(end.winner === null ? "end.draw" : `end.${end.winner}`, { how: t(`ending.${end.ending}`) });
}

// The rules are the server's: after every change of the board it is asked, and may take a stone back.
let rev = 0;
/** @type {{ rev: number, node: number, doc: Doc } | null} */
let asked = null;
effect(() => {
  const now = doc.value;
  const player = algorithm.value;
  if (link.value !== "open") return;
  rev++;
  asked = { rev, node: now.at, doc: now };
  send({ t: "look", rev, position: tree.position(now), player: player || null });
});
/**
 * What another player says of the node that is shown, where the chosen one does not explain itself.
 * @type {import("../dom.js").Signal<{ node: number, game: string, explain: import("../types").Look["explain"] } | null>}
 */
export const opinion = signal(/** @type {any} */ (null));
/** @type {{ rev: number, node: number, game: string, others: string[] } | null} */
let second = null;

/** Asks others, one after the other, until one takes the position apart. @param {string[]} others */
export function askOthers([player, ...others]) {
  if (!player) return;
  const now = doc.peek();
  second = { rev: ++rev, node: now.at, game: now.id, others };
  send({ t: "look", rev, position: tree.position(now), player });
}

on("look", (message) => {
  if (second && message.rev === second.rev) {
    if (message.explain?.terms.length) opinion.value = { ...second, explain: message.explain };
    else askOthers(second.others);
    return;
  }
  if (!asked || message.rev !== asked.rev) return;
  look.value = { ...message, node: asked.node, doc: asked.doc };
  const now = doc.peek();
  if (message.bad && now.at === asked.node && now.at > 0) {
    notify(message.bad.text, "error");
    commit(tree.remove(now, tree.path(now, now.at)[message.bad.played + 1] ?? now.at));
    return;
  }
  const mover = now.seats[/** @type {0 | 1} */ (1 - tree.toMove(now))];
  if (
    message.result?.ending === "forbidden" &&
    mover.who === "human" &&
    now.at === asked.node &&
    tree.children(now, now.at).length === 0
  ) {
    const p = now.nodes[now.at].m ?? "";
    notify(t("forbidden.any", { move: p.toUpperCase() }), "error");
    commit(tree.remove(now, now.at));
  }
});
