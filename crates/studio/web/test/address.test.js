// The address and the board, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSocket, receive, settled } from "./browser.js";
import { followLanguage } from "../i18n.js";
import * as tree from "../model/tree.js";
import { connect } from "../net.js";
import { followBoard, openHash, showAddress, startAddress } from "../play/address.js";
import { commit, doc, playAt } from "../play/document.js";
import { isNew, startSync } from "../play/sync.js";
import { notices } from "../ui.js";

const moves = () => tree.moves(doc.peek()).join("");

await followLanguage();
startSync();
connect();

test("the position of the address stays when the server's game comes", () => {
  assert.ok(isNew.peek());
  startAddress("#/play?r=renju15");
  assert.ok(!isNew.peek(), "whoever follows a link is shown what it names");
  openSocket({ ...tree.playLine(tree.create({ id: "theirs" }), 0, ["a1"])[0], seq: 90 });
  assert.deepEqual([doc.peek().rule, moves()], ["renju", ""]);
});

test("later the server's game is not replaced by the address of long ago", () => {
  receive({ t: "saved", game: doc.peek().id, seq: doc.peek().seq });
  const [next, at] = tree.playLine(doc.peek(), 0, ["h8", "i9"]);
  openSocket({ ...next, at, tip: at, seq: next.seq + 1 });
  assert.equal(moves(), "h8i9");
});

test("an address shows a node of the game at hand, or says that it names no position", () => {
  const { id } = doc.peek();
  openHash("#/play?r=renju15&m=h8");
  assert.deepEqual([doc.peek().id, moves()], [id, "h8"]);
  openHash("#/play?r=chess8");
  assert.deepEqual([doc.peek().id, moves()], [id, "h8"]);
  assert.equal(notices.peek().length, 1);
  for (const other of ["#/lab?r=renju15", "#/play", ""]) openHash(other);
  assert.deepEqual([moves(), notices.peek().length], ["h8", 1]);
});

test("the address follows the board, but nobody is brought back from another page", async () => {
  location.hash = "#/play";
  followBoard();
  await settled();
  assert.equal(location.hash, "#/play?r=renju15&m=h8");
  playAt(doc.peek().at, "j10");
  await settled();
  assert.equal(location.hash, "#/play?r=renju15&m=h8j10");
  playAt(doc.peek().at, "j11");
  location.hash = "#/lab";
  await settled();
  assert.equal(location.hash, "#/lab");
  commit({ ...doc.peek(), at: 0 });
  await settled();
  assert.equal(location.hash, "#/lab");
  showAddress();
  assert.equal(location.hash, "#/play?r=renju15");
});
