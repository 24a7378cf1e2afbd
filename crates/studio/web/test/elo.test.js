// One convention for the Elo of one-sided matches.
import assert from "node:assert/strict";
import { test } from "node:test";
import { differenceText, eloPlot, eloText, meetingsOf } from "../model/elo.js";
import { useLocale } from "../model/fmt.js";

useLocale("en", {});

test("whoever won or lost every game has a bound", () => {
  assert.equal(eloText(0.6, 70.4, 69.8), "+70 ± 70");
  assert.equal(eloText(1, 138.5, 20), "≥ +139");
  assert.match(eloText(0, -138.5, 20), /^≤ [−-]13[89]$/);
  assert.equal(differenceText({ score: 1, elo: null, error: null, bound: 277 }), "≥ +277");
  assert.match(differenceText({ score: 0, elo: null, error: null, bound: -277 }), /^≤ [−-]277$/);
  assert.equal(differenceText({ score: 0.5, elo: 0, error: 12, bound: null }), "0 ± 12");
  assert.equal(differenceText({ score: 0.5, elo: null, error: null, bound: null }), "–");
});

test("the curve of a one-sided match is its bound, with a band that has no end", () => {
  const history = [2, 4, 6, 8, 10].map((games) => [games, null, 10 * games, null, null]);
  const [series] = eloPlot({ history }).series;
  assert.deepEqual(series.x, [6, 8, 10], "the first games say nothing");
  assert.deepEqual(series.y, [60, 80, 100]);
  assert.deepEqual(series.band, [
    [60, 80, 100],
    [150, 150, 150],
  ]);
});

test("each meeting is in the table twice, from both sides", () => {
  const met = meetingsOf({ meetings: [[0, 2, 5, 1, 0]] });
  assert.deepEqual(met.get("0-2"), [5, 1, 0]);
  assert.deepEqual(met.get("2-0"), [0, 1, 5]);
  assert.equal(met.get("0-1"), undefined);
});
