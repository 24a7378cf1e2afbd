// The five-cell lines of Xie's static table: each has a number, and a worth to either side.

import { readMoves } from "./coords.js";

/** @typedef {{ n: number, cells: string[], black: number, white: number }} NumberedLine */

/** The lines as the server lists them, by number. @param {[string, number, number][]} lines @param {number} size @returns {NumberedLine[]} */
export const numbered = (lines, size) =>
  lines.map(([text, black, white], n) => ({ n, cells: readMoves(text, size) ?? [], black, white }));

/** What lines are worth together, to each side and the larger of the two. @param {NumberedLine[]} lines */
export function sums(lines) {
  const of = (/** @type {"black" | "white"} */ side) =>
    Math.round(lines.reduce((sum, one) => sum + one[side], 0) * 10) / 10;
  return { black: of("black"), white: of("white"), max: Math.max(of("black"), of("white")) };
}
