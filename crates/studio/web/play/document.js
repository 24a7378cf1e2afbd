// The game at hand, and every change a person or a player can make to it.
//
// The document is replaced, never changed. Keeping it is the business of `sync.js`, which is told of
// every change; what the rules say about it is the business of `rules.js`.

import { batch, computed, signal } from "../dom.js";
import { t } from "../i18n.js";
import * as tree from "../model/tree.js";
import { choose, settings } from "../settings.js";
import { notify } from "../ui.js";

/** @typedef {import("../types").Doc} Doc */
/** @typedef {import("../types").Seat} Seat */

/** How many edits can be undone. */
const MOST_EDITS = 100;

/** @type {import("../dom.js").Signal<Doc>} */
export const doc = signal(tree.create());
/** Whether this tab made the last change: only then it asks players to move, so two tabs do not both play. */
export const mine = signal(true);
/** Whether players wait although it is their turn. */
export const paused = signal(false);
/** The stone that was played last. @type {import("../dom.js").Signal<{ p: string, side: 0 | 1, game: string } | null>} */
export const played = signal(/** @type {{ p: string, side: 0 | 1, game: string } | null} */ (null));
/** The game that has just been played to its end. */
export const ended = signal("");

/** @typedef {{ press: (p: string) => void, pending: string[], offers: boolean, marks: string[] }} Opener */
/**
 * While an opening protocol is played or a lesson given: what a press on the board does, and the stones chosen so far.
 * @type {import("../dom.js").Signal<Opener | null>}
 */
export const opener = signal(/** @type {Opener | null} */ (null));

export const stones = computed(() => tree.stones(doc.value));
export const toMove = computed(() => tree.toMove(doc.value));
export const isTip = computed(() => doc.value.at === doc.value.tip);

/** @type {Doc[]} */
const undone = [];
/** @type {Doc[]} */
const redone = [];

/** @type {(soon: boolean) => void} */
let keep = () => {};

/** Names who keeps the document after a change; `soon` says that it may wait a little. @param {typeof keep} keeper */
export function keepWith(keeper) {
  keep = keeper;
}

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
    if (undone.length > MOST_EDITS) undone.shift();
    redone.length = 0;
  }
  const plies = tree.depth(next, next.tip);
  const names = /** @type {[string, string]} */ (
    next.seats.map((seat, i) => (seat.who === "player" ? (seat.spec ?? "") : next.names[i] || ""))
  );
  const result = next.end ? resultText(next.end.winner, next.end.ending) : null;
  const seq = Math.max(next.seq, before.id === next.id ? before.seq : 0) + 1;
  // A link that is played on is a game like others.
  const isPlayed = how.edit || next.nodes.length > before.nodes.length || next.review;
  const seen = next.seen && !(isPlayed && next.id === before.id);
  const isEnd = next.id === before.id && next.end && !before.end && played.peek()?.game === next.id;
  batch(() => {
    if (isEnd) ended.value = next.id;
    else if (!next.end || next.id !== before.id) ended.value = "";
    mine.value = true;
    doc.value = { ...next, result, seq, saved: Date.now(), plies, names, seen };
  });
  keep(Boolean(how.soon));
}

/** Shows a document that came from elsewhere; it is kept there already. @param {Doc} next @param {boolean} isMine */
export function adopt(next, isMine) {
  batch(() => {
    doc.value = next;
    mine.value = isMine;
  });
}

/** A result as records write it. @param {0 | 1 | null} winner @param {string} ending */
export function resultText(winner, ending) {
  if (winner === null) return "0";
  const mark = { resign: "R", time: "T", forbidden: "F" }[ending];
  return `${winner ? "W" : "B"}+${mark ?? ""}`;
}

/** Shows a node. @param {number} at */
export function show(at) {
  if (at !== doc.peek().at) commit({ ...doc.peek(), at }, { soon: true });
}

/** Goes along the tree. @param {Parameters<typeof tree.go>[2]} way */
export const walk = (way) => show(tree.go(doc.peek(), doc.peek().at, way));

/**
 * Adds a move at a node; the board follows if that node is shown.
 * @param {number} node
 * @param {string} p
 * @param {Partial<import("../types").DocNode>} [more]
 */
export function playAt(node, p, more) {
  const now = doc.peek();
  const side = tree.toMove(now, node);
  const [next, at] = tree.play(now, node, p, more);
  commit({ ...next, tip: at, at: now.at === node ? at : now.at, end: null });
  played.value = { p, side, game: now.id };
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

/** Who sits at the board in the next game: a link that was opened does not send them away. @returns {[Seat, Seat]} */
export const lastSeats = () => (doc.peek().linked && settings.peek().forms.seats) || doc.peek().seats;

/** @param {[Seat, Seat]} seats */
const keepSeats = (seats) => choose({ forms: { ...settings.peek().forms, seats } });

/** Starts another game with the same people; the old one stays in the library. @param {Partial<Doc>} [given] */
export function newGame(given = {}) {
  const { rule, size, clock, opening } = doc.peek();
  const seats = given.seats ?? lastSeats();
  keepSeats(seats);
  const base = clock?.base ?? 0;
  const next = tree.create({
    rule,
    size,
    seats,
    clock: clock ? { ...clock, left: [base, base] } : null,
    opening: opening ? { ...opening, actions: [] } : null,
    ...given,
  });
  batch(() => {
    paused.value = false;
    commit(next, { edit: true });
  });
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
  commit(before);
}

export function redoEdit() {
  const next = redone.pop();
  if (!next) return notify(t("nothing-to-redo"));
  undone.push(doc.peek());
  commit(next);
}

/** Gives a side to a person or a player. @param {0 | 1} side @param {Seat} seat */
export function setSeat(side, seat) {
  const now = doc.peek();
  const seats = /** @type {[Seat, Seat]} */ (now.seats.map((one, i) => (i === side ? seat : one)));
  const names = /** @type {[string, string]} */ (now.names.map((one, i) => (i === side ? "" : one)));
  keepSeats(seats);
  batch(() => {
    paused.value = false;
    commit({ ...now, seats, names });
  });
}

/** The algorithm that analyzes and plays when no other is named. */
export const algorithm = computed(() => settings.value.alg);

/** Chooses the algorithm; sides that players have are given to it. @param {string} spec */
export function setAlgorithm(spec) {
  choose({ alg: spec });
  const now = doc.peek();
  if (now.seats.every((seat) => seat.who === "human")) return;
  const seats = /** @type {[Seat, Seat]} */ (
    now.seats.map((seat) => (seat.who === "player" ? { ...seat, spec } : seat))
  );
  commit({ ...now, seats });
}

/** The game is decided away from the board. @param {import("../types").GameEnd} end */
export function finish(end) {
  commit({ ...doc.peek(), end, at: doc.peek().tip });
  ended.value = doc.peek().id;
  paused.value = true;
}
