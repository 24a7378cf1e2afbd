// The play page: rail of functions, board with its bar and tools, panels.

import { effect, h, signal } from "../dom.js";
import { lazily, t } from "../i18n.js";
import { withKey } from "../keys.js";
import { hasShares } from "../model/display.js";
import { short } from "../model/spec.js";
import { choose, settings } from "../settings.js";
import { button, icon, lazyPlace, segments, select } from "../ui.js";
import { boardView, candidates, isRevealed, overlay, threat, tool } from "./board-view.js";
import { actions, showThreat } from "./actions.js";
import { algorithm, doc, ended, newGame, paused, setAlgorithm, setSeat, undo, walk } from "./document.js";
import { lookHere, result } from "./rules.js";
import { movesPanel } from "./moves.js";
import { candidatesPanel, evalBar, evaluationPanel, seatsPanel, statusLine } from "./panels.js";
import { analysis, analyzing, balance, playBest, searches, stopAll, sweep, toggleAnalysis } from "./thinking.js";
import * as tree from "../model/tree.js";
import { viewText } from "./worth.js";

/**
 * Opens a dialog, whose module is loaded when it is first wanted.
 * @param {(module: typeof import("./lazy/dialogs.js")) => void} open
 */
const dialogs = (open) => void lazily(import("./lazy/dialogs.js")).then(open);

const openNew = () => dialogs((module) => module.newGameDialog());

/** @param {string} id @param {string} picture @param {() => void} act @param {Record<string, any>} [more] */
function railButton(id, picture, act, more = {}) {
  return button(
    { "data-action": id, title: () => t(`action.${id}.help`), onclick: act, ...more },
    icon(picture),
    h("span", null, () => t(`action.${id}`)),
  );
}

/** The functions of the papers' program, one to one, and a few more. */
function rail() {
  const slot = (/** @type {number} */ i) =>
    button(
      {
        "data-action": `algorithm-${i + 1}`,
        class: "alg",
        "aria-pressed": () => String(algorithm.value === settings.value.algs[i]),
        title: () => settings.value.algs[i] ?? "",
        hidden: () => !settings.value.algs[i],
        onclick: () =>
          algorithm.peek() === settings.peek().algs[i]
            ? dialogs((module) => module.algorithmDialog(i))
            : setAlgorithm(settings.peek().algs[i]),
      },
      h("b", null, String(i + 1)),
      h("span", null, () => short(settings.value.algs[i]).split(" ·")[0]),
    );
  return h(
    "nav",
    { class: "rail", "aria-label": () => t("functions") },
    railButton("reset", "reset", () => newGame()),
    railButton("new", "new", openNew),
    railButton("human-ai", "human", toggleSeat),
    railButton("undo", "undo", undo),
    railButton("self-play", "play", selfPlay),
    railButton("data-test", "test", dataTest),
    railButton("stop", "stop", stopAll, {
      class: "stop",
      disabled: () => !searches.value.length && !analyzing.value && !sweep.value,
    }),
    h("hr"),
    [0, 1, 2].map(slot),
    h("hr"),
    railButton("open", "open", actions.open),
    railButton("save", "save", actions.save),
    actions.more().map(([id, picture, act]) => railButton(id, picture, act)),
  );
}

/** Gives the side to move to the algorithm, or back to the person. */
function toggleSeat() {
  const now = doc.peek();
  const side = tree.toMove(now, now.tip);
  setSeat(side, now.seats[side].who === "human" ? { who: "player", spec: algorithm.peek() } : { who: "human" });
}

/** Any stones can be put down, and the evaluation is shown shape by shape for both sides. */
function dataTest() {
  choose({ mode: "analyze" });
  tab.value = "breakdown";
  tool.value ??= "black";
}

/** Both sides are played by the algorithm, from here. */
function selfPlay() {
  const now = doc.peek();
  const spec = algorithm.peek();
  if (!spec) return;
  if (result.peek()) newGame();
  const seat = (/** @type {0 | 1} */ i) =>
    now.seats[i].who === "player" ? now.seats[i] : /** @type {import("../types").Seat} */ ({ who: "player", spec });
  setSeat(0, seat(0));
  setSeat(1, seat(1));
  paused.value = false;
}

