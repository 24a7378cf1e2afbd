// Numbers as people read them.

/** @typedef {import("../types").Score} Score */

/** A count with K, M or G. @param {number} n */
export function count(n) {
  if (n < 10_000) return String(Math.round(n));
  const [unit, name] = n < 1e6 ? [1e3, "K"] : n < 1e9 ? [1e6, "M"] : [1e9, "G"];
  const scaled = n / unit;
  return (scaled < 100 ? scaled.toFixed(1) : scaled.toFixed(0)) + "\u2009" + name;
}

/** Milliseconds as a time. @param {number} ms */
export function time(ms) {
  if (ms < 1) return ms > 0 ? "< 1 ms" : "0 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return clock(ms);
}

/** Milliseconds as a clock shows them. @param {number} ms */
export function clock(ms) {
  const left = Math.max(0, ms);
  if (left < 10_000) return (Math.ceil(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** The same score from the other side. @param {Score} e @returns {Score} */
export function negate(e) {
  if (e.win !== undefined) return { loss: e.win };
  if (e.loss !== undefined) return { win: e.loss };
  return { v: e.v ? -e.v : 0 };
}

/** A score from a point of view: `flip` turns it around. A claimed win is no proof, so it has no #. @param {Score | null | undefined} e @param {boolean} [flip] */
export function score(e, flip = false) {
  if (!e) return "–";
  const shown = flip ? negate(e) : e;
  if (shown.win !== undefined) return `+W${shown.win}`;
  if (shown.loss !== undefined) return `−W${shown.loss}`;
  return signed(shown.v ?? 0);
}

/** A number with its sign. @param {number} v */
export function signed(v) {
  const size = Math.abs(v);
  const digits = size >= 1e6 ? count(size) : Number.isInteger(v) ? String(size) : size.toFixed(size < 10 ? 2 : 1);
  return v > 0 ? `+${digits}` : v < 0 ? `−${digits}` : digits;
}

/** A share of one as a percentage. @param {number | null | undefined} w @param {number} [digits] */
export function percent(w, digits = 1) {
  return w === null || w === undefined ? "–" : `${(w * 100).toFixed(digits)}%`;
}

/** A plain number without noise. @param {number} v */
export function plain(v) {
  return Number.isInteger(v) ? String(v) : String(Number(v.toPrecision(4)));
}
