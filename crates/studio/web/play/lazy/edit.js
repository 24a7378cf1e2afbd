// Setting up a position: stones put freely, labels, turns and mirrors, the side to move.

import { h } from "../../dom.js";
import { t } from "../../i18n.js";
import { SYMMETRIES } from "../../model/coords.js";
import * as tree from "../../model/tree.js";
import { button, icon, segments } from "../../ui.js";
import { arrowFrom, tool } from "../board-view.js";
import { edit, toMove } from "../document.js";

/** What a right click puts on a point, one after the other. */
const SIGNS = ["○", "△", "□", "×"];

export const editBar = () =>
  h(
    "div",
    { class: "edit-bar", role: "toolbar", "aria-label": () => t("edit") },
    segments(
      () => t("edit.tool"),
      () => ["black", "white", "erase", "label", "mark", "arrow"].map((one) => [one, t(`edit.${one}`)]),
      () => tool.value ?? "",
      (one) => {
        arrowFrom.value = null;
        tool.value = /** @type {any} */ (one);
      },
    ),
    editTools(),
    button({ class: "primary", "data-action": "edit-done", onclick: () => (tool.value = arrowFrom.value = null) }, () =>
      t("done"),
    ),
  );

/** Turns and mirrors, and the side to move, while setting up. */
function editTools() {
  const turn = (/** @type {number} */ symmetry) => edit((now) => tree.transform(now, symmetry));
  return [
    button(
      {
        class: "plain",
        "data-action": "rotate",
        title: () => t("edit.rotate"),
        "aria-label": () => t("edit.rotate"),
        onclick: () => turn(SYMMETRIES.rotate),
      },
      icon("rotate"),
    ),
    button(
      {
        class: "plain",
        "data-action": "flip",
        title: () => t("edit.flip"),
        "aria-label": () => t("edit.flip"),
        onclick: () => turn(SYMMETRIES.mirror),
      },
      icon("flip"),
    ),
    button(
      { "data-action": "side", onclick: () => edit((now) => setSide(now)) },
      h("i", { class: () => `stone small ${toMove.value ? "white" : "black"}` }),
      () => t(toMove.value ? "to-move.white" : "to-move.black"),
    ),
  ];
}

/** Hands the move to the other side. @param {import("../../types").Doc} now */
const setSide = (now) => ({
  ...tree.create({ rule: now.rule, size: now.size, seats: now.seats }),
  setup: tree.otherSide(now),
});

/** Puts, changes or takes a stone of the set-up. @param {string} p */
export function setUp(p) {
  const now = tool.peek();
  if (now === "mark") return mark(p, p);
  if (now === "arrow") {
    const from = arrowFrom.peek();
    arrowFrom.value = from ? null : p;
    if (from && from !== p) mark(from, p);
    return;
  }
  edit((before) => {
    if (now === "label") return relabel(before, p);
    const all = tree.stones(before);
    const has = all.get(p);
    if (now === "erase" || has?.color === (now === "white" ? 1 : 0)) all.delete(p);
    else all.set(p, { color: now === "white" ? 1 : 0, n: 0 });
    const of = (/** @type {0 | 1} */ color) => [...all].filter(([, stone]) => stone.color === color).map(([q]) => q);
    const setup = { black: of(0), white: of(1), side: before.setup?.side ?? tree.toMove(before) };
    const base =
      before.setup && before.nodes.length === 1
        ? before
        : tree.create({ rule: before.rule, size: before.size, seats: before.seats });
    return { ...base, setup };
  });
}

/** Puts the next sign on a point, or an arrow between two; what is there already goes. @param {string} from @param {string} to */
export function mark(from, to) {
  edit((before) => {
    const { x = [], y = [] } = before.nodes[before.at];
    if (from === to) {
      const sign = SIGNS[SIGNS.indexOf(x.find(([p]) => p === from)?.[1] ?? "") + 1];
      const others = x.filter(([p]) => p !== from);
      const next = sign ? [...others, /** @type {[string, string]} */ ([from, sign])] : others;
      return tree.annotate(before, before.at, { x: next.length ? next : undefined });
    }
    const others = y.filter(([a, b]) => a !== from || b !== to);
    const isNew = others.length === y.length;
    const next = isNew ? [...y, /** @type {import("../../types").Arrow} */ ([from, to, "arrow"])] : others;
    return tree.annotate(before, before.at, { y: next.length ? next : undefined });
  });
}

/** @param {import("../../types").Doc} before @param {string} p */
function relabel(before, p) {
  const list = before.nodes[before.at].x ?? [];
  const has = list.some(([q]) => q === p);
  const used = new Set(list.map(([, text]) => text));
  const free = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((letter) => !used.has(letter)) ?? "A";
  const next = has ? list.filter(([q]) => q !== p) : [...list, /** @type {[string, string]} */ ([p, free])];
  return tree.annotate(before, before.at, { x: next.length ? next : undefined });
}
