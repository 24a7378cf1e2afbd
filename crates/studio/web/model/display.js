// The picture of a board as a list of primitives, in cells; pure, so that tests can read it and the
// same list gives canvas, PNG and SVG. Colors are names that the painter's palette resolves.

import { LETTERS, col, point, row, stars } from "./coords.js";

/** @typedef {import("../types").View} View */
/** @typedef {import("../types").Candidate} Candidate */
/**
 * @typedef {{ k: "line", x1: number, y1: number, x2: number, y2: number, color: string, width: number, alpha?: number }
 *   | { k: "disc", x: number, y: number, r: number, fill?: string, stroke?: string, width?: number, alpha?: number }
 *   | { k: "stone", x: number, y: number, r: number, color: 0 | 1, alpha?: number }
 *   | { k: "text", x: number, y: number, text: string, size: number, color: string, bold?: boolean }
 *   | { k: "rect", x: number, y: number, w: number, h: number, fill: string, alpha?: number, r?: number }
 *   | { k: "poly", points: [number, number][], fill?: string, stroke?: string, width?: number, alpha?: number }} Prim
 */

/** Space around the grid, with and without coordinates. @param {View["coords"]} coords */
export const margin = (coords) => (coords === "none" ? 0.72 : 1.08);

/** Cells along the edge of the whole picture. @param {View} view */
export const extent = (view) => view.size - 1 + 2 * margin(view.coords);

/** Center of a point. @param {View} view @param {string} p @returns {[number, number]} */
export function place(view, p) {
  const edge = margin(view.coords);
  return [edge + col(p), edge + view.size - 1 - row(p)];
}

/**
 * The point nearest to a place of the picture, if it is on the board.
 * @param {View} view
 * @param {number} x
 * @param {number} y
 */
export function nearest(view, x, y) {
  const edge = margin(view.coords);
  const [c, r] = [Math.round(x - edge), view.size - 1 - Math.round(y - edge)];
  return c >= 0 && r >= 0 && c < view.size && r < view.size ? point(c, r) : null;
}

/** Grid, star points and coordinates. @param {View} view @returns {Prim[]} */
export function backdrop(view) {
  const edge = margin(view.coords);
  const last = edge + view.size - 1;
  /** @type {Prim[]} */
  const list = [{ k: "rect", x: 0, y: 0, w: extent(view), h: extent(view), fill: "wood" }];
  for (let i = 0; i < view.size; i++) {
    const at = edge + i;
    const width = i === 0 || i === view.size - 1 ? 0.045 : 0.026;
    list.push({ k: "line", x1: edge, y1: at, x2: last, y2: at, color: "grid", width });
    list.push({ k: "line", x1: at, y1: edge, x2: at, y2: last, color: "grid", width });
  }
  for (const p of stars(view.size)) {
    const [x, y] = place(view, p);
    list.push({ k: "disc", x, y, r: 0.1, fill: "grid" });
  }
  return view.coords === "none" ? list : [...list, ...coordinates(view)];
}

/** @param {View} view @returns {Prim[]} */
function coordinates(view) {
  const edge = margin(view.coords);
  const low = edge + view.size - 1;
  const letters = view.coords === "letters";
  return Array.from({ length: view.size }, (_, i) => i).flatMap((i) => [
    {
      k: "text",
      x: edge + i,
      y: low + 0.7,
      text: letters ? LETTERS[i].toUpperCase() : String(i),
      size: 0.34,
      color: "coord",
    },
    {
      k: "text",
      x: edge - 0.7,
      y: low - i,
      text: letters ? String(i + 1) : String(view.size - 1 - i),
      size: 0.34,
      color: "coord",
    },
  ]);
}

/** Stones, their numbers, the last move and the winning line. @param {View} view @returns {Prim[]} */
export function stones(view) {
  /** @type {Prim[]} */
  const list = [];
  for (const [p, { color }] of view.stones) {
    const [x, y] = place(view, p);
    list.push({ k: "stone", x, y, r: 0.47, color });
  }
  for (const [p, { color, n }] of view.stones) {
    const [x, y] = place(view, p);
    const isLast = p === view.last;
    const shown =
      n > 0 &&
      (view.numbers === "all" ||
        (view.numbers === "last" && isLast) ||
        (typeof view.numbers === "number" && n > view.numbers));
    const number = typeof view.numbers === "number" ? n - view.numbers : n;
    if (shown) {
      const ink = isLast ? (color ? "last" : "last-light") : color ? "on-white" : "on-black";
      list.push({ k: "text", x, y, text: String(number), size: number > 99 ? 0.34 : 0.42, color: ink, bold: true });
    } else if (isLast) {
      list.push({ k: "disc", x, y, r: 0.13, fill: color ? "last" : "last-light" });
    }
  }
  if (view.win.length > 1) list.push(...strike(view));
  return list;
}

