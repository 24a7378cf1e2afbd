// A board for pages that are not the play page: stones, something over them, and what a press does.

import { board } from "../board.js";
import { signal } from "../dom.js";
import { t } from "../i18n.js";
import * as display from "../model/display.js";
import { colors } from "../play/board-view.js";
import { settings } from "../settings.js";

/** @typedef {import("../types").View} View */

/**
 * The view of moves played one after the other, with stones set up before them.
 * @param {number} size
 * @param {readonly string[]} moves
 * @param {import("../types").Setup | null} [setup]
 * @param {Partial<View>} [more]
 * @returns {View}
 */
export function viewOf(size, moves, setup = null, more = {}) {
  /** @type {View["stones"]} */
  const stones = new Map();
  setup?.black.forEach((p) => stones.set(p, { color: 0, n: 0 }));
  setup?.white.forEach((p) => stones.set(p, { color: 1, n: 0 }));
  moves.forEach((p, i) => stones.set(p, { color: /** @type {0 | 1} */ (((setup?.side ?? 0) + i) % 2), n: i + 1 }));
  return {
    size,
    coords: /** @type {any} */ (settings.value.coords),
    stones,
    numbers: "all",
    last: moves.at(-1) ?? null,
    win: [],
    forbidden: [],
    ...more,
  };
}

/**
 * @param {{
 *   view: () => View, name: () => string, over?: () => display.Prim[], note?: (p: string) => string,
 *   toMove?: () => 0 | 1, onPlay?: (p: string) => void, onBack?: () => void, onStep?: (step: 1 | -1) => void
 * }} options  `note` adds words to what a screen reader says of an empty point
 */
export function smallBoard(options) {
  const under = signal(/** @type {string | null} */ (null));
  const ghost = () =>
    options.onPlay && under.value && !options.view().stones.has(under.value)
      ? display.ghost(options.view(), under.value, options.toMove?.() ?? 0, false)
      : [];
  return board({
    view: options.view,
    layers: () => ({
      get back() {
        return display.backdrop(options.view());
      },
      get stones() {
        return display.stones(options.view());
      },
      get over() {
        return [...(options.over?.() ?? []), ...ghost()];
      },
    }),
    colors: () => colors.value,
    name: options.name,
    label: (p) => {
      const stone = options.view().stones.get(p);
      const place = p.toUpperCase();
      if (!stone) return [t("cell.empty", { place }), options.note?.(p)].filter(Boolean).join(", ");
      if (!stone.n) return t(stone.color ? "cell.white-set" : "cell.black-set", { place });
      return t(stone.color ? "cell.white" : "cell.black", { place, n: stone.n });
    },
    onPlay: (p) => options.onPlay?.(p),
    onHover: (p) => {
      if (options.onPlay && p !== under.peek()) under.value = p;
    },
    onBack: options.onBack,
    onWheel: options.onStep,
  });
}
