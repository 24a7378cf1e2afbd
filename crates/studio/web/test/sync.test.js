// Keeping the game here and on the server, without either.
import assert from "node:assert/strict";
import { test } from "node:test";
import { loseSocket, openSocket, receive, settled, store, takeSent } from "./browser.js";
import { followLanguage } from "../i18n.js";
import * as tree from "../model/tree.js";
import { connect, link } from "../net.js";
import { adopt, commit, doc, mine, newGame, playAt, show } from "../play/document.js";
import { isNew, startSync, welcome } from "../play/sync.js";
import { notices } from "../ui.js";

const kept = () => JSON.parse(store.get("tengen.game") ?? "null");
const isUnsent = () => store.get("tengen.game.unsent") === "1";
/** The server has everything. */
const saved = () => receive({ t: "saved", game: doc.peek().id, seq: doc.peek().seq });

// A reader who was here before, and whose game the server has not.
store.set("tengen.game", JSON.stringify({ ...tree.playLine(tree.create({ id: "old" }), 0, ["h8"])[0], seq: 4 }));
store.set("tengen.game.unsent", "1");
await followLanguage();
startSync();
connect();

test("the game of last time is shown, and sent as soon as the server is there", () => {
  assert.equal(doc.peek().id, "old");
  assert.ok(!isNew.peek());
  openSocket({ ...tree.playLine(tree.create({ id: "another" }), 0, ["a1"])[0], seq: 90 });
  assert.equal(doc.peek().id, "old", "what the server has not is not lost to another game");
  assert.deepEqual(
    takeSent("doc-put").map((one) => one.doc.seq),
    [4],
  );
});

test("a change is stored here and sent; only the answer to the last one says that it is safe", () => {
  playAt(0, "i9");
  const [{ doc: first }] = takeSent("doc-put");
  assert.deepEqual(kept(), first);
  assert.ok(isUnsent());
  playAt(first.tip, "i10");
  receive({ t: "saved", game: first.id, seq: first.seq });
  assert.ok(isUnsent());
  receive({ t: "saved", game: "another", seq: doc.peek().seq });
  assert.ok(isUnsent());
  receive({ t: "saved", game: first.id, seq: doc.peek().seq });
  assert.ok(!isUnsent());
  playAt(doc.peek().tip, "i11");
  assert.ok(isUnsent());
  receive({ t: "saved", game: first.id, seq: doc.peek().seq });
});

test("looking around is sent a little later, once", async () => {
  takeSent("doc-put");
  show(0);
  show(1);
  assert.deepEqual(takeSent("doc-put"), []);
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.deepEqual(
    takeSent("doc-put").map((one) => one.doc.at),
    [1],
  );
});

test("another tab's change is shown, kept and not sent back, and this tab no longer asks players", () => {
  saved();
  const theirs = { ...doc.peek(), seq: doc.peek().seq + 1, title: "theirs" };
  receive({ t: "doc", doc: theirs, answer: false });
  assert.equal(doc.peek().title, "theirs");
  assert.equal(kept().title, "theirs");
  assert.ok(!mine.peek() && !isUnsent());
  assert.deepEqual(takeSent("doc-put"), []);
});

test("after a loss the newer game stays", () => {
  loseSocket();
  assert.equal(link.peek(), "lost");
  commit({ ...doc.peek(), title: "written offline" });
  assert.deepEqual(takeSent("doc-put"), []);
  openSocket({ ...doc.peek(), seq: doc.peek().seq - 1, title: "before" });
  assert.equal(doc.peek().title, "written offline");
  assert.deepEqual(
    takeSent("doc-put").map((one) => one.doc.title),
    ["written offline"],
  );
  saved();
  openSocket({ ...doc.peek(), seq: doc.peek().seq + 1, title: "newer" });
  assert.equal(doc.peek().title, "newer");
  assert.ok(mine.peek(), "whoever made the last change here goes on asking players");
  openSocket(tree.create({ id: "elsewhere" }));
  assert.equal(doc.peek().id, "elsewhere", "a game that is safe gives way to the current one of the server");
});

