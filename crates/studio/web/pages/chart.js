// Lines, bands, bars and heat maps on a canvas, with axes, a legend and a point under the pointer.

import { effect, h, onEnd, signal } from "../dom.js";

/**
 * @typedef {{ name: string, color: string, y: (number | null)[], x?: number[], dash?: boolean, dots?: boolean, width?: number, band?: [(number | null)[], (number | null)[]], bars?: boolean }} Series
 * @typedef {{ x: number, color: string }} Mark
 * @typedef {{
 *   series: Series[], x?: number[], log?: boolean, min?: number, max?: number, xMin?: number, xMax?: number,
 *   lines?: { y: number, color: string, dash?: boolean, label?: string }[], marks?: { x: number, y: number, color: string, wide?: boolean }[],
 *   at?: number | null, format?: (y: number) => string, formatX?: (x: number) => string, bare?: boolean
 * }} Plot
 */

/** The color of a CSS variable, or the color itself. @param {string} name */
function ink(name) {
  return name.startsWith("--") ? getComputedStyle(document.documentElement).getPropertyValue(name).trim() : name;
}

/** Round numbers across a range. @param {number} low @param {number} high @param {number} most */
export function ticks(low, high, most) {
  const span = high - low || 1;
  const rough = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((one) => one * power >= rough) ?? 10);
  const list = [];
  for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + step * 1e-6; v += step)
    list.push(Math.abs(v) < step * 1e-6 ? 0 : v);
  return list;
}

/** Whether a mark stands at a whole number. @param {number} v */
const isWhole = (v) => Math.abs(v - Math.round(v)) < 1e-9;

/** Powers of ten across a range. @param {number} low @param {number} high */
export function logTicks(low, high) {
  const list = [];
  for (let e = Math.ceil(Math.log10(low) - 1e-9); 10 ** e <= high * 1.0001; e++) list.push(10 ** e);
  return list;
}

/** The range of what a plot shows. @param {Plot} plot */
export function range(plot) {
  const values = plot.series
    .flatMap((one) => [...one.y, ...(one.band ? [...one.band[0], ...one.band[1]] : [])])
    .filter((v) => v !== null && Number.isFinite(v) && (!plot.log || v > 0));
  const all = /** @type {number[]} */ (values).concat(
    (plot.lines ?? []).map((one) => one.y).filter((y) => !plot.log || y > 0),
  );
  let low = plot.min ?? Math.min(...all);
  let high = plot.max ?? Math.max(...all);
  if (!Number.isFinite(low) || !Number.isFinite(high)) [low, high] = plot.log ? [1, 10] : [0, 1];
  if (low === high) [low, high] = plot.log ? [low / 2, high * 2] : [low - 1, high + 1];
  return /** @type {[number, number]} */ ([low, high]);
}

/**
 * A chart of one or more series over x.
 * @param {() => Plot} plot
 * @param {{ label: () => string, height?: number, onPick?: (x: number) => void }} options
 */
export function chart(plot, options) {
  const canvas = /** @type {HTMLCanvasElement} */ (h("canvas", { role: "img", "aria-label": options.label }));
  const tip = h("div", { class: "chart-tip", hidden: true });
  const box = h("div", { class: "chart", style: { "--chart-height": `${options.height ?? 120}px` } }, canvas, tip);
  const size = signal(/** @type {[number, number]} */ ([0, 0]));
  const pointer = signal(/** @type {number | null} */ (null));
  /** @type {Frame | null} */
  let frame = null;
  const watch = new ResizeObserver(() => (size.value = [box.clientWidth, box.clientHeight]));
  watch.observe(box);
  onEnd(() => watch.disconnect());
  effect(() => {
    const [w, height] = size.value;
    const now = plot();
    if (w && height) frame = draw(canvas, now, w, height, pointer.value);
    if (frame) show(tip, frame, now, pointer.value);
  });
  const at = (/** @type {PointerEvent} */ event) =>
    frame ? frame.toX(event.clientX - canvas.getBoundingClientRect().left) : 0;
  canvas.addEventListener("pointermove", (event) => {
    pointer.value = at(event);
    if (event.buttons && options.onPick) options.onPick(at(event));
  });
  canvas.addEventListener("pointerleave", () => (pointer.value = null));
  canvas.addEventListener("pointerdown", (event) => options.onPick?.(at(event)));
  return box;
}

