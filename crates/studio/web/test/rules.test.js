// What the server says about the board and what follows from it, without a server.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { answerLook, openSocket, receive, settled, takeSent } from "./browser.js";
import { followLanguage } from "../i18n.js";
import * as tree from "../model/tree.js";
import { connect } from "../net.js";
import { doc, mine, newGame, paused, playAt, setSeat } from "../play/document.js";
import { askOthers, endText, look, opinion, playHere, result, startRules } from "../play/rules.js";
import { choose } from "../settings.js";
import { notices, spoken } from "../ui.js";

const HUMAN = /** @type {const} */ ({ who: "human" });
const moves = () => tree.moves(doc.peek()).join("");
const said = () => notices.peek().at(-1)?.text;

await followLanguage();
startRules();
connect();
choose({ alg: "greedy" });
openSocket();
beforeEach(() => {
  newGame({ seats: [HUMAN, HUMAN], rule: "renju" });
});

test("every board is asked about, and an answer to an old question is dropped", () => {
  takeSent("look");
  playAt(0, "h8");
  const [first] = takeSent("look");
  assert.deepEqual(first.position, { rule: "renju", size: 15, setup: null, moves: ["h8"] });
  assert.equal(first.player, "greedy");
  playAt(1, "i9");
  receive({ t: "look", rev: first.rev, forbidden: [["a1", "overline"]] });
  assert.notEqual(look.peek()?.node, 2);
  answerLook({ forbidden: [["a2", "overline"]] });
  assert.deepEqual([look.peek()?.node, look.peek()?.forbidden], [2, [["a2", "overline"]]]);
});

test("a person cannot play a forbidden point, an occupied one, or after the end", async () => {
  answerLook({ forbidden: [["h8", "double-three"]] });
  assert.ok(!playHere("h8"));
  assert.match(said() ?? "", /H8.*double three/);
  paused.value = true;
  assert.ok(playHere("h9"));
  assert.ok(!paused.peek(), "a stone of a person lets the game go on");
  assert.ok(!playHere("h9"));
  answerLook({ forbidden: [["h8", "double-three"]] });
  assert.ok(playHere("h8"), "what is forbidden to Black White may play");
  answerLook({ result: { winner: "white", ending: "five", line: [] } });
  assert.ok(!playHere("a1"));
  assert.equal(said(), "The game is over.");
  assert.equal(moves(), "h9h8");
  await settled();
});

test("only the server says that a game is over", () => {
  for (const p of ["h8", "a1", "i8", "b1", "j8", "c1", "k8", "d1", "l8"]) assert.ok(playHere(p), p);
  answerLook({});
  assert.equal(result.peek(), null, "five in a row is no end by itself");
  assert.ok(playHere("e1"));
});

test("a stone that the server cannot play is taken back with what follows", () => {
  for (const [at, p] of ["h8", "i9", "h9"].entries()) playAt(at, p);
  answerLook({ bad: { played: 1, text: "i9 is not possible" } });
  assert.equal(moves(), "h8");
  assert.equal(said(), "i9 is not possible");
});

test("a person's forbidden move is no move; a player's loses", async () => {
  playAt(0, "h8");
  answerLook({ result: { winner: "white", ending: "forbidden", line: [] } });
  assert.equal(moves(), "");
  await settled();
  assert.ok(!doc.peek().end);
  setSeat(0, { who: "player", spec: "greedy" });
  playAt(0, "h9");
  answerLook({ result: { winner: "white", ending: "forbidden", line: [] } });
  assert.equal(moves(), "h9");
  await settled();
  assert.deepEqual(doc.peek().end, { winner: 1, ending: "forbidden" });
});

test("a decided board is written into the game and said, by the tab that made the last change", async () => {
  playAt(0, "h8");
  answerLook({ result: { winner: "black", ending: "five", line: ["h8"] } });
  assert.deepEqual(result.peek()?.line, ["h8"]);
  await settled();
  assert.deepEqual([doc.peek().end, doc.peek().result], [{ winner: 0, ending: "five" }, "B+"]);
  assert.equal(spoken.peek(), "Black wins: five in a row");

  newGame();
  playAt(0, "h8");
  mine.value = false;
  answerLook({ result: { winner: null, ending: "draw", line: [] } });
  await settled();
  assert.equal(doc.peek().end ?? null, null);
});

test("a game decided elsewhere is over at its last move only", () => {
  playAt(0, "h8");
  newGame({ ...doc.peek(), id: "kept", end: { winner: 1, ending: "resign" } });
  assert.deepEqual(result.peek(), { winner: "white", ending: "resign", line: [] });
  assert.equal(endText(result.peek()), "White wins: resignation");
  newGame({ ...doc.peek(), id: "kept-2", at: 0 });
  assert.equal(result.peek(), null);
});

test("others are asked one after the other until one explains itself", () => {
  answerLook();
  askOthers(["mute", "clear", "unasked"]);
  const [first] = takeSent("look");
  assert.equal(first.player, "mute");
  receive({ t: "look", rev: first.rev, forbidden: [] });
  const [second] = takeSent("look");
  assert.equal(second.player, "clear");
  const explain = /** @type {any} */ ({ player: "clear", terms: [{ name: "five" }] });
  receive({ t: "look", rev: second.rev, forbidden: [], explain });
  assert.deepEqual(opinion.peek(), { node: 0, game: doc.peek().id, explain });
  assert.deepEqual(takeSent("look"), []);
  assert.notDeepEqual(look.peek()?.explain, explain, "the chosen player's own answer stays");
});
