// What is kept of solved puzzles: rows, days, the puzzle of a day, and which comes next.
import assert from "node:assert/strict";
import { test } from "node:test";
import { daily, dayOf, fail, nextOf, progressOf, solve, streak } from "../model/puzzles.js";

const NONE = progressOf(null);
/** @param {string} id @param {string} theme @param {number} level @returns {any} */
const puzzle = (id, theme = "vcf", level = 3) => ({ id, theme, level });

test("what is solved at once counts in a row until something is missed", () => {
  let now = solve(solve(NONE, "a", true), "b", true);
  assert.deepEqual([now.row, now.best, now.solved], [2, 2, { a: 2, b: 2 }]);
  now = solve(now, "b", true);
  assert.equal(now.row, 2, "the same puzzle counts once");
  now = solve(fail(now), "c", false);
  assert.deepEqual([now.row, now.best, now.solved.c], [0, 2, 1]);
  assert.equal(solve(now, "c", true).solved.c, 2, "a second try may be better");
  assert.equal(solve(now, "a", false).solved.a, 2, "and takes nothing away");
  assert.equal(fail(fail(now)), fail(now));
});

test("days in a row are counted once a day, over the ends of months, and begin anew after a gap", () => {
  let now = solve(NONE, "a", true, "2026-02-28");
  now = solve(now, "a", true, "2026-02-28");
  assert.equal(now.days, 1);
  now = solve(now, "b", false, "2026-03-01");
  assert.deepEqual([now.days, now.day], [2, "2026-03-01"]);
  now = solve(now, "c", true);
  assert.equal(now.days, 2, "other puzzles are of no day");
  assert.equal(solve(now, "d", true, "2026-03-03").days, 1);
  assert.equal(dayOf(new Date(2026, 0, 5, 23, 59)), "2026-01-05");
});

test("a day has one puzzle, neither of the first steps nor hard, and days differ", () => {
  const all = [puzzle("x", "first", 1), puzzle("y", "vct", 9), ...[..."abcdefghij"].map((id) => puzzle(id))];
  const days = Array.from({ length: 60 }, (_, i) => dayOf(new Date(2026, 0, 1 + i)));
  const of = days.map((day) => daily(all, day).id);
  assert.equal(daily(all, days[7]).id, of[7]);
  assert.ok(!of.includes("x") && !of.includes("y"));
  assert.ok(new Set(of).size >= 8, String(new Set(of).size));
});

test("the next is the next that is not solved", () => {
  const list = [..."abcd"].map((id) => puzzle(id));
  const some = solve(solve(NONE, "b", true), "d", false);
  assert.equal(nextOf(list, 0, some), 2);
  assert.equal(nextOf(list, 2, some), 0);
  const all = list.reduce((now, one) => solve(now, one.id, true), NONE);
  assert.equal(nextOf(list, 3, all), 0);
  assert.equal(nextOf([], 0, all), 0);
});

test("whatever was kept is read", () => {
  assert.deepEqual(progressOf({ solved: { a: 2, b: 7, c: "x" }, row: "3", best: 4, day: 5, days: -1.5 }), {
    solved: { a: 2 },
    row: 0,
    best: 4,
    day: "",
    days: 0,
  });
  for (const nonsense of [null, 3, "x", [], { solved: 3 }]) assert.deepEqual(progressOf(nonsense), NONE);
});

test("days in a row end with the first that is missed", () => {
  const now = { ...NONE, day: "2026-02-28", days: 4 };
  assert.deepEqual(
    ["2026-02-28", "2026-03-01", "2026-03-02", "2026-02-27"].map((today) => streak(now, today)),
    [4, 4, 0, 0],
  );
  assert.equal(streak(NONE, "2026-03-01"), 0);
});
