// The clocks of a timed game; the document keeps what was left when the turn began.

import { effect, signal, untracked } from "../dom.js";
import { clock as show } from "../model/fmt.js";
import * as tree from "../model/tree.js";
import { commit, doc, finish, paused } from "./document.js";

const now = signal(Date.now());
let since = Date.now();
let turn = "";

/** What a clock shows. @param {0 | 1} side */
export function clockOf(side) {
  const { clock } = doc.value;
  return clock ? show(left(side)) : "";
}

/** @param {0 | 1} side */
function left(side) {
  const game = doc.value;
  const base = game.clock?.left[side] ?? 0;
  return runs(side) ? base - (now.value - since) : base;
}

/** @param {0 | 1} side */
function runs(side) {
  const game = doc.value;
  return Boolean(game.clock && !game.end && game.tip !== 0 && !paused.value && tree.toMove(game, game.tip) === side);
}

export function runClocks() {
  effect(() => {
    const game = doc.value;
    const name = `${game.id}/${game.tip}/${paused.value}`;
    if (name === turn) return;
    const before = turn;
    turn = name;
    untracked(() => settle(before));
    since = Date.now();
    now.value = since;
  });
  effect(() => {
    if (!doc.value.clock || doc.value.end || paused.value) return;
    const timer = setInterval(() => {
      now.value = Date.now();
      const side = tree.toMove(doc.peek(), doc.peek().tip);
      if (doc.peek().tip !== 0 && left(side) <= 0) finish({ winner: side ? 0 : 1, ending: "time" });
    }, 100);
    return () => clearInterval(timer);
  });
}

/** Takes the time of the move just made from its side's clock. @param {string} before */
function settle(before) {
  const game = doc.peek();
  const [id, node] = before.split("/");
  const clock = game.clock;
  if (
    !clock ||
    id !== game.id ||
    Number(node) === game.tip ||
    game.nodes[game.tip].p !== Number(node) ||
    Number(node) === 0
  )
    return;
  const mover = tree.toMove(game, Number(node));
  const spent = Date.now() - since;
  const next = /** @type {[number, number]} */ ([...clock.left]);
  next[mover] = Math.max(0, next[mover] - spent) + clock.inc;
  queueMicrotask(() => commit({ ...doc.peek(), clock: { ...clock, left: next } }, { soon: true }));
}
