// Searches: who is asked and what becomes of the answers, without a server.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { loseSocket, openSocket, receive, takeSent } from "./browser.js";
import { followLanguage } from "../i18n.js";
import * as tree from "../model/tree.js";
import { connect } from "../net.js";
import { adopt, doc, edit, mine, newGame, paused, playAt, setSeat } from "../play/document.js";
import * as thinking from "../play/thinking.js";
import { choose } from "../settings.js";
import { notices } from "../ui.js";

const HUMAN = /** @type {const} */ ({ who: "human" });
const PLAYER = /** @type {const} */ ({ who: "player", spec: "greedy", limit: { ms: 50 } });
const moves = () => tree.moves(doc.peek()).join("");

/** What a search may answer. @param {{ id: number, rev: number }} asked @param {string[]} stones @param {Partial<import("../types").Best>} [more] */
const best = ({ id, rev }, stones, more) =>
  receive({
    t: "best",
    id,
    rev,
    stones,
    why: "",
    depth: 3,
    e: { v: 5 },
    w: 0.6,
    nodes: 9,
    evals: 7,
    cutoffs: 0,
    ms: 1.4,
    nps: 0,
    cand: [],
    iterations: [],
    stopped: false,
    ...more,
  });

await followLanguage();
thinking.startThinking();
connect();
choose({ alg: "greedy" });
openSocket();
beforeEach(() => {
  thinking.stopAll();
  thinking.searches.value = [];
  newGame({ seats: [HUMAN, HUMAN] });
  takeSent("think");
});

test("a player whose turn it is is asked once, and its move is played", () => {
  setSeat(1, PLAYER);
  assert.deepEqual(takeSent("think"), []);
  playAt(0, "h8");
  const asked = takeSent("think");
  assert.deepEqual(
    asked.map((one) => [one.player, one.limits, one.position.moves]),
    [["greedy", { ms: 50 }, ["h8"]]],
  );
  assert.equal(thinking.state.peek(), "thinking");
  best(asked[0], ["i9"]);
  assert.equal(moves(), "h8i9");
  assert.deepEqual([doc.peek().nodes[2].n, doc.peek().nodes[2].t], [7, 1]);
  assert.equal(doc.peek().nodes[1].a?.w, 0.6, "what it found is kept in the game");
  assert.equal(thinking.state.peek(), "idle");
});

test("a clock is passed on, and a player without a move resigns", () => {
  newGame({ seats: [PLAYER, HUMAN], clock: { base: 1000, left: [900.4, 1000], inc: 20 } });
  const [asked] = takeSent("think");
  assert.deepEqual(asked.limits, { ms: 50, clock: [900, 20] });
  best(asked, []);
  assert.deepEqual(doc.peek().end, { winner: 1, ending: "resign" });
});

test("nobody is asked while the game is paused or another tab has it", () => {
  setSeat(0, PLAYER);
  const [{ id }] = takeSent("think");
  thinking.stopAll();
  assert.deepEqual(takeSent("stop"), [{ t: "stop", id }]);
  best({ id, rev: 0 }, ["h8"], { stopped: true });
  assert.equal(moves(), "", "a move that comes after the stop is not played");
  edit((now) => tree.annotate(now, 0, { c: "waiting" }));
  assert.deepEqual(takeSent("think"), []);
  adopt({ ...doc.peek(), title: "theirs" }, false);
  paused.value = false;
  assert.deepEqual(takeSent("think"), []);
  mine.value = true;
  assert.equal(takeSent("think").length, 1);
});

test("a failed search is said, and pauses the game", () => {
  setSeat(0, PLAYER);
  const [{ id }] = takeSent("think");
  receive({ t: "error", id, code: "crash", detail: "it broke" });
  assert.ok(paused.peek());
  assert.equal(thinking.state.peek(), "failed");
  assert.equal(notices.peek().at(-1)?.text, "it broke");
});

test("a search follows its node when branches go, and ends with it", () => {
  playAt(0, "h8");
  playAt(0, "a1");
  playAt(2, "a2");
  edit((now) => ({ ...now, at: 3, tip: 3 }));
  thinking.hint();
  assert.equal(takeSent("think").length, 1);
  edit((now) => tree.remove(now, 1));
  assert.deepEqual(
    thinking.searches.peek().map((one) => [one.node, one.state]),
    [[2, "thinking"]],
  );
  edit((now) => tree.remove(now, 2));
  assert.equal(thinking.searches.peek()[0].state, "stopping");
  assert.equal(takeSent("stop").length, 1);
});

/** Looks at the board with analysis on, and returns what was asked of the server. */
function analyze() {
  choose({ mode: "analyze", auto: true });
  thinking.analyzing.value = true;
  return takeSent("think").at(-1) ?? assert.fail("nothing was asked");
}

test("a game that gets another name goes on being analyzed, and says so", () => {
  const first = analyze();
  assert.equal(thinking.analysis.peek(), "on");
  adopt({ ...doc.peek(), id: `${doc.peek().id}-copy` }, true);
  const [second] = takeSent("think");
  assert.ok(second && second.id !== first.id, "the search of the old name is not that of the new one");
  assert.equal(thinking.analysis.peek(), "on");
  best(first, ["h8"], { stopped: true });
  assert.equal(thinking.analysis.peek(), "on", "what was stopped says nothing about what runs");
  best(second, ["h8"], { depth: 30 });
  assert.equal(thinking.analysis.peek(), "done");
});

test("an analysis that ends says so, also when the file knew more", () => {
  const a = { by: "greedy", k: "analysis", d: 20, e: { v: 5 }, w: 0.6, evals: 1, nodes: 1, ms: 1, cand: [] };
  edit((now) => tree.annotate(now, 0, { a }));
  const asked = analyze();
  best(asked, ["h8"], { depth: 4 });
  assert.equal(doc.peek().nodes[0].a?.d, 20, "what was seen from further off stays");
  assert.equal(thinking.analysis.peek(), "done");
  thinking.goOn();
  assert.equal(thinking.analysis.peek(), "on");
});

test("what was asked before the connection was lost is asked again after it", () => {
  setSeat(1, PLAYER);
  playAt(0, "h8");
  const [lost] = takeSent("think");
  loseSocket();
  assert.deepEqual(thinking.searches.peek(), [], "nobody will answer");
  connect();
  openSocket();
  const [again] = takeSent("think");
  assert.deepEqual([again.player, again.position.moves], ["greedy", ["h8"]]);
  best(lost, ["a1"]);
  assert.equal(moves(), "h8", "an answer from before is no answer");
  best(again, ["i9"]);
  assert.equal(moves(), "h8i9");
});
