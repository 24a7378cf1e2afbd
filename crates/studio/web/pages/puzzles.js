// Puzzles by theme and one for every day: the server judges each move and defends best.

import { batch, computed, h, signal } from "../dom.js";
import { name, t } from "../i18n.js";
import * as display from "../model/display.js";
import { daily, dayOf, fail, nextOf, progressOf, solve, streak, THEMES } from "../model/puzzles.js";
import { hashOf, parseHash } from "../model/share.js";
import * as tree from "../model/tree.js";
import { api, post } from "../net.js";
import { choose, settings } from "../settings.js";
import { button, icon, notifyError } from "../ui.js";
import { smallBoard, viewOf } from "./small-board.js";

/** @typedef {import("../model/puzzles.js").Puzzle} Puzzle */
/** @typedef {"open" | "busy" | "right" | "wrong" | "unsettled" | "solved" | "shown"} State */

const progress = computed(() => progressOf(settings.value.forms.puzzles));
const keep = (/** @type {import("../model/puzzles.js").Progress} */ next) =>
  choose({ forms: { ...settings.peek().forms, puzzles: next } });

export function puzzlesPage() {
  /** @type {import("../dom.js").Signal<Puzzle[]>} */
  const all = signal(/** @type {Puzzle[]} */ ([]));
  const today = dayOf();
  const ofDay = computed(() => (all.value.length ? daily(all.value, today) : null));
  /** The theme that is shown, or `daily`. */
  const theme = signal("first");
  const list = computed(() =>
    theme.value === "daily" ? [ofDay.value].filter((one) => one !== null) : ofTheme(theme.value),
  );
  const at = signal(0);
  const puzzle = computed(() => list.value[at.value] ?? null);
  const moves = signal(/** @type {string[]} */ ([]));
  const state = signal(/** @type {State} */ ("open"));
  /** The last move that was tried, and how it loses. */
  const tried = signal(/** @type {string[]} */ ([]));
  /** How much was told: nothing, what to look for, the point. */
  const told = signal(0);
  /** What wins now. */
  const next = signal("");
  /** Whether nothing was tried in vain and nothing told. */
  let atOnce = true;

  const ofTheme = (/** @type {string} */ one) => all.value.filter((puzzle) => puzzle.theme === one);
  const solvedOf = (/** @type {Puzzle[]} */ some) => some.filter((one) => one.id in progress.value.solved).length;
  const setup = computed(() => (puzzle.value ? tree.readSetup(puzzle.value.setup, puzzle.value.size) : null));
  const view = computed(() => viewOf(puzzle.value?.size ?? 15, moves.value, setup.value));
  const side = () => /** @type {0 | 1} */ (((setup.value?.side ?? 0) + moves.value.length) % 2);

  const again = () =>
    batch(() => {
      moves.value = [];
      tried.value = [];
      state.value = "open";
      told.value = 0;
      next.value = puzzle.peek()?.keys[0] ?? "";
    });
  const go = (/** @type {number} */ to) => {
    at.value = to;
    atOnce = true;
    again();
    if (puzzle.peek()) history.replaceState(null, "", `#/puzzles?p=${puzzle.peek()?.id}`);
  };
  const step = (/** @type {number} */ by) =>
    go((at.peek() + by + list.peek().length) % Math.max(1, list.peek().length));
  const enter = (/** @type {string} */ wanted) => {
    theme.value = wanted;
    const first = list.peek().findIndex((one) => !(one.id in progress.peek().solved));
    go(Math.max(0, first));
  };
  const missed = () => {
    atOnce = false;
    if (!((puzzle.peek()?.id ?? "") in progress.peek().solved)) keep(fail(progress.peek()));
  };

  api("/api/puzzles").then((/** @type {Puzzle[]} */ found) => {
    all.value = found;
    const named = found.find((one) => one.id === parseHash(location.hash).values.get("p"));
    if (!named) return enter(THEMES.find((one) => solvedOf(ofTheme(one)) < ofTheme(one).length) ?? "first");
    theme.value = named.theme;
    go(list.peek().indexOf(named));
  }, notifyError);

  const play = async (/** @type {string} */ p, isShown = false) => {
    const one = puzzle.peek();
    if (!one || ["busy", "solved", "shown"].includes(state.peek()) || view.peek().stones.has(p)) return;
    const before = moves.peek();
    batch(() => {
      tried.value = [];
      moves.value = [...before, p];
      state.value = "busy";
      told.value = 0;
    });
    const back = (/** @type {State} */ to) => batch(() => ((moves.value = before), (state.value = to)));
    try {
      const position = { rule: one.rule, size: one.size, setup: one.setup, moves: before };
      const found = await post("/api/solve/try", { position, point: p, goal: one.goal });
      // Whoever has gone on to another puzzle wants to hear no more of this one.
      if (puzzle.peek() !== one || state.peek() !== "busy") return;
      if (!found.right) {
        tried.value = [p, ...(found.line ?? [])];
        back(found.settled ? "wrong" : "unsettled");
        if (found.settled) missed();
      } else if (found.over) {
        state.value = isShown ? "shown" : "solved";
        if (!isShown) keep(solve(progress.peek(), one.id, atOnce, one === ofDay.peek() ? today : ""));
      } else {
        batch(() => {
          moves.value = [...before, p, found.reply];
          next.value = found.next;
          state.value = "right";
        });
      }
    } catch (error) {
      if (puzzle.peek() === one) back("open");
      notifyError(error);
    }
  };
  const hint = () => {
    missed();
    told.value = Math.min(2, told.peek() + 1);
  };
  const showNext = () => {
    missed();
    play(next.peek(), true);
  };

  const over = () => {
    const now = view.value;
    /** @type {display.Prim[]} */
    const prims = [];
    const [wrong] = tried.value;
    if (wrong) prims.push(...display.preview(now, tried.value, side()));
    if (wrong && state.value === "wrong") prims.push(...display.verdict(now, wrong, false));
    if (told.value === 2) prims.push(...display.glow(now, [[next.value]]));
    if (state.value === "solved" || state.value === "right") {
      const mine = moves.value.at(state.value === "solved" ? -1 : -2);
      if (mine) prims.push(...display.verdict(now, mine, true));
    }
    return prims;
  };
  const said = () => {
    const one = puzzle.value;
    if (!one) return "";
    const values = { who: t(side() ? "white" : "black"), move: (tried.value[0] ?? "").toUpperCase() };
    if (state.value === "open" || state.value === "wrong") return t(`puzzle.${state.value}.${one.goal}`, values);
    return t(`puzzle.${state.value}`, values);
  };
  const isOver = () => state.value === "solved" || state.value === "shown";
  const solveHash = () =>
    hashOf(tree.create({ rule: puzzle.value?.rule, size: puzzle.value?.size, setup: setup.value })).replace(
      "play",
      "solve",
    );

  return h(
    "main",
    { class: "page puzzles" },
    h(
      "div",
      { class: "inner wide" },
      h("h1", null, () => t("page.puzzles")),
      h(
        "div",
        { class: "puzzle-grid" },
        h(
          "section",
          { class: "card explorer" },
          smallBoard({
            view: () => view.value,
            name: () => t("board.name", { size: puzzle.value?.size ?? 15 }),
            toMove: side,
            over,
            onPlay: play,
          }),
        ),
        h(
          "div",
          { class: "column" },
          h(
            "section",
            {
              class: "card puzzle",
              "data-puzzle": () => state.value,
              "data-id": () => puzzle.value?.id ?? "",
            },
            h(
              "h2",
              null,
              () => t(`theme.${theme.value}`),
              h("span", { class: "by" }, () =>
                theme.value === "daily" ? today : `${at.value + 1} / ${list.value.length}`,
              ),
            ),
            h(
              "p",
              { class: "said", role: "status" },
              () =>
                isOver() || state.value === "right" ? icon("check") : state.value === "wrong" ? icon("close") : null,
              h("span", null, said),
            ),
            h("p", { class: "hint", role: "status" }, () =>
              told.value === 2
                ? t("puzzle.point", { move: next.value.toUpperCase() })
                : told.value === 1 && puzzle.value
                  ? t(
                      moves.value.length
                        ? "puzzle.tell.go-on"
                        : `puzzle.tell.${puzzle.value.theme}-${puzzle.value.goal}`,
                    )
                  : "",
            ),
            () =>
              puzzle.value &&
              h(
                "p",
                { class: "hint" },
                h(
                  "span",
                  {
                    class: "stars",
                    role: "img",
                    "aria-label": t("puzzle.level", { n: puzzle.value.level }),
                    title: t("puzzle.level", { n: puzzle.value.level }),
                  },
                  Array.from({ length: 10 }, (_, i) => h("i", { class: i < (puzzle.value?.level ?? 0) ? "on" : "" })),
                ),
                ` ${name("rule", puzzle.value.rule)} · ${t("solve.plies", { n: puzzle.value.plies })}`,
              ),
            h(
              "div",
              { class: "row" },
              button(
                { "data-action": "puzzle-hint", disabled: () => isOver() || told.value === 2, onclick: hint },
                icon("hint"),
                () => t("action.hint"),
              ),
              button({ "data-action": "puzzle-solution", disabled: isOver, onclick: showNext }, icon("eye"), () =>
                t("puzzle.solution"),
              ),
              button({ "data-action": "puzzle-again", onclick: again }, icon("reset"), () => t("puzzle.again")),
            ),
            h(
              "div",
              { class: "row" },
              button({ "data-action": "puzzle-prev", onclick: () => step(-1) }, icon("prev"), () => t("puzzle.prev")),
              button(
                {
                  class: () => (isOver() ? "primary" : ""),
                  "data-action": "puzzle-next",
                  onclick: () => go(nextOf(list.peek(), at.peek(), progress.peek())),
                },
                () => t("puzzle.next"),
                icon("next"),
              ),
              h("span", { class: "gap" }),
              h("a", { class: "button", href: solveHash }, () => t("puzzle.solve")),
            ),
          ),
          h(
            "section",
            { class: "card" },
            h(
              "h2",
              null,
              () => t("puzzle.all"),
              h("span", { class: "by" }, () => t("puzzle.progress", { n: solvedOf(all.value), all: all.value.length })),
            ),
            h(
              "ul",
              { class: "themes" },
              ["daily", ...THEMES].map((one) =>
                h(
                  "li",
                  null,
                  button(
                    {
                      class: "plain",
                      "data-theme-of": one,
                      "aria-pressed": () => String(theme.value === one),
                      onclick: () => enter(one),
                    },
                    h("b", null, () => t(`theme.${one}`)),
                    () =>
                      one === "daily"
                        ? h("span", null, progress.value.day === today ? icon("check") : today)
                        : h("span", null, `${solvedOf(ofTheme(one))} / ${ofTheme(one).length}`),
                  ),
                ),
              ),
            ),
            h("p", { class: "hint", "data-streak": () => progress.value.row }, () =>
              t("puzzle.row", { n: progress.value.row, best: progress.value.best, days: streak(progress.value) }),
            ),
            h("div", { class: "puzzle-list" }, () =>
              list.value.map((one, i) =>
                button(
                  {
                    "aria-pressed": () => String(at.value === i),
                    class: () => ["", "solved late", "solved"][progress.value.solved[one.id] ?? 0],
                    title: `${name("rule", one.rule)} · ${t("puzzle.level", { n: one.level })}`,
                    "aria-label": () =>
                      [
                        i + 1,
                        t("puzzle.level", { n: one.level }),
                        one.id in progress.value.solved && t("puzzle.solved"),
                      ]
                        .filter(Boolean)
                        .join(", "),
                    onclick: () => go(i),
                  },
                  String(i + 1),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}
