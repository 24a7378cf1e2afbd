// Puzzles: find the one move that wins by force; the server judges each move and defends best.

import { computed, h, signal } from "../dom.js";
import { name, t } from "../i18n.js";
import * as tree from "../model/tree.js";
import { api, post } from "../net.js";
import { choose as keep, settings } from "../settings.js";
import { button, icon, notifyError } from "../ui.js";
import { smallBoard, viewOf } from "./small-board.js";

export function puzzlesView() {
  const all = signal(/** @type {any[]} */ ([]));
  const at = signal(Number(settings.peek().forms.puzzle ?? 0));
  const moves = signal(/** @type {string[]} */ ([]));
  const state = signal(/** @type {"open" | "busy" | "right" | "wrong" | "solved"} */ ("open"));
  const tries = signal(0);
  api("/api/puzzles").then((list) => (all.value = list), notifyError);
  const puzzle = computed(() => all.value[Math.min(at.value, all.value.length - 1)] ?? null);
  const setup = computed(() => (puzzle.value ? tree.readSetup(puzzle.value.setup, puzzle.value.size) : null));
  const view = computed(() => viewOf(puzzle.value?.size ?? 15, moves.value, setup.value));
  const side = () => /** @type {0 | 1} */ (setup.value?.side ?? 0);
  const solved = computed(() => new Set(/** @type {string[]} */ (settings.value.forms.solved ?? [])));
  const go = (/** @type {number} */ to) => {
    at.value = (to + all.peek().length) % Math.max(1, all.peek().length);
    keep({ forms: { ...settings.peek().forms, puzzle: at.peek() } });
    again();
    tries.value = 0;
  };
  const again = () => {
    moves.value = [];
    state.value = "open";
  };
  const play = async (/** @type {string} */ p) => {
    const one = puzzle.peek();
    if (!one || state.peek() === "busy" || state.peek() === "solved" || view.peek().stones.has(p)) return;
    const before = moves.peek();
    moves.value = [...before, p];
    state.value = "busy";
    try {
      const found = await post("/api/solve/try", {
        position: { rule: one.rule, size: one.size, setup: one.setup, moves: before },
        point: p,
      });
      if (!found.wins) {
        tries.value++;
        state.value = "wrong";
        moves.value = before;
      } else if (found.over) {
        state.value = "solved";
        keep({ forms: { ...settings.peek().forms, solved: [...new Set([...solved.peek(), one.setup])] } });
      } else {
        moves.value = [...before, p, found.reply];
        state.value = "right";
      }
    } catch (error) {
      moves.value = before;
      state.value = "open";
      notifyError(error);
    }
  };
  return h(
    "div",
    { class: "puzzle-grid" },
    h(
      "section",
      { class: "card explorer" },
      smallBoard({
        view: () => view.value,
        name: () => t("board.name", { size: puzzle.value?.size ?? 15 }),
        toMove: side,
        onPlay: play,
      }),
      h(
        "div",
        { class: "row" },
        button({ "data-action": "puzzle-prev", onclick: () => go(at.peek() - 1) }, icon("prev"), () =>
          t("puzzle.prev"),
        ),
        button({ "data-action": "puzzle-again", onclick: again }, icon("reset"), () => t("puzzle.again")),
        h("span", { class: "gap" }),
        button(
          { class: "accent", "data-action": "puzzle-next", onclick: () => go(at.peek() + 1) },
          () => t("puzzle.next"),
          icon("next"),
        ),
      ),
    ),
    h(
      "div",
      { class: "column" },
      h(
        "section",
        { class: "card", "data-puzzle": () => state.value },
        h("h2", null, () => t("puzzle.title", { n: at.value + 1, all: all.value.length })),
        h("p", { class: "score", role: "status" }, () =>
          t(`puzzle.${state.value}`, { who: t(side() ? "white" : "black") }),
        ),
        () =>
          puzzle.value &&
          h(
            "p",
            { class: "hint" },
            `${name("rule", puzzle.value.rule)} · ${t(`solve.mode.${puzzle.value.kind}`)} · ${t("solve.plies", { n: puzzle.value.plies })}`,
          ),
        h("p", { class: "hint" }, () => t("puzzle.tries", { n: tries.value })),
        h(
          "footer",
          { class: "row" },
          button(
            {
              "data-action": "puzzle-solution",
              onclick: () =>
                puzzle.peek() &&
                ((location.hash = `#/solve?r=${puzzle.peek().rule}${puzzle.peek().size}&s=${puzzle.peek().setup.replaceAll(" ", "_")}`),
                location.reload()),
            },
            icon("eye"),
            () => t("puzzle.solution"),
          ),
        ),
      ),
      h(
        "section",
        { class: "card" },
        h("h2", null, () => t("puzzle.all")),
        h("div", { class: "puzzle-list" }, () =>
          all.value.map((one, i) =>
            button(
              {
                "aria-pressed": () => String(at.value === i),
                class: () => (solved.value.has(one.setup) ? "solved" : ""),
                title: `${name("rule", one.rule)} · ${t("solve.plies", { n: one.plies })}`,
                onclick: () => go(i),
              },
              String(i + 1),
            ),
          ),
        ),
      ),
    ),
  );
}
