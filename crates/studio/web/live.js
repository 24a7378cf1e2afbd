// Texts that change many times a second, drawn on small canvases: text in the page would have all of
// it laid out again at every change. The same text stands inside the canvas, where screen readers
// and tests find it.

import { effect, h, signal } from "./dom.js";

/**
 * @typedef {{ wide: number, size?: number, bold?: boolean, color?: "ink" | "soft" | "accent" | "halo", align?: "left" | "right" | "center" }} How
 */

/**
 * What texts are drawn with: colors and letters of the theme, pixels of the screen.
 * @type {import("./dom.js").Signal<Record<string, any>>}
 */
const pen = signal(/** @type {Record<string, any>} */ ({}));

/** Takes the colors from the theme that is shown. */
export function readTheme() {
  const style = getComputedStyle(document.documentElement);
  const forced = matchMedia("(forced-colors: active)").matches;
  const color = (/** @type {string} */ name) => (forced ? "CanvasText" : style.getPropertyValue(name).trim());
  pen.value = {
    ink: color("--ink"),
    soft: color("--ink-2"),
    accent: color("--accent"),
    halo: "#fff",
    family: style.fontFamily,
    ratio: Math.min(devicePixelRatio || 1, 3),
  };
}

/**
 * A text of a fixed width, drawn anew when it changes.
 * @param {() => string} text
 * @param {How} how
 */
export function live(text, how) {
  return liveList(() => [text()], how.wide, how);
}

/**
 * Texts in a row, each in a place of the same width.
 * @param {() => readonly string[]} texts
 * @param {number} pitch
 * @param {How} how
 */
export function liveList(texts, pitch, how) {
  const { wide, size = 13, align = "left" } = how;
  const high = Math.ceil(size * 1.5);
  const words = document.createTextNode("");
  const canvas = h("canvas", { class: "live", style: { width: `${wide}px`, height: `${high}px` } }, words);
  const g = canvas.getContext("2d");
  /** @type {any} */
  let before = null;
  effect(() => {
    const list = texts();
    const now = pen.value;
    const text = list.join(" ");
    if (text === words.data && now === before) return;
    words.data = text;
    if (now !== before) [canvas.width, canvas.height] = [Math.round(wide * now.ratio), Math.round(high * now.ratio)];
    before = now;
    g.setTransform(now.ratio, 0, 0, now.ratio, 0, 0);
    g.clearRect(0, 0, wide, high);
    g.font = `${how.bold ? 650 : 400} ${size}px ${now.family}`;
    g.textBaseline = "middle";
    g.textAlign = align;
    g.fillStyle = now[how.color ?? "ink"];
    const from = align === "left" ? 0 : align === "right" ? pitch : pitch / 2;
    list.forEach((one, i) => {
      if (how.color === "halo") {
        g.lineWidth = 3;
        g.strokeText(one, i * pitch + from, high / 2, pitch);
      }
      g.fillText(one, i * pitch + from, high / 2, pitch);
    });
  });
  return canvas;
}