function toolbar() {
  const step = (/** @type {any} */ way, /** @type {string} */ picture, /** @type {string} */ id) =>
    button(
      {
        class: "plain",
        "data-action": id,
        "aria-label": () => t(`action.${id}`),
        title: () => withKey(t(`action.${id}`), id),
        onclick: () => walk(way),
      },
      icon(picture),
    );
  const extra = (
    /** @type {string} */ id,
    /** @type {string} */ picture,
    /** @type {() => void} */ act,
    /** @type {Record<string, any>} */ more = {},
  ) =>
    button(
      {
        "data-action": id,
        "aria-label": () => t(`action.${id}`),
        title: () => withKey(t(`action.${id}`), id),
        disabled: () => Boolean(result.value),
        onclick: act,
        ...more,
      },
      icon(picture),
    );
  const waiting = () =>
    paused.value && !result.value && doc.value.seats[tree.toMove(doc.value, doc.value.tip)].who === "player";
  return h(
    "div",
    { class: "toolbar" },
    step("start", "first", "start"),
    step("prev", "prev", "prev"),
    step("next", "next", "next"),
    step("end", "last", "end"),
    // On a phone these are under the thumb; elsewhere they stand in the rail.
    ["new", "undo"].map((id) =>
      button(
        {
          class: "thumb",
          "data-action": `${id}-here`,
          "aria-label": () => t(`action.${id}`),
          onclick: id === "new" ? openNew : undo,
        },
        icon(id),
      ),
    ),
    h("span", { class: "gap" }),
    () =>
      settings.value.mode === "analyze"
        ? [
            button(
              {
                class: () => (analysis.value === "on" ? "accent on" : "accent"),
                "data-action": "analyze",
                "data-analysis": () => analysis.value,
                "aria-pressed": () => String(analysis.value === "on"),
                title: () => withKey(t("action.analyze"), "analyze"),
                disabled: () => Boolean(result.value),
                onclick: toggleAnalysis,
              },
              icon("eye"),
              h("span", null, () => t(`analysis.${analysis.value}`)),
            ),
            extra("balance1", "scale", () => balance(1)),
            extra("threat", "flag", showThreat, { "aria-pressed": () => String(Boolean(threat.value)) }),
            button(
              {
                "data-action": "analyze-game",
                title: () => t("action.analyze-game.help"),
                onclick: review,
                disabled: () => Boolean(sweep.value),
              },
              icon("chart"),
              h("span", null, () => (sweep.value ? `${sweep.value[0]}/${sweep.value[1]}` : t("action.analyze-game"))),
            ),
          ]
        : [
            button(
              {
                "data-action": "hint",
                title: () => withKey(t("action.hint"), "hint"),
                disabled: () => Boolean(result.value),
                onclick: () => actions.hint(),
              },
              icon("hint"),
              h("span", null, () => t("action.hint")),
            ),
            button(
              {
                "data-action": "teacher",
                "aria-pressed": () => String(settings.value.teacher),
                class: () => (settings.value.teacher ? "on" : ""),
                "aria-label": () => t("teacher"),
                title: () => `${t("teacher")}: ${t("teacher.help")}`,
                onclick: () => choose({ teacher: !settings.peek().teacher }),
              },
              icon("teacher"),
            ),
            button(
              {
                "data-action": "resign",
                title: () => t("action.resign"),
                disabled: () => Boolean(result.value) || doc.value.tip === 0,
                onclick: actions.resign,
              },
              icon("flag"),
              h("span", null, () => t("action.resign")),
            ),
          ],
    button(
      {
        "data-action": "best",
        title: () => withKey(t("action.best"), "best"),
        disabled: () => Boolean(result.value),
        onclick: playBest,
      },
      icon("check"),
      h("span", null, () => t("action.best")),
    ),
    () =>
      waiting() &&
      button(
        { class: "accent", "data-action": "continue", onclick: () => (paused.value = false) },
        icon("play"),
        h("span", null, () => t("action.continue")),
      ),
  );
}

function overlayPicker() {
  return [
    select(
      () =>
        ["candidates", "values", "order", "policy", "static", "threats", "none"].map((one) => [
          one,
          t(`overlay.${one}`),
        ]),
      () => settings.value.overlay,
      (one) => choose({ overlay: one }),
      { "aria-label": () => t("overlay"), "data-action": "overlay", title: () => t("overlay") },
    ),
    () =>
      settings.value.overlay === "static" &&
      select(
        () => ["max", "black", "white"].map((one) => [one, t(`side.${one}`)]),
        () => settings.value.side,
        (one) => choose({ side: one }),
        { "aria-label": () => t("overlay.side"), "data-action": "side" },
      ),
  ];
}

function editBar() {
  return () => tool.value && lazyPlace(lazily(import("./lazy/edit.js")), (module) => module.editBar());
}

const tab = signal("moves");

const reviews = () => lazily(import("./lazy/review.js"));