/**
 * @typedef {{ px: (x: number) => number, py: (y: number) => number, toX: (px: number) => number, xs: number[] }} Frame
 */

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Plot} plot
 * @param {number} w
 * @param {number} height
 * @param {number | null} pointer
 * @returns {Frame}
 */
function draw(canvas, plot, w, height, pointer) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(w * ratio);
  canvas.height = Math.round(height * ratio);
  const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  g.scale(ratio, ratio);
  const frame = makeFrame(plot, w, height);
  axes(g, plot, frame, w, height);
  for (const line of plot.lines ?? []) rule(g, frame, line, w, plot.bare ? 2 : 44);
  for (const one of plot.series) series(g, plot, frame, one);
  for (const mark of plot.marks ?? []) {
    g.fillStyle = ink(mark.color);
    g.beginPath();
    g.arc(frame.px(mark.x), frame.py(mark.y), mark.wide ? 6 : 3.5, 0, 7);
    g.fill();
  }
  for (const x of [plot.at, pointer === null ? null : closest(frame.xs, pointer)]) {
    if (x === null || x === undefined) continue;
    g.strokeStyle = ink("--accent");
    g.globalAlpha = 0.6;
    g.lineWidth = 1;
    g.beginPath();
    g.moveTo(frame.px(x), 4);
    g.lineTo(frame.px(x), height - (plot.bare ? 2 : 18));
    g.stroke();
    g.globalAlpha = 1;
  }
  return frame;
}

/** @param {number[]} xs @param {number} x */
function closest(xs, x) {
  return xs.reduce((best, one) => (Math.abs(one - x) < Math.abs(best - x) ? one : best), xs[0] ?? 0);
}

