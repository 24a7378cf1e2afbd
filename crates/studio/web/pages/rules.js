// The page of rules: what wins, what is forbidden, and how fair openings are played.

import { board } from "../board.js";
import { h } from "../dom.js";
import { name, t } from "../i18n.js";
import * as display from "../model/display.js";
import { colors } from "../play/board-view.js";
import { schema } from "../schema.js";
import { tutorial } from "./tutorial.js";

/**
 * A small picture of a position.
 * @param {string} black
 * @param {string} white
 * @param {{ win?: string, cross?: string, size?: number }} more
 * @param {() => string} label
 */
function picture(black, white, more, label) {
  const stones = new Map();
  black
    .split(" ")
    .filter(Boolean)
    .forEach((p) => stones.set(p, { color: 0, n: 0 }));
  white
    .split(" ")
    .filter(Boolean)
    .forEach((p) => stones.set(p, { color: 1, n: 0 }));
  /** @type {import("../types").View} */
  const view = {
    size: more.size ?? 9,
    coords: "none",
    stones,
    numbers: "none",
    last: null,
    win: (more.win ?? "").split(" ").filter(Boolean),
    forbidden: (more.cross ?? "")
      .split(" ")
      .filter(Boolean)
      .map((p) => [p, ""]),
  };
  return h(
    "figure",
    { class: "example" },
    board({
      view: () => view,
      layers: () => ({ back: display.backdrop(view), stones: display.stones(view), over: display.forbidden(view) }),
      colors: () => colors.value,
      label: (p) =>
        stones.has(p)
          ? t(stones.get(p).color ? "cell.white-set" : "cell.black-set", { place: p.toUpperCase() })
          : t("cell.empty", { place: p.toUpperCase() }),
      name: label,
    }),
    h("figcaption", null, label),
  );
}

export function rulesPage() {
  return h(
    "main",
    { class: "page" },
    h(
      "div",
      { class: "inner" },
      h("h1", null, () => t("page.rules")),
      tutorial(),
      h(
        "section",
        { class: "card prose illustrated" },
        h("h2", null, () => t("rules.aim")),
        h(
          "div",
          null,
          h("p", null, () => t("rules.aim.text")),
          h("h3", null, () => t("rules.kinds")),
          h("dl", { class: "rules-list" }, () =>
            (schema.value?.rules ?? []).map((rule) =>
              h("div", null, h("dt", null, name("rule", rule)), h("dd", null, t(`rule.${rule}.text`))),
            ),
          ),
        ),
        h(
          "div",
          { class: "examples" },
          picture("c5 d5 e5 f5 g5", "c6 d6 e4 f6", { win: "c5 d5 e5 f5 g5" }, () => t("rules.five")),
          picture("c3 d4 e5 f6 g7", "c4 d5 f5 h8", { win: "c3 d4 e5 f6 g7" }, () => t("rules.five-diagonal")),
        ),
      ),
      h(
        "section",
        { class: "card prose illustrated" },
        h("h2", null, () => t("rules.forbidden")),
        h("p", null, () => t("rules.forbidden.text")),
        h(
          "div",
          { class: "examples" },
          picture("d5 f5 e4 e6", "", { cross: "e5" }, () => t("ban.double-three")),
          picture("b5 c5 d5 e2 e3 e4", "", { cross: "e5" }, () => t("ban.double-four")),
          picture("b5 c5 d5 f5 g5", "", { cross: "e5" }, () => t("ban.overline")),
        ),
      ),
      h(
        "section",
        { class: "card prose" },
        h("h2", null, () => t("rules.openings")),
        h("p", null, () => t("rules.openings.text")),
      ),
    ),
  );
}
