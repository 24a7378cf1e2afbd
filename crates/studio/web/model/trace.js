// Where the nodes of a recorded search stand in its picture; pure.

/**
 * @typedef {{ id: number, x: number, y: number, move: string, value: number | null, window: string, cut: number, folded: number, max: boolean, best: boolean, path: string[] }} Box
 */

const WIDE = 100;
const HIGH = 92;

/**
 * Lays out the nodes that are folded out, at most `most` children of each, best first as searched.
 * @param {import("../types").Trace} trace
 * @param {Set<number>} open
 * @param {number} most
 * @returns {{ boxes: Box[], links: [number, number, number, number][], width: number, height: number }}
 */
export function layout(trace, open, most) {
  /** @type {number[][]} */
  const children = trace.nodes.map(() => []);
  trace.nodes.forEach(([parent], id) => parent >= 0 && children[parent].push(id));
  /** @type {Box[]} */
  const boxes = [];
  /** @type {[number, number, number, number][]} */
  const links = [];
  let next = 0;
  let deepest = 0;
  /** @type {(id: number, depth: number, path: string[]) => number} */
  const place = (/** @type {number} */ id, /** @type {number} */ depth, /** @type {string[]} */ path) => {
    const [, move, max, window, value, cut] = trace.nodes[id];
    deepest = Math.max(deepest, depth);
    const here = move ? [...path, move] : path;
    const inner = open.has(id) ? some(trace, children[id], value, most) : [];
    const xs = inner.map((child) => place(child, depth + 1, here));
    const x = xs.length ? (xs[0] + xs[xs.length - 1]) / 2 : (next++ + 0.5) * WIDE;
    const y = depth * HIGH + 30;
    xs.forEach((at) => links.push([x, y + 22, at, y + HIGH - 22]));
    const best = inner.length > 0 && inner.some((child) => trace.nodes[child][4] === value);
    boxes.push({
      id,
      x,
      y,
      move: move ?? "",
      value,
      window: window ? `${bound(window[0])} … ${bound(window[1])}` : "",
      cut,
      folded: children[id].length - inner.length,
      max,
      best,
      path: here,
    });
    return x;
  };
  if (trace.nodes.length) place(0, 0, []);
  return { boxes, links, width: Math.max(1, next) * WIDE, height: (deepest + 1) * HIGH };
}

/**
 * The first children, the one that gave the value among them.
 * @param {import("../types").Trace} trace
 * @param {number[]} all
 * @param {number | null} value
 * @param {number} most
 */
function some(trace, all, value, most) {
  const first = all.slice(0, most);
  const best = all.find((child) => value !== null && trace.nodes[child][4] === value);
  return best === undefined || first.includes(best) ? first : [...first.slice(0, -1), best];
}

/** A bound of a window; what is beyond every value is infinite. @param {number} v */
export function bound(v) {
  if (Math.abs(v) >= 1e11) return v > 0 ? "∞" : "−∞";
  return String(v);
}