test("what is sent names the version it was made from, and is sent again after a loss", () => {
  saved();
  const { id, seq } = doc.peek();
  playAt(doc.peek().tip, "c3");
  playAt(doc.peek().tip, "d4");
  assert.deepEqual(
    takeSent("doc-put").map((one) => [one.doc.seq, one.base]),
    [
      [seq + 1, seq],
      [seq + 2, seq + 1],
    ],
  );
  loseSocket();
  const ours = doc.peek();
  openSocket({ ...ours, seq: seq + 9, nodes: ours.nodes.slice(0, -2), at: 0, tip: 0 });
  assert.deepEqual(
    takeSent("doc-put").map((one) => [one.doc.id, one.doc.seq, one.base]),
    [[id, seq + 2, seq]],
    "nobody said that it had arrived",
  );
  assert.equal(doc.peek(), ours, "the server's newer game does not hide what it has not seen");
  const both = { ...ours, seq: seq + 10, title: "both" };
  receive({ t: "doc", doc: both, answer: true });
  assert.equal(doc.peek().title, "both");
  playAt(doc.peek().tip, "e5");
  assert.deepEqual(
    takeSent("doc-put").map((one) => one.base),
    [seq + 10],
  );
});

test("another tab's change does not undo what is about to be sent, or on its way", () => {
  saved();
  const theirs = { ...doc.peek(), seq: doc.peek().seq + 1, title: "theirs" };
  show(1);
  takeSent("doc-put");
  receive({ t: "doc", doc: theirs, answer: false });
  assert.equal(doc.peek().at, 1);
  assert.equal(takeSent("doc-put").length, 1, "it is sent at once");
  receive({ t: "doc", doc: theirs, answer: false });
  assert.equal(doc.peek().at, 1);
  receive({ t: "doc", doc: { ...theirs, at: 1, seq: theirs.seq + 1 }, answer: true });
  assert.deepEqual([doc.peek().at, doc.peek().title], [1, "theirs"]);
});

test("only a newcomer with an untouched board finds an opponent", async () => {
  newGame({ seats: [{ who: "human" }, { who: "human" }] });
  welcome("engine");
  assert.equal(doc.peek().seats[1].who, "human");
  isNew.value = true;
  playAt(0, "h8");
  welcome("engine");
  assert.equal(doc.peek().seats[1].who, "human");
  assert.ok(!isNew.peek(), "nobody is new twice");
  isNew.value = true;
  newGame();
  welcome("engine");
  assert.deepEqual(doc.peek().seats[1], { who: "player", spec: "engine" });
  isNew.value = true;
  openSocket(doc.peek());
  assert.ok(!isNew.peek(), "the server has a game of the reader");
});

test("what cannot be shown is set aside, and the page starts fresh", async () => {
  const [good] = tree.playLine(tree.create({ id: "good" }), 0, ["h8", "i9"]);
  const broken = [
    { ...good, nodes: [] },
    { ...good, nodes: [{ p: -1 }, { p: 7, m: "h8" }] },
    { ...good, nodes: [{ p: -1 }, { p: 0, m: "z9" }] },
    { ...good, tip: 9 },
    { ...good, seats: null },
    { ...good, setup: { black: ["h99"], white: [] } },
  ].map((one) => JSON.stringify(one));
  for (const text of ['{"v":1,"nodes":', ...broken]) {
    store.set("tengen.game", text);
    adopt(tree.create({ id: "shown" }), true);
    notices.value = [];
    startSync();
    assert.deepEqual([doc.peek().id, store.get("tengen.game")], ["shown", undefined], text);
    assert.equal(store.get("tengen.game.damaged"), text);
    await settled();
    assert.equal(notices.peek().length, 1);
  }
  store.set("tengen.game", JSON.stringify(good));
  startSync();
  assert.equal(doc.peek().id, "good");
  await settled();
});