/** @param {View} view @returns {Prim[]} */
function strike(view) {
  const [x1, y1] = place(view, view.win[0]);
  const [x2, y2] = place(view, view.win[view.win.length - 1]);
  const rings = view.win.map((p) => {
    const [x, y] = place(view, p);
    return /** @type {Prim} */ ({ k: "disc", x, y, r: 0.47, stroke: "win", width: 0.07 });
  });
  return [{ k: "line", x1, y1, x2, y2, color: "win", width: 0.1, alpha: 0.55 }, ...rings];
}

/** Points that Black may not play. @param {View} view @returns {Prim[]} */
export function forbidden(view) {
  return view.forbidden.flatMap(([p]) => {
    const [x, y] = place(view, p);
    const d = 0.2;
    return /** @type {Prim[]} */ ([
      { k: "line", x1: x - d, y1: y - d, x2: x + d, y2: y + d, color: "forbidden", width: 0.09 },
      { k: "line", x1: x - d, y1: y + d, x2: x + d, y2: y - d, color: "forbidden", width: 0.09 },
    ]);
  });
}

/**
 * The papers' dots: area by probability; the best one red, ringed and largest. Where a player gives
 * no probabilities, they come from the values.
 * @param {View} view
 * @param {readonly Candidate[]} list
 * @param {number} most
 * @param {(one: Candidate, share: number) => string} [text]  what is written on the best
 * @returns {Prim[]}
 */
export function candidateDots(view, list, most, text = (_, share) => String(Math.round(share * 100))) {
  const shares = weights(list);
  return list.slice(0, most).flatMap((one, i) => {
    const [x, y] = place(view, one.m);
    const best = i === 0;
    const r = best
      ? Math.max(0.36, 0.14 + 0.3 * Math.sqrt(shares[i]))
      : Math.max(i < 3 ? 0.22 : 0.11, 0.11 + 0.29 * Math.sqrt(shares[i]));
    /** @type {Prim[]} */
    const out = [];
    const lost = one.e?.loss !== undefined;
    out.push({
      k: "disc",
      x,
      y,
      r,
      fill: lost ? "wood-flat" : best ? "best" : "cand",
      alpha: lost ? 0.9 : best ? 0.95 : 0.82,
    });
    if (lost) out.push({ k: "disc", x, y, r: r - 0.02, stroke: "cand", width: 0.06 });
    if (best) out.push({ k: "disc", x, y, r: r + 0.05, stroke: "ring", width: 0.05 });
    if (one.e?.win !== undefined) out.push(star(x, y, r * 0.7));
    else if (i < 3)
      out.push({
        k: "text",
        x,
        y,
        text: text(one, shares[i]),
        size: best ? 0.32 : 0.28,
        color: lost ? "grid" : "on-dot",
        bold: true,
      });
    return out;
  });
}

/** @param {number} x @param {number} y @param {number} r @returns {Prim} */
function star(x, y, r) {
  /** @type {[number, number][]} */
  const points = [];
  for (let i = 0; i < 10; i++) {
    const [a, d] = [(i * Math.PI) / 5 - Math.PI / 2, i % 2 ? r * 0.45 : r];
    points.push([x + d * Math.cos(a), y + d * Math.sin(a)]);
  }
  return { k: "poly", points, fill: "on-dot" };
}

/** Whether candidates have probabilities of their own. @param {readonly Candidate[]} list */
export const hasShares = (list) => list.some((one) => one.p !== null);

/** The share of each candidate: its probability, or what its value says. @param {readonly Candidate[]} list */
export function weights(list) {
  if (hasShares(list)) return list.map((one) => Math.min(1, Math.max(0, one.p ?? 0)));
  const rates = list.map((one) => one.w ?? 0);
  const top = Math.max(0, ...rates);
  const powers = rates.map((w) => Math.exp((w - top) * 12));
  const sum = powers.reduce((a, b) => a + b, 0) || 1;
  return powers.map((w) => w / sum);
}

/**
 * Win share and value written on each candidate.
 * @param {View} view
 * @param {readonly Candidate[]} list
 * @param {number} most
 * @param {(one: Candidate) => [string, string]} label
 * @returns {Prim[]}
 */