/** @param {Plot} plot @param {number} w @param {number} height @returns {Frame} */
function makeFrame(plot, w, height) {
  const longest = plot.series.reduce((most, one) => Math.max(most, one.y.length), 0);
  const xs = plot.x ?? plot.series.find((one) => one.x)?.x ?? Array.from({ length: longest }, (_, i) => i);
  const all = plot.series.flatMap((one) => one.x ?? xs);
  const [x0, x1] = [plot.xMin ?? Math.min(...all, 0), plot.xMax ?? Math.max(...all, 1)];
  const [low, high] = range(plot);
  const scale = plot.log ? Math.log10 : (/** @type {number} */ v) => v;
  const [left, right, top, bottom] = plot.bare ? [3, 3, 4, 3] : [44, 8, 8, 20];
  const px = (/** @type {number} */ x) => left + ((x - x0) / (x1 - x0 || 1)) * (w - left - right);
  const py = (/** @type {number} */ y) =>
    height -
    bottom -
    ((scale(Math.max(y, plot.log ? low : -Infinity)) - scale(low)) / (scale(high) - scale(low) || 1)) *
      (height - top - bottom);
  const toX = (/** @type {number} */ p) => x0 + ((p - left) / (w - left - right || 1)) * (x1 - x0);
  return { px, py, toX, xs };
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {Plot} plot
 * @param {Frame} frame
 * @param {number} w
 * @param {number} height
 */
function axes(g, plot, frame, w, height) {
  if (plot.bare) return;
  const [low, high] = range(plot);
  g.font = "11px ui-sans-serif, system-ui, sans-serif";
  g.fillStyle = ink("--ink-2");
  g.strokeStyle = ink("--line");
  g.lineWidth = 1;
  g.textAlign = "right";
  g.textBaseline = "middle";
  const powers = plot.log ? logTicks(low, high) : [];
  const marks =
    plot.log && powers.length > 1
      ? powers
      : ticks(low, high, Math.max(2, height / 40)).filter((y) => !plot.series.every((one) => one.bars) || isWhole(y));
  for (const y of marks) {
    g.beginPath();
    g.moveTo(44, frame.py(y));
    g.lineTo(w - 8, frame.py(y));
    g.stroke();
    g.fillText((plot.format ?? short)(y), 38, frame.py(y));
  }
  g.textAlign = "center";
  const [x0, x1] = [frame.toX(44), frame.toX(w - 8)];
  // Moves, games and generations are counted: there is nothing between two of them.
  for (const x of ticks(x0, x1, w / 70).filter(isWhole))
    g.fillText((plot.formatX ?? short)(x), frame.px(x), height - 8);
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {Frame} frame
 * @param {{ y: number, color: string, dash?: boolean, label?: string }} line
 * @param {number} w
 * @param {number} left
 */
function rule(g, frame, line, w, left) {
  g.strokeStyle = ink(line.color);
  g.lineWidth = 1;
  g.setLineDash(line.dash === false ? [] : [4, 4]);
  g.beginPath();
  g.moveTo(left, frame.py(line.y));
  g.lineTo(w - 4, frame.py(line.y));
  g.stroke();
  g.setLineDash([]);
  if (line.label) {
    g.fillStyle = ink(line.color);
    g.textAlign = "left";
    g.fillText(line.label, left + 4, frame.py(line.y) - 7);
  }
}

/** @param {CanvasRenderingContext2D} g @param {Plot} plot @param {Frame} frame @param {Series} one */
function series(g, plot, frame, one) {
  const xs = one.x ?? frame.xs;
  const color = ink(one.color);
  if (one.bars) return bars(g, frame, xs, one, color);
  if (one.band) {
    const [low, high] = one.band;
    g.fillStyle = color;
    g.globalAlpha = 0.16;
    g.beginPath();
    xs.forEach(
      (x, i) =>
        high[i] !== null && high[i] !== undefined && g.lineTo(frame.px(x), frame.py(/** @type {number} */ (high[i]))),
    );
    [...xs.keys()]
      .reverse()
      .forEach(
        (i) =>
          low[i] !== null &&
          low[i] !== undefined &&
          g.lineTo(frame.px(xs[i]), frame.py(/** @type {number} */ (low[i]))),
      );
    g.fill();
    g.globalAlpha = 1;
  }
  g.strokeStyle = g.fillStyle = color;
  g.lineWidth = one.width ?? 1.8;
  g.lineJoin = "round";
  g.setLineDash(one.dash ? [5, 4] : []);
  g.beginPath();
  let pen = false;
  one.y.forEach((y, i) => {
    // Nothing known is a gap, not a zero.
    if (y === null || !Number.isFinite(y) || (plot.log && y <= 0)) return void (pen = false);
    if (pen) g.lineTo(frame.px(xs[i]), frame.py(y));
    else g.moveTo(frame.px(xs[i]), frame.py(y));
    pen = true;
  });
  g.stroke();
  g.setLineDash([]);
  const few = one.y.filter((y) => y !== null).length < 3;
  if (one.dots || few) {
    one.y.forEach((y, i) => {
      if (y === null || !Number.isFinite(y) || (plot.log && y <= 0)) return;
      g.beginPath();
      g.arc(frame.px(xs[i]), frame.py(y), 2.4, 0, 7);
      g.fill();
    });
  }
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {Frame} frame
 * @param {number[]} xs
 * @param {Series} one
 * @param {string} color
 */
function bars(g, frame, xs, one, color) {
  const wide = Math.max(1.5, Math.min(26, Math.abs(frame.px(1) - frame.px(0)) * 0.72));
  g.fillStyle = color;
  one.y.forEach((y, i) => {
    if (y === null) return;
    const [x, top, foot] = [frame.px(xs[i]), frame.py(y), frame.py(0)];
    g.beginPath();
    g.roundRect(x - wide / 2, Math.min(top, foot), wide, Math.max(1, Math.abs(foot - top)), Math.min(3, wide / 3));
    g.fill();
  });
}

/** @param {HTMLElement} tip @param {Frame} frame @param {Plot} plot @param {number | null} pointer */
function show(tip, frame, plot, pointer) {
  tip.hidden = pointer === null || !frame.xs.length;
  if (pointer === null || !frame.xs.length) return;
  const x = closest(frame.xs, pointer);
  const i = frame.xs.indexOf(x);
  const rows = plot.series
    .filter((one) => !one.x && one.y[i] !== null && one.y[i] !== undefined)
    .map((one) => `${one.name} ${(plot.format ?? short)(/** @type {number} */ (one.y[i]))}`);
  tip.textContent = [(plot.formatX ?? short)(x), ...rows].join(" · ");
}

/** @param {number} v */
export function short(v) {
  const size = Math.abs(v);
  if (size >= 1e9) return `${+(v / 1e9).toPrecision(2)}G`;
  if (size >= 1e6) return `${+(v / 1e6).toPrecision(2)}M`;
  if (size >= 1e4) return `${+(v / 1e3).toPrecision(2)}k`;
  return String(+v.toPrecision(3));
}

/**
 * A legend for a plot.
 * @param {() => { name: string, color: string }[]} entries
 */
export function legend(entries) {
  return h("ul", { class: "legend" }, () =>
    entries().map((one) =>
      h(
        "li",
        null,
        h("i", { style: { "--swatch": one.color.startsWith("--") ? `var(${one.color})` : one.color } }),
        one.name,
      ),
    ),
  );
}

/**
 * A table of colored cells: rows by columns, values from 0 to 1.
 * @param {() => { rows: string[], columns: string[], cells: (number | null)[][] }} data
 * @param {() => string} label
 */
export function heatMap(data, label) {
  const canvas = /** @type {HTMLCanvasElement} */ (h("canvas", { role: "img", "aria-label": label }));
  const box = h("div", { class: "chart heat" }, canvas);
  const size = signal(0);
  const watch = new ResizeObserver(() => (size.value = box.clientWidth));
  watch.observe(box);
  onEnd(() => watch.disconnect());
  effect(() => {
    const { rows, columns, cells } = data();
    if (!size.value || !columns.length) return;
    const ratio = window.devicePixelRatio || 1;
    const [left, top, cellH] = [34, 54, 16];
    const height = top + rows.length * cellH;
    box.style.setProperty("--chart-height", `${height}px`);
    canvas.width = size.value * ratio;
    canvas.height = height * ratio;
    const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    g.scale(ratio, ratio);
    const cellW = (size.value - left) / columns.length;
    g.font = "10px ui-sans-serif, system-ui, sans-serif";
    g.fillStyle = ink("--ink-2");
    columns.forEach((name, i) => {
      g.save();
      g.translate(left + (i + 0.5) * cellW, top - 5);
      g.rotate(-0.9);
      g.fillText(name.slice(0, 12), 0, 0);
      g.restore();
    });
    g.textAlign = "right";
    g.textBaseline = "middle";
    rows.forEach((name, r) => {
      g.globalAlpha = 1;
      g.fillStyle = ink("--ink-2");
      g.fillText(name, left - 5, top + (r + 0.5) * cellH);
      columns.forEach((_, c) => {
        const v = cells[r]?.[c];
        if (v === null || v === undefined) return;
        g.globalAlpha = 0.08 + 0.92 * Math.min(1, Math.max(0, v));
        g.fillStyle = ink("--accent");
        g.fillRect(left + c * cellW + 1, top + r * cellH + 1, cellW - 2, cellH - 2);
      });
    });
  });
  return box;
}