/** Judges every move of the game, and shows what came of it. */
function review() {
  tab.value = "review";
  reviews().then((module) => module.startReview());
}

/** @param {(module: typeof import("./lazy/details.js")) => Node} make */
const details = (make) => lazyPlace(lazily(import("./lazy/details.js")), make);

function tabs() {
  const pages = /** @type {[string, () => any][]} */ ([
    ["moves", movesPanel],
    ["breakdown", () => details((module) => module.breakdownPanel())],
    ["depth", () => details((module) => module.depthPanel())],
    ["review", () => lazyPlace(reviews(), (module) => module.reviewPanel())],
  ]);
  return h(
    "section",
    { class: "card tabs" },
    h(
      "div",
      { role: "tablist", "aria-label": () => t("details") },
      pages.map(([id]) =>
        button(
          {
            role: "tab",
            id: `tab-${id}`,
            "aria-controls": "tab-panel",
            "aria-selected": () => String(tab.value === id),
            tabindex: () => (tab.value === id ? 0 : -1),
            onclick: () => (tab.value = id),
            onkeydown: (/** @type {KeyboardEvent} */ event) => {
              const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
              if (!step) return;
              event.stopPropagation();
              const at = pages.findIndex(([one]) => one === tab.peek());
              tab.value = pages[(at + step + pages.length) % pages.length][0];
              document.getElementById(`tab-${tab.peek()}`)?.focus();
            },
          },
          () => t(`tab.${id}`),
        ),
      ),
    ),
    h(
      "div",
      { role: "tabpanel", id: "tab-panel", class: "tab-panel", "aria-labelledby": () => `tab-${tab.value}` },
      () => pages.find(([id]) => id === tab.value)?.[1](),
    ),
  );
}

/** How the game ended, and what one may want next. */
const endCard = () =>
  settings.value.mode === "play" &&
  ended.value === doc.value.id &&
  lazyPlace(lazily(import("./lazy/end-card.js")), (module) => module.endCard(review));

const teacher = () => lazily(import("./lazy/teacher.js"));

/** What the teacher has to say, if there is one. */
const teacherCard = () => settings.value.teacher && lazyPlace(teacher(), (module) => module.teacherCard());

/** What another player thinks, if one is asked. */
const secondCard = () =>
  settings.value.second &&
  settings.value.mode === "analyze" &&
  lazyPlace(lazily(import("./lazy/second.js")), (module) => module.secondCard());

function modeSwitch() {
  return segments(
    () => t("mode"),
    () => [
      ["play", t("mode.play")],
      ["analyze", t("mode.analyze")],
    ],
    () => settings.value.mode,
    (mode) => choose({ mode }),
  );
}

/** The page. */
export function playPage() {
  const opened = signal(false);
  effect(() => {
    opened.value = Boolean(doc.value.opening);
  });
  effect(() => {
    if (!settings.value.teacher) return;
    let end = () => {};
    teacher().then((module) => (end = module.startTeacher()));
    return () => end();
  });
  return h(
    "main",
    { class: () => `play mode-${settings.value.mode}` },
    h("h1", { class: "sr-only" }, () => t("page.play")),
    rail(),
    h(
      "div",
      { class: "stage" },
      h("div", { class: "board-row" }, evalBar(), boardView([endCard, teacherCard])),
      editBar(),
      toolbar(),
      legend(),
    ),
    h(
      "div",
      { class: "panels" },
      h("div", { class: "panel-head" }, modeSwitch(), statusLine()),
      seatsPanel(),
      () => opened.value && lazyPlace(lazily(import("./lazy/protocol.js")), (module) => module.protocolCard()),
      () =>
        settings.value.mode === "analyze" || isRevealed.value
          ? [evaluationPanel(), candidatesPanel(), secondCard]
          : null,
      tabs(),
    ),
  );
}

/** What is drawn on the board, and what it means. */
function legend() {
  const points = () => lookHere.value?.explain?.points;
  const words = () =>
    overlay.value === "candidates"
      ? `${t("legend.candidates")} ${hasShares(candidates.value) ? t("column.completion.help") : t("column.win.help", { view: viewText() })}`
      : overlay.value === "values" && candidates.value.every((one) => one.w === null)
        ? t("legend.values.bare")
        : t(overlay.value === "static" && points()?.length === 0 ? "legend.no-points" : `legend.${overlay.value}`);
  return h(
    "div",
    { class: "legend-line", hidden: () => settings.value.mode !== "analyze" },
    overlayPicker(),
    h("span", { title: words }, words),
  );
}