export function candidateValues(view, list, most, label) {
  return list.slice(0, most).flatMap((one, i) => {
    const [x, y] = place(view, one.m);
    const [upper, lower] = label(one);
    return /** @type {Prim[]} */ ([
      {
        k: "disc",
        x,
        y,
        r: 0.46,
        fill: i === 0 ? "best" : "cand",
        alpha: i === 0 ? 0.95 : Math.max(0.35, 0.9 - i * 0.06),
      },
      { k: "text", x, y: lower ? y - 0.12 : y, text: upper, size: 0.3, color: "on-dot", bold: true },
      { k: "text", x, y: y + 0.2, text: lower, size: 0.2, color: "on-dot" },
    ]);
  });
}

/**
 * What every empty point is worth, with heat.
 * @param {View} view
 * @param {readonly [string, number, number][]} points
 * @param {"max" | "black" | "white"} side
 * @returns {Prim[]}
 */
export function staticValues(view, points, side) {
  const value = (/** @type {readonly [string, number, number]} */ one) =>
    side === "max" ? Math.max(one[1], one[2]) : side === "black" ? one[1] : one[2];
  const top = Math.max(1e-9, ...points.map(value));
  return points.flatMap((one) => {
    const v = value(one);
    if (v === 0) return [];
    const [x, y] = place(view, one[0]);
    const heat = Math.max(0, v) / top;
    return /** @type {Prim[]} */ ([
      // The lines of the board do not run through the numbers.
      { k: "rect", x: x - 0.42, y: y - 0.3, w: 0.84, h: 0.6, r: 0.14, fill: "wood-flat" },
      {
        k: "rect",
        x: x - 0.42,
        y: y - 0.3,
        w: 0.84,
        h: 0.6,
        r: 0.14,
        fill: v === top ? "best" : "heat",
        alpha: 0.2 + 0.75 * Math.sqrt(heat),
      },
      {
        k: "text",
        x,
        y: y + 0.01,
        text: compact(v),
        size: compact(v).length > 4 ? 0.22 : 0.28,
        color: heat > 0.25 || v === top ? "on-dot" : "grid",
        bold: v === top,
      },
    ]);
  });
}

/** @param {number} v */
function compact(v) {
  const size = Math.abs(v);
  if (size >= 1e6) return `${(v / 1e6).toFixed(size < 1e7 ? 1 : 0)}M`;
  if (size >= 1e4) return `${(v / 1e3).toFixed(0)}k`;
  return Number.isInteger(v) ? String(v) : v.toFixed(size < 10 ? 1 : 0);
}

/**
 * What a stone of either side would threaten.
 * @param {View} view
 * @param {readonly [string, number, string][]} threats
 * @returns {Prim[]}
 */
export function threats(view, threats) {
  return threats.flatMap(([p, side, kind]) => {
    const [x, y] = place(view, p);
    const dx = side ? 0.2 : -0.2;
    const strong = kind === "five" || kind === "open-four";
    return /** @type {Prim[]} */ ([
      {
        k: "disc",
        x: x + dx,
        y,
        r: strong ? 0.24 : 0.19,
        fill: side ? "on-black" : "on-white",
        stroke: strong ? "best" : "cand",
        width: 0.05,
        alpha: 0.92,
      },
      {
        k: "text",
        x: x + dx,
        y,
        text: THREAT_MARK[kind] ?? "",
        size: 0.24,
        color: side ? "on-white" : "on-black",
        bold: true,
      },
    ]);
  });
}

/** @type {Record<string, string>} */
const THREAT_MARK = {
  five: "5",
  "open-four": "4*",
  four: "4",
  "four-three": "4·3",
  "double-three": "3·3",
  "open-three": "3",
};

/**
 * A line of play shown ahead, numbered from 1 on translucent stones.
 * @param {View} view
 * @param {readonly string[]} line
 * @param {0 | 1} first
 * @returns {Prim[]}
 */
export function preview(view, line, first) {
  const shown = line.filter((p) => !view.stones.has(p));
  return shown.flatMap((p, i) => {
    const [x, y] = place(view, p);
    const color = /** @type {0 | 1} */ ((first + i) % 2);
    return /** @type {Prim[]} */ ([
      { k: "stone", x, y, r: 0.44, color, alpha: 0.72 },
      { k: "text", x, y, text: String(i + 1), size: 0.4, color: color ? "on-white" : "on-black", bold: true },
    ]);
  });
}

/**
 * The stone that would be played here.
 * @param {View} view
 * @param {string} p
 * @param {0 | 1} color
 * @param {boolean} crosshair
 * @returns {Prim[]}
 */
