// Numbers as people read them.

/** @typedef {import("../types").Score} Score */

let locale = "en";
let units = { ms: "ms", s: "s", perSecond: "/s" };
/** @type {Map<number, Intl.NumberFormat>} */
let formats = new Map();

/** From now on numbers are written as this language does. @param {string} code @param {Record<string, string>} words */
export function useLocale(code, words) {
  locale = code;
  formats = new Map();
  units = { ms: words["unit.ms"] ?? "ms", s: words["unit.s"] ?? "s", perSecond: words["unit.per-second"] ?? "/s" };
}

/** A number with so many digits after the point. @param {number} n @param {number} digits */
export function fixed(n, digits) {
  let format = formats.get(digits);
  if (!format)
    formats.set(
      digits,
      (format = new Intl.NumberFormat(locale, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        useGrouping: false,
      })),
    );
  return format.format(n);
}

/** A count with every digit. @param {number} n */
export const exact = (n) => new Intl.NumberFormat(locale).format(n);

/** A rate. @param {number} n */
export const speed = (n) => count(n) + units.perSecond;

/** A count with K, M or G. @param {number} n */
export function count(n) {
  if (n < 10_000) return String(Math.round(n));
  const [unit, name] = n < 1e6 ? [1e3, "K"] : n < 1e9 ? [1e6, "M"] : [1e9, "G"];
  const scaled = n / unit;
  return fixed(scaled, scaled < 100 ? 1 : 0) + "\u2009" + name;
}

/** Milliseconds as a time. @param {number} ms */
export function time(ms) {
  if (ms < 1) return `${ms > 0 ? "< 1" : "0"} ${units.ms}`;
  if (ms < 1000) return `${Math.round(ms)} ${units.ms}`;
  if (ms < 60_000) return `${fixed(ms / 1000, ms < 10_000 ? 2 : 1)} ${units.s}`;
  return clock(ms);
}

/** Milliseconds as a clock shows them. @param {number} ms */
export function clock(ms) {
  const left = Math.max(0, ms);
  if (left < 10_000) return fixed(Math.ceil(left / 100) / 10, 1);
  const seconds = Math.ceil(left / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/**
 * Who is said to win, and in how many plies; nothing for an evaluation.
 * @param {Score | null | undefined} e
 * @param {0 | 1} side  the side to move
 */
export function claim(e, side) {
  if (e?.win !== undefined) return { winner: side, n: e.win };
  return e?.loss !== undefined ? { winner: /** @type {0 | 1} */ (1 - side), n: e.loss } : null;
}

/** An evaluation from a point of view: `flip` turns it around. @param {Score | null | undefined} e @param {boolean} [flip] */
export const score = (e, flip = false) => (e ? signed(flip && e.v ? -e.v : (e.v ?? 0)) : "–");

/** A number with its sign. @param {number} v */
export function signed(v) {
  const size = Math.abs(v);
  const digits = size >= 1e6 ? count(size) : fixed(size, Number.isInteger(v) ? 0 : size < 10 ? 2 : 1);
  return v > 0 ? `+${digits}` : v < 0 ? `−${digits}` : digits;
}

/** A share of one as a percentage. @param {number | null | undefined} w @param {number} [digits] */
export function percent(w, digits = 1) {
  return w === null || w === undefined ? "–" : `${fixed(w * 100, digits)}%`;
}

/** A plain number without noise. @param {number} v */
export function plain(v) {
  return new Intl.NumberFormat(locale, { maximumSignificantDigits: Number.isInteger(v) ? 21 : 4, useGrouping: false })
    .format(v)
    .replace("-", "−");
}
