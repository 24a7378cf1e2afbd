// The picture of the board, read from its display list.
import assert from "node:assert/strict";
import { test } from "node:test";
import { logTicks, range, ticks } from "../pages/chart.js";
import * as display from "../model/display.js";
import { rows } from "../model/tree.js";

/** @returns {import("../types").View} */
const view = (more = {}) => ({
  size: 15,
  coords: "letters",
  stones: new Map(),
  numbers: "all",
  last: null,
  win: [],
  forbidden: [],
  ...more,
});

/** @param {string} m @param {number | null} p @param {number} w @returns {import("../types").Candidate} */
const candidate = (m, p, w, e = {}) => ({ m, p, e: { v: 1, ...e }, w, d: 1, n: 1, pv: [m] });

test("a board has its lines, stars and coordinates", () => {
  const list = display.backdrop(view());
  assert.equal(list.filter((one) => one.k === "line").length, 30);
  assert.equal(list.filter((one) => one.k === "disc").length, 5);
  assert.equal(list.filter((one) => one.k === "text").length, 30);
  assert.equal(display.backdrop(view({ coords: "none" })).filter((one) => one.k === "text").length, 0);
});

test("the nearest point of a place is the point that was placed there", () => {
  for (const size of [5, 15, 22]) {
    const now = view({ size });
    for (const p of ["a1", "c4", "e5"]) {
      const [x, y] = display.place(now, p);
      assert.equal(display.nearest(now, x + 0.4, y - 0.4), p);
    }
    assert.equal(display.nearest(now, 0.2, 0.2), null);
  }
});

test("the last stone's number is red and the winning line is struck", () => {
  const stones = new Map([
    ["h8", { color: /** @type {const} */ (0), n: 1 }],
    ["i9", { color: /** @type {const} */ (1), n: 2 }],
  ]);
  const list = display.stones(view({ stones, last: "i9", win: ["h8", "i9"] }));
  assert.deepEqual(
    list.filter((one) => one.k === "text").map((one) => [one.text, one.color]),
    [
      ["1", "on-black"],
      ["2", "last"],
    ],
  );
  assert.equal(list.filter((one) => one.k === "line").length, 1);
  assert.equal(
    display.stones(view({ stones, last: "i9", numbers: "none" })).filter((one) => one.k === "text").length,
    0,
  );
});

test("dots grow with probability; the best is red, ringed and largest", () => {
  const list = display.candidateDots(
    view(),
    [candidate("h8", 0.2, 0.6), candidate("h9", 0.9, 0.5), candidate("h10", 0.1, 0.4, { v: undefined, loss: 4 })],
    10,
  );
  const discs = list.filter((one) => one.k === "disc");
  assert.equal(discs[0].fill, "best");
  assert.ok(discs.some((one) => one.stroke === "ring"));
  const [best, second, lost] = discs.filter((one) => one.fill);
  assert.ok(best.r >= 0.36 && second.fill === "cand" && second.r > lost.r);
  assert.equal(lost.fill, "wood-flat");
  assert.equal(
    display
      .candidateDots(view(), [candidate("h8", 1, 1), candidate("h9", 1, 1)], 1)
      .filter((one) => one.k === "disc" && one.fill).length,
    1,
  );
});

test("shares come from probabilities, or else from values and sum to one", () => {
  assert.deepEqual(display.weights([candidate("a1", 0.5, 0), candidate("b1", 0.25, 1)]), [0.5, 0.25]);
  const shares = display.weights([candidate("a1", null, 0.9), candidate("b1", null, 0.5)]);
  assert.ok(shares[0] > shares[1] && Math.abs(shares[0] + shares[1] - 1) < 1e-9);
});

test("the static table shows the larger of both sides, or one", () => {
  /** @type {[string, number, number][]} */
  const points = [
    ["h8", 4012, 12],
    ["a1", 0, 0],
    ["b2", 3, 7],
  ];
  const texts = (/** @type {any} */ side) =>
    display
      .staticValues(view(), points, side)
      .filter((one) => one.k === "text")
      .map((one) => one.text);
  assert.deepEqual(texts("max"), ["4012", "7"]);
  assert.deepEqual(texts("white"), ["12", "7"]);
});

test("a line ahead is numbered from one and alternates", () => {
  const list = display.preview(view(), ["h8", "h9", "h10"], 1);
  assert.deepEqual(
    list.filter((one) => one.k === "stone").map((one) => one.color),
    [1, 0, 1],
  );
  assert.deepEqual(
    list.filter((one) => one.k === "text").map((one) => one.text),
    ["1", "2", "3"],
  );
});

test("axes have round numbers", () => {
  assert.deepEqual(ticks(0, 1, 5), [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
  assert.deepEqual(logTicks(5, 20_000), [10, 100, 1000, 10_000]);
  assert.deepEqual(range({ series: [{ name: "", color: "", y: [3, null, 3] }] }), [2, 4]);
});

test("the tree is shown as lines with their variations after the move they replace", () => {
  /** @type {any} */
  const doc = {
    nodes: [{ p: -1 }, { p: 0, m: "h8" }, { p: 1, m: "i9" }, { p: 2, m: "h9" }, { p: 1, m: "j10" }, { p: 4, m: "j11" }],
  };
  assert.deepEqual(rows(doc), [
    { depth: 0, ids: [1, 2] },
    { depth: 1, ids: [4, 5] },
    { depth: 0, ids: [3] },
  ]);
});

test("an arrow has a head at its end, a line has none, and what goes nowhere is not drawn", () => {
  const arrow = display.arrows(view(), [["c3", "c8", "arrow"]]);
  const head = arrow.find((one) => one.k === "poly");
  assert.deepEqual(head?.points[0], display.place(view(), "c8"));
  assert.deepEqual(
    display.arrows(view(), [["c3", "f6", "line"]]).map((one) => one.k),
    ["line"],
  );
  assert.deepEqual(display.arrows(view(), [["c3", "c3", "arrow"]]), []);
});
