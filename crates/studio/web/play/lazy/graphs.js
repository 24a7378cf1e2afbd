// The graphs of a game: the chance to win, and what each move cost.

import { chart } from "../../pages/chart.js";
import { computed, h } from "../../dom.js";
import { t } from "../../i18n.js";
import { count, percent } from "../../model/fmt.js";
import { short } from "../../model/spec.js";
import * as tree from "../../model/tree.js";
import { doc, show } from "../document.js";
import { fault } from "../thinking.js";

const ids = computed(() => tree.line(doc.value));
/** Players in this line whose scores are no chances, so that nothing of theirs is drawn as one. */
const silent = computed(
  () => new Set(ids.value.map((id) => doc.value.nodes[id].a).flatMap((a) => (a?.e && a.w === null ? [a.by] : []))),
);

/** Black's chance after every move of the line; what was not analyzed is a gap. */
export function winGraph() {
  const plot = () => {
    const now = doc.value;
    const y = ids.value.map((id, i) => {
      const { w, by = "" } = now.nodes[id].a ?? {};
      if (silent.value.has(by)) return null;
      return typeof w === "number" ? (((now.setup?.side ?? 0) + i) % 2 ? 1 - w : w) : null;
    });
    const marks = ids.value.flatMap((id, i) => {
      const bad = fault(now.nodes[id]);
      const color = bad?.k === "mistake" ? "--warn" : "--bad";
      return bad && y[i] !== null ? [{ x: i, y: /** @type {number} */ (y[i]), color, wide: bad.turn }] : [];
    });
    return {
      series: [{ name: t("black"), color: "--accent", y, dots: true }],
      min: 0,
      max: 1,
      xMin: 0,
      xMax: Math.max(10, ids.value.length - 1),
      lines: [{ y: 0.5, color: "--line" }],
      marks,
      at: ids.value.indexOf(now.at),
      format: (/** @type {number} */ v) => percent(v, 0),
      formatX: (/** @type {number} */ x) => String(Math.round(x)),
    };
  };
  return h(
    "figure",
    null,
    h("figcaption", null, () => t("graph.win")),
    () =>
      [...silent.value].map((by) => h("p", { class: "hint", "data-silent": by }, t("graph.silent", { by: short(by) }))),
    chart(plot, { label: () => t("graph.win"), height: 92, onPick: pick }),
  );
}

/** @param {number} x */
function pick(x) {
  const list = ids.peek();
  show(list[Math.max(0, Math.min(list.length - 1, Math.round(x)))]);
}

/** Evaluations that each move cost: the papers' calculations per move. */
export function costGraph() {
  const plot = () => {
    const now = doc.value;
    const cost = ids.value.map((id) => now.nodes[id].n ?? null);
    const side = (/** @type {0 | 1} */ color) =>
      cost.map((n, i) => (i > 0 && ((now.setup?.side ?? 0) + i - 1) % 2 === color ? n : null));
    const xs = cost.map((_, i) => i);
    const only = (/** @type {0 | 1} */ color) => {
      const y = side(color);
      const keep = xs.filter((i) => y[i] !== null);
      return { x: keep, y: keep.map((i) => y[i]) };
    };
    return {
      series: [
        { name: t("black"), color: "--ink", dots: true, ...only(0) },
        { name: t("white"), color: "--accent", dots: true, dash: true, ...only(1) },
      ],
      log: true,
      xMin: 0,
      xMax: Math.max(10, ids.value.length - 1),
      at: ids.value.indexOf(now.at),
      format: count,
      formatX: (/** @type {number} */ x) => String(Math.round(x)),
    };
  };
  return h(
    "figure",
    null,
    h("figcaption", null, () => t("graph.cost")),
    chart(plot, { label: () => t("graph.cost"), height: 92, onPick: pick }),
  );
}
