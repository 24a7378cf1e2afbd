// The page's pure modules, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isPoint, readMoves, show, stars, transform } from "../model/coords.js";
import * as fmt from "../model/fmt.js";
import { docOf, hashOf, parseHash } from "../model/share.js";
import { format, parse } from "../model/spec.js";
import { lanes } from "../model/lanes.js";
import * as tree from "../model/tree.js";

/** @param {string} text */
const game = (text, given = {}) => {
  const [doc, at] = tree.playLine(tree.create(given), 0, readMoves(text, 15) ?? []);
  return { ...doc, at, tip: at };
};

test("points are letters and numbers from the bottom left", () => {
  assert.deepEqual(readMoves("H8 i9,g10", 15), ["h8", "i9", "g10"]);
  assert.equal(readMoves("h8x", 15), null);
  assert.equal(readMoves("h16", 15), null);
  assert.ok(isPoint("o15", 15) && !isPoint("p1", 15) && !isPoint("a0", 15) && isPoint("v22", 22));
  assert.equal(show("h8", 15), "H8");
  assert.equal(show("a15", 15, "numbers"), "0,0");
  assert.deepEqual(stars(15).sort(), ["d12", "d4", "h8", "l12", "l4"]);
});

test("eight symmetries, each a permutation, and turning four times is nothing", () => {
  for (let symmetry = 0; symmetry < 8; symmetry++) {
    const images = new Set();
    for (let c = 0; c < 5; c++) for (let r = 1; r <= 5; r++) images.add(transform("abcde"[c] + r, 5, symmetry));
    assert.equal(images.size, 25);
  }
  let p = "b5";
  for (let i = 0; i < 4; i++) p = transform(p, 15, 6);
  assert.equal(p, "b5");
  assert.notEqual(transform("b5", 15, 6), "b5");
});

test("another move makes a variation and loses nothing", () => {
  let doc = game("h8i9h9");
  const [next, at] = tree.play(doc, tree.find(doc, ["h8"]), "j10");
  doc = next;
  assert.deepEqual(tree.moves(doc, at), ["h8", "j10"]);
  assert.deepEqual(tree.moves(doc), ["h8", "i9", "h9"]);
  assert.deepEqual(tree.line(doc, 0).length, 4);
  const [same, again] = tree.play(doc, tree.find(doc, ["h8"]), "j10");
  assert.equal(same, doc);
  assert.equal(again, at);
});

test("a branch can be promoted and deleted", () => {
  const before = game("h8i9h9");
  const [doc, side] = tree.playLine(before, tree.find(before, ["h8"]), ["j10", "j11"]);
  const promoted = tree.promote(doc, side);
  assert.deepEqual(tree.moves(promoted, tree.line(promoted, 0).at(-1)), ["h8", "j10", "j11"]);
  assert.deepEqual(tree.moves(promoted), ["h8", "i9", "h9"], "the node shown stays");
  const cut = tree.remove(promoted, tree.find(promoted, ["h8", "j10"]));
  assert.equal(cut.nodes.length, 4);
  assert.deepEqual(tree.moves(cut), ["h8", "i9", "h9"]);
  const gone = tree.remove(cut, tree.find(cut, ["h8", "i9"]));
  assert.deepEqual(tree.moves(gone), ["h8"], "the node shown was deleted, so its parent is shown");
});

test("walking follows siblings, forks and ends", () => {
  const before = game("h8i9h9i10");
  const [doc] = tree.playLine(before, tree.find(before, ["h8"]), ["j10", "j11"]);
  const at = (/** @type {string[]} */ list) => tree.find(doc, list);
  assert.equal(tree.go(doc, at(["h8", "i9"]), "down"), at(["h8", "j10"]));
  assert.equal(tree.go(doc, at(["h8", "j10"]), "down"), at(["h8", "i9"]));
  assert.equal(tree.go(doc, at(["h8", "i9", "h9"]), "fork-prev"), at(["h8"]));
  assert.equal(tree.go(doc, 0, "fork-next"), at(["h8"]));
  assert.equal(tree.go(doc, 0, "end"), at(["h8", "i9", "h9", "i10"]));
  assert.equal(tree.go(doc, at(["h8", "i9", "h9", "i10"]), "back10"), 0);
  assert.equal(tree.go(doc, 0, "prev"), 0);
});

test("turning a game turns stones, labels and set-up", () => {
  const doc = tree.annotate(game("a1b1", { setup: { black: ["c1"], white: [], side: 1 } }), 1, { x: [["a1", "A"]] });
  const turned = tree.transform(doc, 1);
  assert.deepEqual(tree.moves(turned), ["o1", "n1"]);
  assert.deepEqual(turned.setup?.black, ["m1"]);
  assert.deepEqual(turned.nodes[1].x, [["o1", "A"]]);
  assert.equal(tree.shift(doc, -1, 0), null);
  assert.deepEqual(tree.moves(/** @type {any} */ (tree.shift(doc, 1, 2))), ["b3", "c3"]);
});

