// Differences of strength as people read them: one convention for matches, ratings and tournaments.

import { signed } from "./fmt.js";

/**
 * A rating: `+118 ± 41`, or a bound where a player has won or lost every game.
 * @param {number} score  points per game, 0 to 1
 * @param {number} elo
 * @param {number} error
 */
export const eloText = (score, elo, error) =>
  score === 0 || score === 1 ? bound(score, elo) : `${signed(Math.round(elo))} ± ${Math.round(error)}`;

/**
 * The difference that a match suggests, as the server estimates it.
 * @param {{ score: number, elo: number | null, error: number | null, bound: number | null }} e
 */
export const differenceText = (e) =>
  e.bound !== null
    ? bound(e.score, e.bound)
    : e.elo === null || e.error === null
      ? "–"
      : `${signed(Math.round(e.elo))} ± ${Math.round(e.error)}`;

/** @param {number} score @param {number} elo */
const bound = (score, elo) => `${score < 0.5 ? "≤" : "≥"} ${signed(Math.round(elo))}`;

/**
 * Wins, draws and losses of each player against each other, by `row-column`.
 * @param {{ meetings?: any[][] }} run
 */
export function meetingsOf({ meetings = [] }) {
  /** @type {Map<string, number[]>} */
  const all = new Map();
  for (const [a, b, wins, draws, losses] of meetings) {
    all.set(`${a}-${b}`, [wins, draws, losses]);
    all.set(`${b}-${a}`, [losses, draws, wins]);
  }
  return all;
}

/**
 * Elo over the games. Where every game was won the curve is the bound, and the band has no end.
 * @param {{ history?: (number | null)[][] }} run
 * @returns {import("../pages/chart.js").Plot}
 */
export function eloPlot(run) {
  const all = /** @type {(number | null)[][]} */ (run.history ?? []);
  const isBound = (/** @type {(number | null)[]} */ one) => one[1] === null;
  const width = (/** @type {(number | null)[]} */ one) => (one[3] ?? 0) - (one[2] ?? 0);
  // The first games say next to nothing, and would flatten what the others say.
  const told = all.filter((one) => (isBound(one) ? (one[0] ?? 0) >= 6 : width(one) < 500));
  const steps = told.length > 1 ? told : all;
  const y = steps.map((one) => one[1] ?? one[2] ?? one[3]);
  const ends = steps.flatMap((one) => [one[2], one[3]]).filter((end) => end !== null && end !== undefined);
  const [low, high] = [Math.min(0, .../** @type {number[]} */ (ends)), Math.max(0, .../** @type {number[]} */ (ends))];
  return {
    series: [
      {
        name: "Elo",
        color: "--accent",
        x: steps.map((one) => one[0] ?? 0),
        y,
        band: [
          steps.map((one) => one[2] ?? (one[3] === null ? null : low - 50)),
          steps.map((one) => one[3] ?? (one[2] === null ? null : high + 50)),
        ],
      },
    ],
    lines: [{ y: 0, color: "--line" }],
    min: undefined,
  };
}
