// Points of the board as text: column letter from a, row number from 1 at the bottom.

export const LETTERS = "abcdefghijklmnopqrstuv";
export const MIN_SIZE = 5;
export const MAX_SIZE = 22;

/** The point in a column and row, both from 0. @param {number} col @param {number} row */
export function point(col, row) {
  return LETTERS[col] + (row + 1);
}

/** Column of a point. @param {string} p */
export function col(p) {
  return p.charCodeAt(0) - 97;
}

/** Row of a point. @param {string} p */
export function row(p) {
  return Number(p.slice(1)) - 1;
}

/** Whether a text is a point of a board of this side. @param {string} p @param {number} size */
export function isPoint(p, size) {
  return /^[a-v][1-9]\d?$/.test(p) && col(p) < size && row(p) < size;
}

/**
 * Reads moves written one after the other, with or without separators; `null` if that is not what
 * the text holds.
 * @param {string} text
 * @param {number} size
 */
export function readMoves(text, size) {
  const clean = text.toLowerCase().replace(/[\s,;.\-_]+/g, "");
  const found = clean.match(/[a-v]\d{1,2}/g) ?? [];
  return found.join("") === clean && found.every((p) => isPoint(p, size)) ? found : null;
}

/**
 * How a point is shown to people.
 * @param {string} p
 * @param {number} size
 * @param {"letters" | "numbers"} [style]
 */
export function show(p, size, style = "letters") {
  return style === "letters" ? p.toUpperCase() : `${col(p)},${size - 1 - row(p)}`;
}

/** The star points of a board. @param {number} size */
export function stars(size) {
  if (size < 9) return size % 2 ? [point((size - 1) / 2, (size - 1) / 2)] : [];
  const edge = size < 13 ? 2 : 3;
  const places = [edge, size - 1 - edge];
  const corners = places.flatMap((c) => places.map((r) => point(c, r)));
  const middle = (size - 1) / 2;
  return size % 2 ? [...corners, point(middle, middle)] : corners;
}

/**
 * The image of a point under one of the eight symmetries: swap, then mirrors (as the server has it).
 * @param {string} p
 * @param {number} size
 * @param {number} symmetry
 */
export function transform(p, size, symmetry) {
  let [c, r] = [col(p), row(p)];
  if (symmetry & 4) [c, r] = [r, c];
  if (symmetry & 1) c = size - 1 - c;
  if (symmetry & 2) r = size - 1 - r;
  return point(c, r);
}

/** Named symmetries. */
export const SYMMETRIES = { rotate: 6, back: 5, mirror: 1, flip: 2 };
