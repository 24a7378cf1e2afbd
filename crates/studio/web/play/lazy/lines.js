// The numbered five-cell lines through a point, with what each adds to its worth, as in Xie's figures 2 to 4.

import { computed, effect, h, signal } from "../../dom.js";
import { t } from "../../i18n.js";
import { readMoves } from "../../model/coords.js";
import { plain } from "../../model/fmt.js";
import { numbered, sums } from "../../model/lines.js";
import { hovered, lit } from "../board-view.js";
import { doc } from "../document.js";
import { lookHere } from "../rules.js";

/** The point pointed at or typed last, if any. */
const chosen = signal("");

/** A table for the point under the pointer, or for one that is typed; nothing for players without such lines. */
export function linesPart() {
  effect(() => {
    if (hovered.value) chosen.value = hovered.value;
  });
  const explained = computed(() => lookHere.value?.explain);
  const best = computed(() => {
    const points = explained.value?.points ?? [];
    const worth = points.map(([, black, white]) => Math.max(black, white));
    return points[worth.indexOf(Math.max(...worth))]?.[0] ?? "";
  });
  const place = computed(() => chosen.value || best.value);
  const all = computed(() => numbered(explained.value?.lines ?? [], doc.value.size));
  const lines = computed(() => all.value.filter(({ cells }) => cells.includes(place.value)));
  const light = (/** @type {string[]} */ cells) => ({
    onpointerenter: () => (lit.value = [cells]),
    onpointerleave: () => (lit.value = []),
  });
  const number = (/** @type {number} */ value) => h("td", { class: "num" }, plain(value));
  const field = h("input", {
    name: "lines-of",
    size: 4,
    maxlength: 3,
    value: () => place.value.toUpperCase(),
    onchange: (/** @type {any} */ event) => {
      const [p] = readMoves(event.target.value.trim().toLowerCase(), doc.peek().size) ?? [];
      if (p) chosen.value = p;
    },
  });
  const row = (/** @type {import("../../model/lines.js").NumberedLine} */ { n, cells, black, white }) =>
    h(
      "tr",
      { "data-line": n, ...light(cells) },
      h("th", { scope: "row" }, String(n)),
      h("td", null, `${cells[0]}–${cells[4]}`.toUpperCase()),
      number(black),
      number(white),
    );
  const total = () => {
    const { black, white, max } = sums(lines.value);
    return h(
      "tr",
      { "data-sum": max },
      h("th", { scope: "row", colspan: 2 }, t("lines.sum", { max: plain(max) })),
      number(black),
      number(white),
    );
  };
  const head = () => [
    ...["column.rank", "lines.cells"].map((id) => h("th", { scope: "col" }, t(id))),
    ...["black", "white"].map((id) => h("th", { scope: "col", class: "num" }, t(id))),
  ];
  return h(
    "div",
    { class: "lines", hidden: () => !explained.value?.lines?.length },
    h("label", { class: "row" }, () => t("lines.of"), field),
    h(
      "table",
      null,
      h("thead", null, h("tr", null, head)),
      h("tbody", null, () => lines.value.map(row)),
      h("tfoot", null, total),
    ),
  );
}
