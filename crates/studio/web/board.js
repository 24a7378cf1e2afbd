// The board on the screen: three canvases drawn from display lists, and over them a grid that
// keyboard, screen reader and tests use.

import { col, isPoint, point, row } from "./model/coords.js";
import { extent, margin, nearest } from "./model/display.js";
import { effect, h, onEnd, signal } from "./dom.js";
import { paint } from "./paint.js";

/** @typedef {import("./types").View} View */
/** @typedef {import("./model/display.js").Prim} Prim */

/**
 * @param {{
 *   view: () => View,
 *   layers: () => { back: Prim[], stones: Prim[], over: Prim[] },
 *   colors: () => Record<string, string>,
 *   label: (p: string) => string,
 *   name: () => string,
 *   onPlay?: (p: string, how: "mouse" | "touch" | "key") => void,
 *   onHover?: (p: string | null) => void,
 *   onBack?: () => void,
 *   onMark?: (from: string, to: string) => boolean,
 *   onWheel?: (step: 1 | -1) => void,
 *   onOpen?: (p: string) => void,
 *   offsetTouch?: () => boolean,
 * }} options
 */
export function board(options) {
  const pixels = signal(0);
  const canvases = [0, 1, 2].map(() => /** @type {HTMLCanvasElement} */ (h("canvas", { "aria-hidden": "true" })));
  const grid = h("div", {
    role: "grid",
    class: "board-grid",
    "aria-label": options.name,
    "aria-rowcount": () => options.view().size,
    "aria-colcount": () => options.view().size,
  });
  const root = h("div", { class: "board" }, canvases, grid);

  const names = /** @type {const} */ (["back", "stones", "over"]);
  names.forEach((name, i) => {
    let drawn = "";
    effect(() => {
      const size = pixels.value;
      if (!size) return;
      const list = options.layers()[name];
      // Wood and stones cost far more to paint than to compare, and most changes leave them alone.
      const picture = JSON.stringify([size, window.devicePixelRatio, options.colors(), list]);
      if (picture === drawn) return;
      drawn = picture;
      draw(canvases[i], list, options.colors(), size, extent(options.view()));
    });
  });
  const resize = new ResizeObserver(() => (pixels.value = root.clientWidth));
  resize.observe(root);
  onEnd(() => resize.disconnect());

  cells(grid, options);
  pointer(root, grid, options);
  return root;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Prim[]} list
 * @param {Record<string, string>} colors
 * @param {number} size
 * @param {number} cells
 */
function draw(canvas, list, colors, size, cells) {
  const ratio = Math.min(window.devicePixelRatio || 1, 3);
  const wide = Math.round(size * ratio);
  if (canvas.width !== wide) canvas.width = canvas.height = wide;
  const g = canvas.getContext("2d");
  if (!g) return;
  g.clearRect(0, 0, wide, wide);
  paint(g, list, colors, wide / cells);
}

/**
 * The cells that people reach by keyboard; one of them is a tab stop.
 * @param {HTMLElement} grid
 * @param {Parameters<typeof board>[0]} options
 */
function cells(grid, options) {
  /** @type {Map<string, HTMLElement>} */
  let all = new Map();
  let focus = "";
  let size = 0;
  let coords = "";
  effect(() => {
    const view = options.view();
    if (view.size === size && view.coords === coords) return;
    [size, coords] = [view.size, view.coords];
    all = new Map();
    const middle = Math.floor((size - 1) / 2);
    focus = point(middle, middle);
    const edge = ((margin(view.coords) - 0.5) / extent(view)) * 100;
    grid.style.inset = `${edge}%`;
    grid.replaceChildren(
      ...Array.from({ length: size }, (_, i) => size - 1 - i).map((r) =>
        h(
          "div",
          { role: "row", "aria-rowindex": size - r },
          Array.from({ length: size }, (_, c) => {
            const p = point(c, r);
            const cell = h("div", {
              role: "gridcell",
              "data-point": p,
              "aria-colindex": c + 1,
              tabindex: p === focus ? 0 : -1,
            });
            all.set(p, cell);
            return cell;
          }),
        ),
      ),
    );
  });
  effect(() => {
    options.view();
    for (const [p, cell] of all) {
      const text = options.label(p);
      if (cell.getAttribute("aria-label") !== text) cell.setAttribute("aria-label", text);
    }
  });
  const move = (/** @type {string} */ p) => {
    if (!isPoint(p, size)) return;
    all.get(focus)?.setAttribute("tabindex", "-1");
    focus = p;
    const cell = all.get(p);
    cell?.setAttribute("tabindex", "0");
    cell?.focus();
  };
  grid.addEventListener("focusin", (event) => {
    const p = /** @type {HTMLElement} */ (event.target).dataset.point;
    if (p && p !== focus) move(p);
  });
  grid.addEventListener("keydown", (event) => {
    const step = /** @type {Record<string, [number, number]>} */ ({
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    })[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (step) {
      const [c, r] = [col(focus) + step[0], row(focus) + step[1]];
      if (c >= 0 && r >= 0 && c < size && r < size) move(point(c, r));
    } else if (event.key === "Enter" || event.key === " ") {
      options.onPlay?.(focus, "key");
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/**
 * Mouse, finger and wheel.
 * @param {HTMLElement} root
 * @param {HTMLElement} grid
 * @param {Parameters<typeof board>[0]} options
 */
function pointer(root, grid, options) {
  const at = (/** @type {PointerEvent | MouseEvent} */ event, lift = 0) => {
    const box = root.getBoundingClientRect();
    const view = options.view();
    const cell = box.width / extent(view);
    return nearest(view, (event.clientX - box.left) / cell, (event.clientY - box.top) / cell - lift);
  };
  let dragged = false;
  let wheel = 0;
  grid.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") {
      // The finger hides the point, so the stone shows two cells above it.
      dragged = true;
      options.onHover?.(at(event, options.offsetTouch?.() ? 2 : 0));
    } else options.onHover?.(at(event));
  });
  grid.addEventListener("pointerdown", () => (dragged = false));
  // A mouse leaves the focus where it is, so that the arrows go on walking through the game.
  grid.addEventListener("mousedown", (event) => event.preventDefault());
  grid.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && options.onHover?.(null));
  grid.addEventListener("click", (event) => {
    const touch = /** @type {PointerEvent} */ (event).pointerType === "touch";
    const p = at(event);
    if (p && !(touch && dragged)) options.onPlay?.(p, touch ? "touch" : "mouse");
    if (p) options.onOpen?.(p);
  });
  /** Where the right button went down. @type {string | null} */
  let from = null;
  root.addEventListener("pointerdown", (event) => {
    from = event.button === 2 ? at(event) : null;
  });
  root.addEventListener("pointerup", (event) => {
    if (event.button !== 2) return;
    const to = at(event);
    if (!from || !to || !options.onMark?.(from, to)) options.onBack?.();
    from = null;
  });
  root.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    // A finger that rests, or a key: no button goes up.
    if (/** @type {PointerEvent} */ (event).pointerType !== "mouse") options.onBack?.();
  });
  root.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey || !options.onWheel) return;
      event.preventDefault();
      wheel += event.deltaY * (event.deltaMode === 1 ? 33 : 1);
      if (Math.abs(wheel) < 40) return;
      options.onWheel(wheel > 0 ? 1 : -1);
      wheel = 0;
    },
    { passive: false },
  );
}
