// What is kept of the puzzles that a person has solved, and which comes next; pure.

/** @typedef {{ id: string, theme: string, goal: "win" | "hold", level: number, plies: number, rule: string, size: number, keys: string[], setup: string }} Puzzle */
/**
 * Solved puzzles with 2 for those solved at once and 1 for the others; how many were solved at once in a row, now and
 * at most; the last day whose puzzle was solved, and how many days in a row there were.
 * @typedef {{ solved: Record<string, 1 | 2>, row: number, best: number, day: string, days: number }} Progress
 */

/** From the easiest on. */
export const THEMES = ["first", "four-three", "vcf", "vct", "defense", "trap"];

/** Reads what was kept, whatever it is. @param {any} kept @returns {Progress} */
export function progressOf(kept) {
  const number = (/** @type {unknown} */ one) => (Number.isSafeInteger(one) ? Number(one) : 0);
  const solved = Object.entries(kept?.solved ?? {}).filter(([, how]) => how === 1 || how === 2);
  return {
    solved: /** @type {Progress["solved"]} */ (Object.fromEntries(solved)),
    row: number(kept?.row),
    best: number(kept?.best),
    day: typeof kept?.day === "string" ? kept.day : "",
    days: number(kept?.days),
  };
}

/** The day of a moment, where the reader is. @param {Date} [now] */
export function dayOf(now = new Date()) {
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** @param {string} day */
const dayAfter = (day) => dayOf(new Date(Date.parse(`${day}T12:00`) + 86_400_000));

/** How many days in a row there are, as long as none was missed. @param {Progress} progress @param {string} [today] */
export const streak = ({ day, days }, today = dayOf()) => (day === today || dayAfter(day) === today ? days : 0);

/** The puzzle of a day: for everybody the same, neither trivial nor hard. @param {readonly Puzzle[]} all @param {string} day */
export function daily(all, day) {
  const fit = all.filter((one) => one.theme !== "first" && one.level >= 2 && one.level <= 6);
  let hash = 2166136261;
  for (const letter of day) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507) >>> 0;
  return fit[hash % fit.length];
}

/**
 * A puzzle has been solved: at once, or after a wrong move or a hint.
 * @param {Progress} before
 * @param {string} id
 * @param {boolean} atOnce
 * @param {string} [day]  the day whose puzzle it is
 * @returns {Progress}
 */
export function solve(before, id, atOnce, day = "") {
  const isNew = !(id in before.solved);
  const row = isNew && atOnce ? before.row + 1 : before.row;
  const how = atOnce || before.solved[id] === 2 ? 2 : 1;
  const isNextDay = day !== "" && day !== before.day;
  const follows = isNextDay && dayAfter(before.day) === day;
  return {
    solved: { ...before.solved, [id]: how },
    row,
    best: Math.max(row, before.best),
    day: isNextDay ? day : before.day,
    days: isNextDay ? (follows ? before.days + 1 : 1) : before.days,
  };
}

/** A wrong move, or help, ends the row. @param {Progress} before @returns {Progress} */
export const fail = (before) => (before.row ? { ...before, row: 0 } : before);

/**
 * The next that is not solved; the next at all, if all are.
 * @param {readonly Puzzle[]} list
 * @param {number} at
 * @param {Progress} progress
 */
export function nextOf(list, at, progress) {
  for (let step = 1; step <= list.length; step++) {
    const i = (at + step) % list.length;
    if (!(list[i].id in progress.solved)) return i;
  }
  return list.length ? (at + 1) % list.length : 0;
}
