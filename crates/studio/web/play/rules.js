// What the rules say about the board: who has won, what is forbidden, what the stones are worth.
//
// The rules are the server's: after every change of the board it is asked, and may take a stone back.

import { batch, computed, effect, signal } from "../dom.js";
import { t } from "../i18n.js";
import * as tree from "../model/tree.js";
import { link, on, send } from "../net.js";
import { notify, spoken } from "../ui.js";
import { algorithm, commit, doc, isTip, mine, paused, playAt } from "./document.js";

/** @typedef {import("../types").Doc} Doc */
/** @typedef {import("../types").Look} Look */

/**
 * What the server said last, and about which node.
 * @type {import("../dom.js").Signal<(Look & { node: number, doc: Doc }) | null>}
 */
export const look = signal(/** @type {(Look & { node: number, doc: Doc }) | null} */ (null));

/** @typedef {{ node: number, game: string, explain: Look["explain"] }} Opinion */
/**
 * What another player says of the node that is shown, where the chosen one does not explain itself.
 * @type {import("../dom.js").Signal<Opinion | null>}
 */
export const opinion = signal(/** @type {Opinion | null} */ (null));

/** What the server says about the node that is shown, once it has answered. */
export const lookHere = computed(() => {
  const now = look.value;
  return now?.node === doc.value.at && now.doc.id === doc.value.id ? now : null;
});

/** What decided the game at the node shown, if anything did. */
export const result = computed(() => {
  if (lookHere.value?.result) return lookHere.value.result;
  const end = doc.value.end;
  if (!end || !isTip.value) return null;
  const winner =
    end.winner === null ? null : end.winner ? /** @type {const} */ ("white") : /** @type {const} */ ("black");
  return { winner, ending: end.ending, line: /** @type {string[]} */ ([]) };
});

/** Numbers the questions, so that an answer to an old one is dropped. */
let rev = 0;
/** @type {{ rev: number, node: number, doc: Doc } | null} */
let asked = null;
/** @type {{ rev: number, node: number, game: string, others: string[] } | null} */
let askedOther = null;

/** Asks the server about every board that is shown, and keeps the game to its answers. */
export function startRules() {
  effect(() => {
    const now = doc.value;
    const player = algorithm.value;
    if (link.value !== "open") return;
    asked = { rev: ++rev, node: now.at, doc: now };
    send({ t: "look", rev, position: tree.position(now), player: player || null });
  });
  effect(writeResult);
  on("look", (message) => {
    if (askedOther && message.rev === askedOther.rev) return hearOther(askedOther, message);
    if (!asked || message.rev !== asked.rev) return;
    look.value = { ...message, node: asked.node, doc: asked.doc };
    if (doc.peek().at === asked.node) takeBack(message);
  });
}

/** A decided board is written into the document, so that the library and records know. */
function writeResult() {
  const now = look.value;
  const game = doc.value;
  if (!now?.result || now.node !== game.tip || now.doc.id !== game.id || game.end || !mine.peek()) return;
  const { winner: name, ending } = now.result;
  const winner = name === null ? null : name === "white" ? 1 : 0;
  queueMicrotask(() => {
    const then = doc.peek();
    if (then.tip === now.node && then.id === now.doc.id && !then.end) commit({ ...then, end: { winner, ending } });
    spoken.value = endText(now.result ?? null);
  });
}

/** Removes a stone that the rules do not allow. A player's forbidden move loses; a person's is no move. @param {Look} message */
function takeBack(message) {
  const now = doc.peek();
  if (message.bad && now.at > 0) {
    notify(message.bad.text, "error");
    return commit(tree.remove(now, tree.path(now, now.at)[message.bad.played + 1] ?? now.at));
  }
  const mover = now.seats[/** @type {0 | 1} */ (1 - tree.toMove(now))];
  const isLast = tree.children(now, now.at).length === 0;
  if (message.result?.ending === "forbidden" && mover.who === "human" && isLast) {
    notify(t("forbidden.any", { move: (now.nodes[now.at].m ?? "").toUpperCase() }), "error");
    commit(tree.remove(now, now.at));
  }
}

/** Asks others, one after the other, until one explains its evaluation. @param {string[]} players */
export function askOthers([player, ...others]) {
  if (!player) return;
  const now = doc.peek();
  askedOther = { rev: ++rev, node: now.at, game: now.id, others };
  send({ t: "look", rev, position: tree.position(now), player });
}

/** @param {NonNullable<typeof askedOther>} question @param {Look} message */
function hearOther({ node, game, others }, message) {
  if (message.explain?.terms.length) opinion.value = { node, game, explain: message.explain };
  else askOthers(others);
}

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
  const ban = tree.toMove(now) === 0 ? lookHere.peek()?.forbidden.find(([q]) => q === p) : undefined;
  if (ban) {
    notify(t(`forbidden.${ban[1]}`, { move: p.toUpperCase() }), "error");
    return false;
  }
  batch(() => {
    paused.value = false;
    playAt(now.at, p);
  });
  return true;
}

/** How a game ended, in words. @param {{ winner: "black" | "white" | null, ending: string } | null} end */
export function endText(end) {
  if (!end) return "";
  return t(end.winner === null ? "end.draw" : `end.${end.winner}`, { how: t(`ending.${end.ending}`) });
}
