// The teacher: judges a person's move before the other side may answer it, and stops the game after a blunder.

import { effect, h, signal, untracked } from "../../dom.js";
import { t } from "../../i18n.js";
import { row } from "../../model/coords.js";
import * as tree from "../../model/tree.js";
import { players } from "../../schema.js";
import { button, icon } from "../../ui.js";
import { line } from "../board-view.js";
import { algorithm, commit, doc, show } from "../document.js";
import { result } from "../rules.js";
import { isHeld, passed, placeOf, stopSearches, think } from "../thinking.js";

/** Milliseconds for each of the two positions, if that is enough. */
const TIME = 400;
/** What the teacher stops a game for. */
const GRAVE = ["blunder", "missed-win", "missed-block"];

/** @typedef {import("../../types").Review["moves"][0]} Verdict */
/** What was found wrong, with the moves that show it. @type {import("../../dom.js").Signal<{ place: string, node: number, verdict: Verdict, refutation: string[] } | null>} */
const fault = signal(/** @type {any} */ (null));
let asked = "";

/** Whoever can judge: the engine if there is one. */
const judge = () => players.peek().find((one) => one.name === "engine")?.name ?? algorithm.peek();

/** Looks at every move that waits to be answered. */
export const startTeacher = () =>
  effect(() => {
    const now = doc.value;
    const place = placeOf(now, now.tip);
    const wanted = isHeld(now) && (now.at !== now.tip || !result.value);
    untracked(() => {
      if (fault.peek() && fault.peek()?.place !== place) fault.value = null;
      if (!wanted) asked = "";
      if (wanted && asked !== place) look(now, place);
    });
  });

/** @param {import("../../types").Doc} now @param {string} place */
function look(now, place) {
  asked = place;
  stopSearches((one) => one.kind === "teacher");
  const position = tree.position(now, now.tip);
  const from = position.moves.length;
  /** @type {string[]} */
  let refutation = [];
  const begun = think(
    "teacher",
    now.tip,
    judge(),
    { t: "review", position, from, limits: { ms: TIME } },
    (review) => {
      if (asked !== place) return;
      const verdict = review?.moves[0];
      if (!verdict || !GRAVE.includes(verdict.kind)) passed.value = place;
      else fault.value = { place, node: now.tip, verdict, refutation };
    },
    (message) => {
      if (message.ply === from) refutation = message.best?.cand[0]?.pv ?? [];
    },
  );
  if (begun === null) passed.value = place;
}

/** The card over the board, while the game is stopped. */
export const teacherCard = () => h("div", { class: "lazy" }, () => fault.value && card(fault.value));

/** @param {NonNullable<typeof fault.value>} found */
function card({ place, node, verdict, refutation }) {
  const now = doc.peek();
  const move = now.nodes[node].m ?? "";
  const before = now.nodes[node].p;
  const goOn = () => {
    line.value = null;
    passed.value = place;
    fault.value = null;
  };
  const back = () => {
    fault.value = null;
    commit({ ...doc.peek(), at: before, tip: before, end: null });
  };
  const why = () => {
    const isMissed = verdict.kind === "missed-win";
    show(isMissed ? before : node);
    // The line goes with the node that was shown before.
    queueMicrotask(() => (line.value = isMissed ? verdict.line : refutation));
  };
  const primary = button({ class: "primary", "data-action": "teacher-back", onclick: back }, icon("undo"), () =>
    t("teacher.back"),
  );
  queueMicrotask(() => primary.focus());
  return h(
    "section",
    {
      class: `end-card ${row(move) * 2 >= now.size ? "" : "above"}`,
      role: "alertdialog",
      "aria-labelledby": "teacher-title",
      "aria-describedby": "teacher-text",
      "data-teacher": verdict.kind,
      onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && (event.stopPropagation(), goOn()),
    },
    h(
      "header",
      null,
      h("h2", { id: "teacher-title" }, () => t("teacher")),
    ),
    h("p", { id: "teacher-text" }, () =>
      t(`teacher.${verdict.kind}`, {
        move: move.toUpperCase(),
        loss: Math.round(verdict.loss * 100),
        n: Math.abs(verdict.plies ?? 0),
      }),
    ),
    h(
      "div",
      { class: "row" },
      primary,
      button({ "data-action": "teacher-why", onclick: why }, icon("eye"), () => t("teacher.why")),
      button({ "data-action": "teacher-on", onclick: goOn }, icon("play"), () => t("teacher.on")),
    ),
  );
}
