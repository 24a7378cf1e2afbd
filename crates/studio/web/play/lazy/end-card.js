// The end of a game over the board: how it ended, and what one may want next.

import { computed, h } from "../../dom.js";
import { t } from "../../i18n.js";
import { row } from "../../model/coords.js";
import { defaultText, format, parse } from "../../model/spec.js";
import { advised, withResult } from "../../model/levels.js";
import { infoOf } from "../../schema.js";
import { choose, settings } from "../../settings.js";
import { button, icon } from "../../ui.js";
import { doc, ended, newGame } from "../document.js";
import { endText, result } from "../rules.js";

/** @typedef {[import("../../types").Seat, import("../../types").Seat]} Seats */

/** The card. @param {() => void} review */
export function endCard(review) {
  const { seats } = doc.peek();
  const person = seats.findIndex((seat) => seat.who === "human");
  const foe = person >= 0 && seats[1 - person].who === "player" ? 1 - person : -1;
  const winner = () => (result.value?.winner === "white" ? 1 : result.value?.winner === "black" ? 0 : null);
  const title = () => {
    if (winner() === null) return t("draw");
    if (foe < 0) return t(winner() ? "over.white" : "over.black");
    return t(winner() === person ? "over.won" : "over.lost");
  };
  // The winning five stays in sight.
  const isBelow = computed(() => {
    const rows = (result.value?.line ?? []).map(row);
    return rows.reduce((sum, one) => sum + one, 0) >= (rows.length * (doc.value.size - 1)) / 2;
  });
  const next = (/** @type {Seats} */ given) => newGame({ seats: given });
  const spec = foe < 0 ? "" : (seats[foe].spec ?? "");
  const info = infoOf(spec);
  const param = info?.params.find((one) => one.name === "level");
  const args = parse(spec).args;
  const played = param ? Number(args.level ?? defaultText(param)) : 0;
  if (param && result.peek()) {
    const score = winner() === null ? 0.5 : winner() === person ? 1 : 0;
    const { forms } = settings.peek();
    const results = withResult(forms.results ?? [], [doc.peek().id, played, score]);
    if (results !== forms.results) choose({ forms: { ...forms, results } });
  }
  const level = (/** @type {1 | -1} */ step) => {
    if (!info || !param) return null;
    const to = played + step;
    if (to < (param.min ?? 1) || to > (param.max ?? 1)) return null;
    const given = /** @type {Seats} */ ([...seats]);
    given[foe] = { ...given[foe], spec: format(info, { ...args, level: String(to) }) };
    const isAdvised = () => advised(settings.value.forms.results ?? [], param.min ?? 1, param.max ?? 1) === to;
    return button(
      {
        class: () => (isAdvised() ? "accent" : ""),
        "data-action": step > 0 ? "level-up" : "level-down",
        onclick: () => next(given),
      },
      icon(step > 0 ? "up" : "down"),
      () => t("over.level", { n: to }),
    );
  };
  const before = document.activeElement;
  const close = () => {
    ended.value = "";
    if (before instanceof HTMLElement) before.focus();
    // Who gave up did it with a button that is off now.
    if (document.activeElement === document.body)
      /** @type {HTMLElement | null} */ (document.querySelector("[role=gridcell][tabindex='0']"))?.focus();
  };
  const card = h(
    "section",
    {
      tabindex: -1,
      "aria-describedby": "end-text",
      class: () => `end-card ${isBelow.value ? "" : "above"}`,
      role: "dialog",
      "aria-labelledby": "end-title",
      onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && (event.stopPropagation(), close()),
    },
    h(
      "header",
      null,
      h("h2", { id: "end-title" }, title),
      button(
        {
          class: "plain",
          "data-action": "end-close",
          "aria-label": () => t("close"),
          title: () => t("close"),
          onclick: close,
        },
        icon("close"),
      ),
    ),
    h("p", { id: "end-text" }, () => endText(result.value)),
    h(
      "div",
      { class: "row" },
      button({ class: "primary", "data-action": "rematch", onclick: () => next(seats) }, icon("reset"), () =>
        t("over.rematch"),
      ),
      button({ "data-action": "swap-sides", onclick: () => next([seats[1], seats[0]]) }, icon("flip"), () =>
        t("over.swap"),
      ),
      button(
        {
          "data-action": "end-review",
          onclick: () => {
            close();
            review();
          },
        },
        icon("chart"),
        () => t("action.analyze-game"),
      ),
      level(-1),
      level(1),
    ),
  );
  // The card and no button of it: the key that ended the game begins no other.
  queueMicrotask(() => card.focus());
  return card;
}
