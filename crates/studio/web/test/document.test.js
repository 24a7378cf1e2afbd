// Changes of the game at hand, without a browser.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import "./browser.js";
import { followLanguage } from "../i18n.js";
import * as tree from "../model/tree.js";
import * as game from "../play/document.js";
import { settings } from "../settings.js";
import { notices } from "../ui.js";

/** How each change was to be kept. @type {boolean[]} */
let kept = [];
const HUMAN = /** @type {const} */ ({ who: "human" });
const PLAYER = /** @type {const} */ ({ who: "player", spec: "greedy" });
const moves = () => tree.moves(game.doc.peek()).join("");

await followLanguage();
beforeEach(() => {
  game.newGame({ seats: [HUMAN, HUMAN], clock: null, opening: null, rule: "freestyle", size: 15 });
  kept = [];
  game.keepWith((soon) => kept.push(soon));
});

test("every change has a higher number, knows its length and is kept", () => {
  const { seq } = game.doc.peek();
  game.mine.value = false;
  game.playAt(0, "h8");
  game.show(0);
  game.show(0);
  const now = game.doc.peek();
  assert.deepEqual([now.seq, now.plies, now.at, now.tip], [seq + 2, 1, 0, 1]);
  assert.deepEqual(kept, [false, true], "looking around can wait, and showing what is shown is no change");
  assert.ok(game.mine.peek());
});

test("a move is played where it was asked for, and the board follows only from there", () => {
  game.playAt(0, "h8");
  assert.deepEqual(game.played.peek(), { p: "h8", side: 0, game: game.doc.peek().id });
  game.show(0);
  game.playAt(1, "i9", { n: 7 });
  assert.deepEqual(game.played.peek(), { p: "i9", side: 1, game: game.doc.peek().id });
  assert.equal(game.doc.peek().at, 0);
  assert.equal(game.doc.peek().nodes[game.doc.peek().tip].n, 7);
});

test("undo takes back one move of two people, and two against a player", () => {
  for (const [at, p] of ["h8", "i9", "h9"].entries()) game.playAt(at, p);
  game.undo();
  assert.equal(moves(), "h8i9");
  game.setSeat(1, PLAYER);
  game.undo();
  assert.equal(moves(), "", "Black, a person, is to move again");
  assert.equal(game.doc.peek().nodes.length, 4, "the line stays in the tree");
  assert.ok(!game.paused.peek());
});

test("undo of a game between players pauses it, and undo in an opening begins the opening again", () => {
  game.playAt(0, "h8");
  game.setSeat(0, PLAYER);
  game.setSeat(1, PLAYER);
  game.undo();
  assert.ok(game.paused.peek());
  game.newGame({ opening: { protocol: "swap2", actions: [{ a: "swap" }] } });
  game.playAt(0, "h8");
  game.undo();
  assert.deepEqual(game.doc.peek().opening, { protocol: "swap2", actions: [] });
  assert.equal(game.doc.peek().nodes.length, 1);
});

test("a new game has the same people, rule and full clocks", () => {
  game.newGame({ rule: "renju", size: 13, seats: [PLAYER, HUMAN], clock: { base: 60_000, left: [1, 2], inc: 0 } });
  const before = game.doc.peek();
  game.newGame();
  const now = game.doc.peek();
  assert.notEqual(now.id, before.id);
  assert.deepEqual([now.rule, now.size, now.seats], ["renju", 13, [PLAYER, HUMAN]]);
  assert.deepEqual(now.clock?.left, [60_000, 60_000]);
  assert.deepEqual(now.names, ["greedy", ""], "players are named in the record");
});

test("edits are undone and redone, also across games", () => {
  game.playAt(0, "h8");
  const first = game.doc.peek().id;
  game.edit((now) => tree.annotate(now, 1, { c: "good" }));
  game.edit(() => null);
  game.newGame();
  game.undoEdit();
  assert.equal(game.doc.peek().id, first);
  assert.equal(game.doc.peek().nodes[1].c, "good");
  const { seq } = game.doc.peek();
  game.undoEdit();
  assert.equal(game.doc.peek().nodes[1].c, undefined);
  assert.ok(game.doc.peek().seq > seq, "what was undone is a change too, or another tab would win");
  game.redoEdit();
  assert.equal(game.doc.peek().nodes[1].c, "good");
  game.edit((now) => tree.annotate(now, 1, { c: "better" }));
  game.redoEdit();
  assert.equal(game.doc.peek().nodes[1].c, "better");
  assert.equal(notices.peek().at(-1)?.text, "There is no edit to redo.");
});

test("another algorithm takes over the sides that players have", () => {
  game.setSeat(1, { ...PLAYER, limit: { ms: 5 } });
  game.setAlgorithm("minimax");
  assert.equal(settings.peek().alg, "minimax");
  assert.deepEqual(game.doc.peek().seats, [HUMAN, { who: "player", spec: "minimax", limit: { ms: 5 } }]);
});

test("a game decided away from the board is written as records write it", () => {
  game.playAt(0, "h8");
  game.show(0);
  game.finish({ winner: 0, ending: "time" });
  const now = game.doc.peek();
  assert.deepEqual([now.result, now.at], ["B+T", 1]);
  assert.ok(game.paused.peek());
  assert.equal(game.resultText(1, "five"), "W+");
  assert.equal(game.resultText(null, "draw"), "0");
  game.openDoc(tree.create());
  assert.ok(game.paused.peek(), "nobody plays on in a game that was only opened");
});
