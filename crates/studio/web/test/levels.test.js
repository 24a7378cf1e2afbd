// The level that is advised from results.
import assert from "node:assert/strict";
import { test } from "node:test";
import { advised, withResult } from "../model/levels.js";

/** @param {string} text  such as `3+ 4- 4=` @returns {any} */
const results = (text) =>
  text.split(" ").map((one, i) => [`g${i}`, parseInt(one), one.endsWith("+") ? 1 : one.endsWith("-") ? 0 : 0.5]);
const level = (/** @type {string} */ text) => advised(results(text), 1, 10);

test("who wins goes up, who loses goes down, and who wins half of the games stays", () => {
  assert.equal(advised([], 1, 10), null);
  assert.equal(level("3+"), 4);
  assert.equal(level("3-"), 2);
  assert.equal(level("3="), 3);
  assert.equal(level("3+ 3-"), 3);
  assert.equal(level("3+ 3- 3- 3-"), 2);
  assert.equal(level("3+ 4- 3+"), 4, "one loss says little");
  assert.equal(level("4- 4- 3+"), 3, "two say that the next is too hard");
  assert.equal(level("4- 4- 4+ 3+"), 4, "until it was won");
  assert.equal(level("10+"), 10);
  assert.equal(level("1-"), 1);
});

test("a game counts once, and old ones go", () => {
  let all = withResult([], ["a", 3, 1]);
  all = withResult(all, ["a", 3, 0]);
  assert.deepEqual(all, [["a", 3, 1]]);
  for (let i = 0; i < 50; i++) all = withResult(all, [`g${i}`, 2, 1]);
  assert.equal(all.length, 30);
});
