// Behind the evaluation: every shape with its weight, and how the answer changed with depth.

import { computed, distinct, effect, h, untracked } from "../../dom.js";
import { t } from "../../i18n.js";
import { shapeName } from "../../pages/shapes.js";
import { count, fixed, plain, signed, time } from "../../model/fmt.js";
import { short } from "../../model/spec.js";
import { settings } from "../../settings.js";
import { lit } from "../board-view.js";
import { algorithm, doc } from "../document.js";
import { viewText, worth } from "../worth.js";
import { askOthers, lookHere, opinion } from "../rules.js";
import { shown } from "../thinking.js";
import { linesPart } from "./lines.js";

/** Why the static value is what it is: every shape, its count and its weight, for both sides. */
export function breakdownPanel() {
  const own = computed(() => lookHere.value?.explain);
  const other = computed(() =>
    own.value && !own.value.terms.length && opinion.value?.node === doc.value.at && opinion.value.game === doc.value.id
      ? opinion.value.explain
      : undefined,
  );
  const explained = computed(() => other.value ?? own.value);
  effect(() => {
    if (own.value && !own.value.terms.length)
      untracked(() => askOthers(settings.peek().algs.filter((one) => one !== algorithm.peek())));
  });
  const rows = computed(() => {
    /** @type {Map<string, { name: string, black?: import("../../types").Term, white?: import("../../types").Term }>} */
    const all = new Map();
    for (const term of explained.value?.terms ?? []) {
      const row = all.get(term.name) ?? { name: term.name };
      row[term.color] = term;
      all.set(term.name, row);
    }
    return [...all.values()];
  });
  const light = (/** @type {string[][]} */ lines) => ({
    onpointerenter: () => (lit.value = lines),
    onpointerleave: () => (lit.value = []),
  });
  const cell = (/** @type {import("../../types").Term | undefined} */ term) => [
    h("td", { class: "num", ...light(term?.lines ?? []) }, term?.count ? String(term.count) : "·"),
    h(
      "td",
      { class: "num weight", ...light(term?.lines ?? []) },
      term?.count ? (term.points ? signed(Math.round(term.points * 100) / 100) : "0") : "",
    ),
  ];
  const body = h("tbody", null, () =>
    rows.value.map((row) =>
      h(
        "tr",
        { class: row.black?.count || row.white?.count ? "" : "none" },
        h("th", { scope: "row" }, shapeName(row.name)),
        cell(row.black),
        cell(row.white),
        h("td", { class: "num weight" }, plain(row.black?.weight ?? row.white?.weight ?? 0)),
      ),
    ),
  );
  const total = () => worth(explained.value?.value);
  return h(
    "div",
    { class: "breakdown" },
    () => (rows.value.length ? null : h("p", { class: "empty" }, t("breakdown.none"))),
    () =>
      other.value &&
      h(
        "p",
        { class: "hint" },
        t("breakdown.other", { player: short(algorithm.value), by: short(other.value.player) }),
      ),
    h(
      "div",
      {
        class: "scroll",
        tabindex: 0,
        role: "region",
        "aria-label": () => t("tab.breakdown"),
        hidden: () => !rows.value.length,
      },
      h(
        "table",
        null,
        h("caption", null, () => t("breakdown.caption", { total: total(), view: viewText() })),
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("th", { scope: "col" }, () => t("column.shape")),
            h("th", { scope: "colgroup", colspan: 2, class: "num" }, () => t("black")),
            h("th", { scope: "colgroup", colspan: 2, class: "num" }, () => t("white")),
            h("th", { scope: "col", class: "num" }, () => t("column.weight")),
          ),
        ),
        body,
      ),
    ),
    linesPart(),
  );
}

/** @type {import("../../types").Iteration[]} */
const NONE = [];

/** How the answer changed with depth. */
export function depthPanel() {
  const rows = distinct(() => shown.value?.iterations ?? NONE);
  const factor = (/** @type {number} */ i) =>
    i && rows.value[i - 1].nodes ? fixed(rows.value[i].nodes / rows.value[i - 1].nodes, 1) : "–";
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": () => t("tab.depth") }, () =>
    rows.value.length
      ? h(
          "table",
          null,
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              ["depth", "move", "eval", "evals", "time", "branching"].map((id) =>
                h("th", { scope: "col", class: "num" }, t(`column.${id}`)),
              ),
            ),
          ),
          h(
            "tbody",
            null,
            rows.value.map((one, i) =>
              h(
                "tr",
                null,
                [one.depth, one.best.toUpperCase(), worth(one.e), count(one.evals), time(one.ms), factor(i)].map(
                  (cell) => h("td", { class: "num" }, cell),
                ),
              ),
            ),
          ),
        )
      : h("p", { class: "empty" }, t("depth.none")),
  );
}
