import assert from "node:assert/strict";
import { test } from "node:test";
import { numbered, sums } from "../model/lines.js";

test("lines have their place for a number, their cells and their worth to both sides", () => {
  const lines = numbered(
    [
      ["a1a2a3a4a5", 200, 0],
      ["a1b2c3d4e5", 177.6, 58.7],
      ["k11l12m13n14o15", 0.1, 400],
    ],
    15,
  );
  assert.deepEqual(lines[2], { n: 2, cells: ["k11", "l12", "m13", "n14", "o15"], black: 0.1, white: 400 });
  assert.deepEqual(sums(lines), { black: 377.7, white: 458.7, max: 458.7 });
  assert.deepEqual(sums([]), { black: 0, white: 0, max: 0 });
});
