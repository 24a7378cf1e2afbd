// Which level suits a person, from the results of past games; pure.

/** @typedef {[game: string, level: number, score: number]} Result  the score is 1 for a win of the person, 0 for a loss */

/** So many results are kept. */
const KEPT = 30;

/** Adds a result, once for each game. @param {Result[]} before @param {Result} one @returns {Result[]} */
export const withResult = (before, one) =>
  before.some(([game]) => game === one[0]) ? before : [...before, one].slice(-KEPT);

/**
 * One up after a win, unless the next has been lost twice since it was last won; one down after a loss, unless half of
 * the last four at this level were won.
 * @param {Result[]} results
 * @param {number} min
 * @param {number} max
 * @returns {number | null}
 */
export function advised(results, min, max) {
  const last = results.at(-1);
  if (!last) return null;
  const [, level, score] = last;
  const of = (/** @type {number} */ wanted) => results.filter((one) => one[1] === wanted).map((one) => one[2]);
  const isTooHard =
    of(level + 1).length > 1 &&
    !of(level + 1)
      .slice(-2)
      .includes(1);
  const here = of(level).slice(-4);
  const isEven = here.reduce((sum, one) => sum + one, 0) * 2 >= here.length;
  const to = score === 1 && !isTooHard ? level + 1 : score === 0 && !isEven ? level - 1 : level;
  return Math.min(max, Math.max(min, to));
}
