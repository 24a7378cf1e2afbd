// Many games as one tree: each move once, nothing lost, and only games that begin alike.
import assert from "node:assert/strict";
import { test } from "node:test";
import { alike, join } from "../model/join.js";
import { create, find, isWhole } from "../model/tree.js";

/** @param {string} moves @param {any} [more] */
const game = (moves, more = {}) => ({
  rule: "renju",
  size: 15,
  setup: null,
  nodes: [{ p: -1 }, ...moves.split(" ").map((m, i) => ({ p: i, m }))],
  ...more,
});

test("games share their beginning and go their ways", () => {
  const one = game("h8 i9 j10");
  const two = game("h8 i9 g9 f9");
  two.nodes[2] = { p: 1, m: "i9", c: "indirect" };
  const nodes = join([one, two, one]);
  const doc = create({ rule: "renju", nodes: /** @type {any} */ (nodes) });
  assert.ok(isWhole(doc));
  assert.equal(nodes.length, 6);
  assert.ok(find(doc, ["h8", "i9", "j10"]) > 0 && find(doc, ["h8", "i9", "g9", "f9"]) > 0);
  assert.equal(nodes[find(doc, ["h8", "i9"])].c, "indirect");
  assert.deepEqual(one, game("h8 i9 j10"), "the games themselves stay");
});

test("only games that begin with the same stones under the same rule become one", () => {
  const set = { black: ["h8"], white: [], side: 1 };
  const all = [
    game("h8"),
    game("h8", { rule: "freestyle" }),
    game("a1", { setup: set }),
    game("i9"),
    game("h8", { size: 19 }),
  ];
  assert.deepEqual(alike(all), [all[0], all[3]]);
});

test("a large collection takes no time", () => {
  const many = Array.from({ length: 2000 }, (_, i) =>
    game(Array.from({ length: 40 }, (_, k) => `${"abcdefgh"[(i >> (k % 3)) % 8]}${k < 15 ? k + 1 : 15}`).join(" ")),
  );
  const begun = Date.now();
  assert.ok(join(many).length > 1000);
  assert.ok(Date.now() - begun < 3000);
});