test("whose turn it is follows the set-up", () => {
  assert.equal(tree.toMove(game("h8")), 1);
  const doc = game("h8", { setup: { black: [], white: [], side: 1 } });
  assert.equal(tree.toMove(doc), 0);
  assert.equal(tree.stones(doc).get("h8")?.color, 1);
});

test("an address means the same game, or a node of the one at hand", () => {
  const doc = game("h8i9h9", { rule: "renju" });
  const { page, values } = parseHash(hashOf(doc));
  assert.equal(page, "play");
  const rules = ["freestyle", "renju", "caro-exact"];
  assert.equal(docOf(values, doc, rules), doc);
  const back = docOf(parseHash("#/play?r=renju15&m=h8").values, doc, rules);
  assert.equal(back?.nodes, doc.nodes);
  assert.deepEqual(tree.moves(/** @type {any} */ (back)), ["h8"]);
  const other = docOf(parseHash("#/play?r=caro-exact19&m=a1b2").values, doc, rules);
  assert.equal(other?.size, 19);
  assert.equal(other?.rule, "caro-exact");
  for (const bad of ["r=renju99", "r=chess15", "r=renju15&m=zz", ""])
    assert.equal(docOf(new URLSearchParams(bad), doc, rules), null);
  const set = { ...tree.create(), setup: { black: ["h8"], white: ["i9", "a1"], side: /** @type {const} */ (1) } };
  assert.deepEqual(docOf(parseHash(hashOf(set)).values, doc, rules)?.setup, set.setup);
});

test("specs are taken apart and put together", () => {
  const text = "alpha-beta(depth=6, moves=near(1)|top(12), table=on)";
  assert.deepEqual(parse(text), { name: "alpha-beta", args: { depth: "6", moves: "near(1)|top(12)", table: "on" } });
  assert.deepEqual(parse("greedy"), { name: "greedy", args: {} });
  /** @type {any} */
  const info = {
    name: "alpha-beta",
    params: [
      { name: "depth", kind: "integer", default: 3 },
      { name: "moves", kind: "component", default: "near(1)" },
      { name: "table", kind: "switch", default: false },
    ],
  };
  assert.equal(format(info, parse(text).args), text);
  assert.equal(format(info, { depth: "3", table: "off" }), "alpha-beta");
});

test("numbers are shown as people read them", () => {
  assert.equal(fmt.count(9999), "9999");
  assert.equal(fmt.count(2_410_000), "2.4\u2009M");
  assert.equal(fmt.score({ v: 184 }), "+184");
  assert.equal(fmt.score({ v: 184 }, true), "−184");
  assert.deepEqual(fmt.claim({ win: 7 }, 1), { winner: 1, n: 7 });
  assert.deepEqual(fmt.claim({ loss: 6 }, 1), { winner: 0, n: 6 });
  assert.equal(fmt.claim({ v: 3 }, 0), null);
  assert.equal(fmt.score(null), "–");
  assert.equal(fmt.clock(65_000), "1:05");
  assert.equal(fmt.percent(0.631), "63.1%");
});

test("in the picture of a tree every node has a place of its own, and variations go below", () => {
  let doc = tree.create();
  const ids = [0];
  for (const line of [
    ["h8", "i9", "h9", "h7"],
    ["h8", "i9", "g9", "g8"],
    ["h8", "h9"],
    ["h8", "i9", "h9", "i7", "j7"],
  ]) {
    let at = 0;
    for (const m of line) [doc, at] = tree.play(doc, at, m);
    ids.push(at);
  }
  const places = lanes(doc);
  assert.equal(new Set(places.map((one) => `${one.x}/${one.y}`)).size, doc.nodes.length);
  assert.deepEqual(
    tree.line(doc, 0).map((id) => places[id].y),
    [0, 0, 0, 0, 0],
    "the main line is straight",
  );
  for (let id = 1; id < doc.nodes.length; id++) {
    assert.equal(places[id].x, tree.depth(doc, id));
    assert.ok(places[id].y >= places[doc.nodes[id].p].y);
  }
});

test("signs and arrows turn with the board", () => {
  const doc = tree.annotate(game("h8i9"), 2, { x: [["a1", "△"]], y: [["a1", "c1", "arrow"]] });
  const there = tree.transform(doc, 6);
  assert.deepEqual(there.nodes[2].y, [[transform("a1", 15, 6), transform("c1", 15, 6), "arrow"]]);
  const back = [0, 1, 2].reduce((now) => tree.transform(now, 6), there);
  assert.deepEqual(back.nodes[2], doc.nodes[2]);
});
