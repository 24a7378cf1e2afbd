// Keeping the game here and on the server, without either.
import assert from "node:assert/strict";
import { test } from "node:test";
import { loseSocket, openSocket, receive, settled, store, takeSent } from "./browser.js";
import * as tree from "../model/tree.js";
import { connect, link } from "../net.js";
import { adopt, commit, doc, mine, newGame, playAt, show } from "../play/document.js";
import { isNew, startSync, welcome } from "../play/sync.js";

const kept = () => JSON.parse(store.get("tengen.game") ?? "null");
const isUnsent = () => store.get("tengen.game.unsent") === "1";

// A reader who was here before, and whose game the server has not.
store.set("tengen.game", JSON.stringify({ ...tree.playLine(tree.create({ id: "old" }), 0, ["h8"])[0], seq: 4 }));
store.set("tengen.game.unsent", "1");
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
  const theirs = { ...doc.peek(), seq: doc.peek().seq + 1, title: "theirs" };
  receive({ t: "doc", doc: theirs });
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
  openSocket({ ...doc.peek(), seq: doc.peek().seq + 1, title: "newer" });
  assert.equal(doc.peek().title, "newer");
  assert.ok(mine.peek(), "whoever made the last change here goes on asking players");
  openSocket(tree.create({ id: "elsewhere" }));
  assert.equal(doc.peek().id, "elsewhere", "a game that is safe gives way to the current one of the server");
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

test("what cannot be read is not there", async () => {
  store.set("tengen.game", '{"v":1,"nodes":');
  adopt(tree.create({ id: "shown" }), true);
  startSync();
  assert.equal(doc.peek().id, "shown");
  await settled();
});
