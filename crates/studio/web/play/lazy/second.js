// Two players' opinions of the position that is shown, side by side.

import { computed, effect, h, onEnd, signal, untracked } from "../../dom.js";
import { t } from "../../i18n.js";
import { hasShares } from "../../model/display.js";
import { percent } from "../../model/fmt.js";
import { short } from "../../model/spec.js";
import { players } from "../../schema.js";
import { choose, settings } from "../../settings.js";
import { button, icon, scrollTable, select } from "../../ui.js";
import { candidates, otherBest } from "../board-view.js";
import { algorithm, doc } from "../document.js";
import { result } from "../rules.js";
import { analyzing, inSight, placeOf, searches, stopSearches, think } from "../thinking.js";
import { chanceText, worth } from "../worth.js";

/** @typedef {import("../../types").Candidate} Candidate */
/** Moves of each that are compared. */
const MOST = 5;

/** What the second has said, by place and player. @type {import("../../dom.js").Signal<Map<string, Candidate[]>>} */
const answers = signal(new Map());
const keyOf = (/** @type {string} */ player) => `${placeOf(doc.value, doc.value.at)} ${player}`;

/** Asks the second about every node that is shown, while the first analyzes. */
function follow() {
  const now = doc.value;
  const player = settings.value.second;
  const { lines, analysis: ms } = settings.value;
  const wanted = analyzing.value && inSight.value && player && !result.value && !answers.value.has(keyOf(player));
  untracked(() => {
    const isSame = (/** @type {import("../thinking.js").Search} */ one) =>
      one.kind === "second" && one.node === now.at && one.game === now.id && one.player === player;
    stopSearches((one) => one.kind === "second" && !(wanted && isSame(one)));
    if (!wanted || searches.peek().some((one) => isSame(one) && one.state === "thinking")) return;
    const key = keyOf(player);
    think("second", now.at, player, { multi_pv: lines, limits: ms ? { ms } : {} }, (best) => {
      const next = new Map(answers.peek());
      if (best.cand.length && !best.stopped) answers.value = next.set(key, best.cand);
    });
  });
}

export function secondCard() {
  const player = () => settings.value.second;
  const theirs = computed(() => {
    const running = searches.value.find(
      (one) => one.kind === "second" && one.node === doc.value.at && one.game === doc.value.id,
    );
    return answers.value.get(keyOf(player())) ?? running?.info?.cand ?? [];
  });
  const lists = () => [candidates.value.slice(0, MOST), theirs.value.slice(0, MOST)];
  effect(follow);
  effect(() => {
    otherBest.value = theirs.value[0]?.m ?? null;
  });
  onEnd(() => {
    otherBest.value = null;
    stopSearches((one) => one.kind === "second");
  });
  const verdict = () => {
    const [mine, other] = [candidates.value[0]?.m, theirs.value[0]?.m];
    if (!mine || !other) return t("second.none");
    return mine === other
      ? t("second.same", { move: mine.toUpperCase() })
      : t("second.differ", { one: mine.toUpperCase(), other: other.toUpperCase() });
  };
  const cell = (/** @type {Candidate[]} */ list, /** @type {string} */ move) => {
    const rank = list.findIndex((one) => one.m === move);
    const one = list[rank];
    if (!one) return [h("td", { class: "num" }, "–"), h("td")];
    return [
      h("td", { class: `num ${rank ? "" : "best"}` }, `${rank + 1}.`),
      h("td", { class: "num" }, one.p === null ? (one.w === null ? worth(one.e) : chanceText(one.w)) : percent(one.p)),
    ];
  };
  const column = (/** @type {Candidate[]} */ list) =>
    t(hasShares(list) ? "column.completion" : list.some((one) => one.w !== null) ? "column.win" : "column.eval");
  return h(
    "section",
    { class: "card second", "data-second": () => player() },
    h(
      "h2",
      null,
      () => t("second"),
      button(
        {
          class: "plain",
          "data-action": "second-close",
          "aria-label": () => t("close"),
          title: () => t("close"),
          onclick: () => choose({ second: "" }),
        },
        icon("close"),
      ),
    ),
    h("p", { role: "status" }, verdict),
    scrollTable(
      () => t("second"),
      [
        h("th", { scope: "col" }, () => t("column.move")),
        h("th", { scope: "col", colspan: 2 }, () => [short(algorithm.value), h("small", null, column(lists()[0]))]),
        h(
          "th",
          { scope: "col", colspan: 2 },
          select(
            () =>
              [...new Set([player(), ...settings.value.algs, ...players.value.map((one) => one.name)])].map((one) => [
                one,
                short(one),
              ]),
            player,
            (one) => choose({ second: one }),
            { name: "second", "aria-label": () => t("second") },
          ),
          h("small", null, () => column(lists()[1])),
        ),
      ],
      h("tbody", null, () => {
        const [mine, other] = lists();
        return [...new Set([...mine, ...other].map((one) => one.m))].map((move) =>
          h(
            "tr",
            { "data-move": move },
            h("th", { scope: "row" }, move.toUpperCase()),
            cell(mine, move),
            cell(other, move),
          ),
        );
      }),
    ),
  );
}
