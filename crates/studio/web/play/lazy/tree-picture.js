// The tree of moves as a picture to walk in: a stone for every node, a lane for every variation.

import { computed, effect, h, s, signal } from "../../dom.js";
import { t } from "../../i18n.js";
import { lanes } from "../../model/lanes.js";
import * as tree from "../../model/tree.js";
import { doc, show } from "../document.js";
import { fault } from "../thinking.js";

/** Pixels from stone to stone, and of a stone. */
const [STEP, R] = [26, 9];
/** A tree with more nodes is drawn only where one looks. */
const WHOLE = 3000;
/** Columns and lanes around the middle that are drawn then, and after how many of them it is drawn anew. */
const [NEAR, MOVED] = [60, 20];

export function treePicture() {
  const nodes = computed(() => doc.value.nodes);
  const places = computed(() => lanes({ ...doc.peek(), nodes: nodes.value }));
  const at = (/** @type {number} */ n) => n * STEP + STEP / 2 + 2;
  /** The middle of what one looks at, as text so that the same place is the same value. */
  const middle = signal("0 0");
  const picture = () => {
    const all = places.value;
    const far = all.reduce((most, one) => ({ x: Math.max(most.x, one.x), y: Math.max(most.y, one.y) }));
    return s(
      "svg",
      { width: at(far.x) + STEP, height: at(far.y) + STEP / 2, role: "img", "aria-label": t("tree.picture") },
      drawn,
    );
  };
  const drawn = () => {
    const now = doc.peek();
    const all = places.value;
    const isWhole = all.length <= WHOLE;
    const [x, y] = isWhole ? [0, 0] : middle.value.split(" ").map(Number);
    const isNear = (/** @type {number} */ id) =>
      isWhole || (Math.abs(all[id].x - x) < NEAR && Math.abs(all[id].y - y) < NEAR);
    const link = (/** @type {number} */ id) => {
      const [a, b] = [all[now.nodes[id].p], all[id]];
      const bend = a.y === b.y ? "" : ` V${at(b.y) - STEP / 2}`;
      return s("path", { d: `M${at(a.x)} ${at(a.y)}${bend} L${at(b.x)} ${at(b.y)}` });
    };
    const stone = (/** @type {number} */ id) => {
      const node = now.nodes[id];
      const side = id ? (tree.toMove(now, node.p) ? "white" : "black") : "root";
      return s(
        "g",
        {
          class: () => `${side} ${fault(node) ? "fault" : ""} ${doc.value.at === id ? "here" : ""}`,
          transform: `translate(${at(all[id].x)} ${at(all[id].y)})`,
          onclick: () => show(id),
        },
        s("title", null, id ? `${all[id].x}. ${(node.m ?? "").toUpperCase()}` : t("action.start")),
        s("circle", { r: id ? R : R / 2 }),
        id ? s("text", { y: 3.5 }, String(all[id].x)) : null,
      );
    };
    const ids = now.nodes.map((_, id) => id).filter(isNear);
    return [...ids.filter((id) => id).map(link), ...ids.map(stone)];
  };
  const box = h(
    "div",
    {
      class: "tree-picture scroll",
      tabindex: 0,
      role: "region",
      "aria-label": () => t("tree.picture"),
      onscroll: () => {
        const place = (/** @type {number} */ start, /** @type {number} */ length) =>
          Math.round((start + length / 2) / STEP / MOVED) * MOVED;
        middle.value = `${place(box.scrollLeft, box.clientWidth)} ${place(box.scrollTop, box.clientHeight)}`;
      },
    },
    picture,
  );
  effect(() => {
    const here = places.value[doc.value.at];
    requestAnimationFrame(() => {
      if (here) box.scrollTo({ left: at(here.x) - box.clientWidth / 2, top: at(here.y) - box.clientHeight / 2 });
    });
  });
  return box;
}