export function ghost(view, p, color, crosshair) {
  const [x, y] = place(view, p);
  const edge = margin(view.coords);
  const last = edge + view.size - 1;
  /** @type {Prim[]} */
  const lines = crosshair
    ? [
        { k: "line", x1: edge, y1: y, x2: last, y2: y, color: "cand", width: 0.07, alpha: 0.6 },
        { k: "line", x1: x, y1: edge, x2: x, y2: last, color: "cand", width: 0.07, alpha: 0.6 },
      ]
    : [];
  return [...lines, { k: "stone", x, y, r: 0.46, color, alpha: crosshair ? 0.85 : 0.45 }];
}

/** Lights up lines of points. @param {View} view @param {readonly string[][]} lines @returns {Prim[]} */
export function glow(view, lines) {
  return lines.flatMap((points) => {
    if (!points.length) return [];
    const places = points.map((p) => place(view, p));
    const rings = places.map(
      ([x, y]) => /** @type {Prim} */ ({ k: "disc", x, y, r: 0.48, stroke: "glow", width: 0.08 }),
    );
    return [/** @type {Prim} */ ({ k: "poly", points: places, stroke: "glow", width: 0.16, alpha: 0.45 }), ...rings];
  });
}

/**
 * Arrows and lines that a person drew.
 * @param {View} view
 * @param {readonly import("../types").Arrow[]} list
 * @returns {Prim[]}
 */
export function arrows(view, list) {
  return list.flatMap(([from, to, kind]) => {
    const [[x1, y1], [x2, y2]] = [place(view, from), place(view, to)];
    const length = Math.hypot(x2 - x1, y2 - y1);
    if (!length) return [];
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const isArrow = kind === "arrow";
    // The shaft ends inside the head.
    const [ex, ey] = isArrow ? [x2 - dx * 0.4, y2 - dy * 0.4] : [x2, y2];
    /** @type {Prim[]} */
    const shaft = [{ k: "line", x1, y1, x2: ex, y2: ey, color: "mark", width: 0.16, alpha: 0.8 }];
    if (!isArrow) return shaft;
    /** @type {[number, number][]} */
    const head = [
      [x2, y2],
      [x2 - dx * 0.5 - dy * 0.26, y2 - dy * 0.5 + dx * 0.26],
      [x2 - dx * 0.5 + dy * 0.26, y2 - dy * 0.5 - dx * 0.26],
    ];
    return [...shaft, { k: "poly", points: head, fill: "mark", alpha: 0.9 }];
  });
}

/**
 * Whether a move was right: a ring, with a check or a cross beside it.
 * @param {View} view
 * @param {string} p
 * @param {boolean} isRight
 * @returns {Prim[]}
 */
export function verdict(view, p, isRight) {
  const [x, y] = place(view, p);
  const color = isRight ? "right" : "forbidden";
  const [bx, by] = [x + 0.36, y - 0.36];
  /** @type {[number, number][][]} */
  const strokes = isRight
    ? [
        [
          [bx - 0.11, by + 0.01],
          [bx - 0.03, by + 0.1],
          [bx + 0.12, by - 0.09],
        ],
      ]
    : [
        [
          [bx - 0.1, by - 0.1],
          [bx + 0.1, by + 0.1],
        ],
        [
          [bx - 0.1, by + 0.1],
          [bx + 0.1, by - 0.1],
        ],
      ];
  return [
    { k: "disc", x, y, r: 0.48, stroke: color, width: 0.08 },
    { k: "disc", x: bx, y: by, r: 0.22, fill: color },
    ...strokes.map((points) => /** @type {Prim} */ ({ k: "poly", points, stroke: "on-dot", width: 0.07 })),
  ];
}

/**
 * Labels that a person put on points.
 * @param {View} view
 * @param {readonly [string, string][]} labels
 * @returns {Prim[]}
 */
export function labels(view, labels) {
  return labels.flatMap(([p, text]) => {
    const [x, y] = place(view, p);
    const stone = view.stones.get(p);
    /** @type {Prim[]} */
    const under = stone ? [] : [{ k: "disc", x, y, r: 0.34, fill: "wood-flat", alpha: 0.85 }];
    return [
      ...under,
      {
        k: "text",
        x,
        y,
        text: text.slice(0, 3),
        size: text.length > 2 ? 0.3 : 0.42,
        color: stone ? (stone.color ? "on-white" : "on-black") : "label",
        bold: true,
      },
    ];
  });
}
