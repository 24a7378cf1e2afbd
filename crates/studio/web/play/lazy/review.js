// The review of a game: what each move gave away, how well each side played, and lessons from its mistakes.

import { computed, effect, h, onEnd, signal } from "../../dom.js";
import { t } from "../../i18n.js";
import { readMoves } from "../../model/coords.js";
import { percent } from "../../model/fmt.js";
import { hashOf } from "../../model/share.js";
import { short } from "../../model/spec.js";
import * as tree from "../../model/tree.js";
import { players } from "../../schema.js";
import { choose, settings } from "../../settings.js";
import { button, icon } from "../../ui.js";
import { line } from "../board-view.js";
import { commit, doc, opener, show } from "../document.js";
import { lineMoves } from "../panels.js";
import { analyzing, chosenAlgorithm, fault, remember, sweep, think } from "../thinking.js";
import { costGraph, winGraph } from "./graphs.js";

/** A player that was asked and cannot review, as its scores are no chances. */
const unfit = signal("");

/** Has every move of the line shown judged by the algorithm, or by another player. @param {string} [by] */
export function startReview(by) {
  const player = by ?? chosenAlgorithm();
  const now = doc.peek();
  const end = tree.line(now).at(-1) ?? 0;
  if (!player || !end || sweep.peek()) return;
  const moves = tree.moves(now, end);
  analyzing.value = false;
  unfit.value = "";
  sweep.value = [0, moves.length + 1];
  const begun = judge(
    { node: end, position: tree.position(now, end), from: 1, player },
    (review, problem) => {
      sweep.value = null;
      if (problem === "no-chances") unfit.value = player;
      if (review && !review.stopped && doc.peek().id === now.id) write(review, moves, player);
    },
    (message) => {
      if (sweep.peek()) sweep.value = [message.done, message.total];
      const found = { kind: /** @type {const} */ ("review"), game: now.id, player };
      if (message.best) remember({ ...found, moves: moves.slice(0, message.ply) }, message.best);
    },
  );
  if (begun === null) sweep.value = null;
}

/**
 * Has moves judged, from one of them on.
 * @param {{ node: number, position: import("../../types").Position, from: number, player: string }} what
 * @param {(review: import("../../types").Review | null, problem?: string) => void} done
 * @param {import("../thinking.js").Search["heard"]} [heard]
 */
const judge = ({ node, position, from, player }, done, heard) =>
  think("review", node, player, { t: "review", position, from, limits: { ms: settings.peek().sweep } }, done, heard);

/** Writes the verdicts on the moves. @param {import("../../types").Review} review @param {string[]} moves @param {string} by */
function write(review, moves, by) {
  let next = doc.peek();
  for (const { ply, kind, loss, line, plies, turn } of review.moves) {
    const at = tree.find(next, moves.slice(0, ply));
    const r = { k: kind, l: loss, line: line.slice(0, 16), ...(plies ? { n: plies } : {}), ...(turn ? { turn } : {}) };
    if (at > 0) next = tree.annotate(next, at, { r });
  }
  commit({ ...next, review: { by, accuracy: review.accuracy, moves: moves.join("") } }, { soon: true });
}

/** The line that was reviewed, also while another is shown. */
const reviewed = computed(() => {
  const now = doc.value;
  const end = tree.find(now, readMoves(now.review?.moves ?? "", now.size) ?? []);
  return end > 0 ? tree.path(now, end) : tree.line(now);
});
/** Whether neither the game nor the line that is shown is the one that was reviewed. */
const isOld = computed(() => {
  const now = doc.value;
  const ends = [now.tip, tree.line(now).at(-1)];
  return Boolean(now.review?.moves) && ends.every((end) => tree.moves(now, end).join("") !== now.review?.moves);
});
/** The moves of it that gave something away. */
const faults = computed(() => reviewed.value.filter((id) => fault(doc.value.nodes[id])));
const sideOf = (/** @type {number} */ id) => tree.toMove(doc.value, doc.value.nodes[id].p);

/** A lesson: the mistakes of a side, and which of them is to be mended. @type {import("../../dom.js").Signal<{ ids: number[], i: number } | null>} */
const lesson = signal(/** @type {any} */ (null));

/** The mode to go back to after a lesson. */
let modeBefore = "";

/** Ends the lesson. */
function leave() {
  if (lesson.peek()) choose({ mode: modeBefore });
  lesson.value = null;
}

/** The tab: accuracy, graphs and mistakes, or the lesson. */
export function reviewPanel() {
  onEnd(leave);
  return h("div", { class: "graphs review" }, () => (lesson.value ? lessonCard() : summary()));
}

/** What starts a review. */
const starter = () =>
  h(
    "p",
    null,
    button(
      {
        class: "primary",
        "data-action": "review",
        disabled: () => Boolean(sweep.value) || doc.value.nodes.length < 2,
        onclick: () => startReview(),
      },
      icon("chart"),
      () => (sweep.value ? t("review.busy", { n: sweep.value[0], all: sweep.value[1] }) : t("review.start")),
    ),
  );

/** What to do where the chosen player cannot review. */
function instead() {
  const other = players.value.find((one) => one.name === "engine")?.name;
  return h(
    "p",
    { role: "alert", "data-unfit": unfit.value },
    t("review.unfit", { by: short(unfit.value) }),
    " ",
    other &&
      button({ "data-action": "review-with", onclick: () => startReview(other) }, t("review.with", { by: other })),
  );
}

function summary() {
  return [
    () => (unfit.value ? instead() : null),
    () => (isOld.value && !sweep.value ? h("p", { role: "status", "data-old": "" }, t("review.old")) : null),
    () => (doc.value.review ? h("div", { class: "sides" }, sideRow(0), sideRow(1)) : null),
    () => (doc.value.review && !isOld.value ? null : starter()),
    winGraph(),
    h("ul", { class: "faults" }, () => faults.value.map(faultRow)),
    () => (doc.value.review ? everyMove() : null),
    () =>
      doc.value.review && !faults.value.length && !sweep.value ? h("p", { class: "hint" }, t("review.clean")) : null,
    costGraph(),
  ];
}

/** @param {0 | 1} side */
function sideRow(side) {
  const mine = () => faults.value.filter((id) => sideOf(id) === side);
  return h(
    "div",
    { "data-accuracy": side ? "white" : "black" },
    h("i", { class: `stone small ${side ? "white" : "black"}`, "aria-hidden": "true" }),
    h("span", { class: "sr-only" }, () => t(side ? "white" : "black")),
    h("b", { title: () => t("review.accuracy.help") }, () => percent(doc.value.review?.accuracy[side], 0)),
    h("span", null, () => t("review.accuracy")),
    button(
      {
        "data-action": `learn-${side ? "white" : "black"}`,
        hidden: () => !mine().length,
        onclick: () => begin(mine()),
      },
      () => t("review.learn", { n: mine().length }),
    ),
  );
}

/** What a mistake was, in words. @param {number} id */
function words(id) {
  const r = fault(doc.value.nodes[id]);
  return r ? t(`review.${r.k}`, { loss: Math.round(r.l * 100), n: r.n ?? 0 }) : "";
}

/** @param {number} id */
function faultRow(id) {
  const r = fault(doc.value.nodes[id]);
  return h(
    "li",
    { "data-fault": r?.k },
    button(
      { class: "plain", onclick: () => show(id), "aria-current": () => (doc.value.at === id ? "true" : false) },
      h("i", { class: `stone small ${sideOf(id) ? "white" : "black"}`, "aria-hidden": "true" }),
      h("b", null, `${tree.depth(doc.value, id)}. ${(doc.value.nodes[id].m ?? "").toUpperCase()}`),
      h("span", null, words(id), r?.turn ? ` · ${t("review.turn")}` : ""),
    ),
    r?.n && r.line.length ? forcedLine(id, r) : null,
  );
}

/** The forced win that was missed, from before the move, or allowed, from after it. @param {number} id @param {import("../../types").Verdict} r */
function forcedLine(id, r) {
  const base = () => (r.k === "missed-block" ? id : doc.peek().nodes[id].p);
  return lineMoves(
    () => r.line,
    (n) => doc.peek().at === base() && (line.value = r.line.slice(0, n)),
    (n) => {
      const [next, at] = tree.playLine(doc.peek(), base(), r.line.slice(0, n));
      commit({ ...next, at }, { edit: true });
    },
    tree.depth(doc.peek(), id),
  );
}

/** What each move gave away, in points. */
const everyMove = () =>
  h(
    "details",
    { class: "every", open: () => Boolean(settings.value.forms.every) },
    h(
      "summary",
      {
        onclick: (/** @type {Event} */ event) => {
          event.preventDefault();
          choose({ forms: { ...settings.peek().forms, every: !settings.peek().forms.every } });
        },
      },
      () => t("review.every"),
    ),
    h("ol", null, () =>
      reviewed.value.flatMap((id) => {
        const { r, m = "" } = doc.value.nodes[id];
        return r
          ? h(
              "li",
              { "data-loss": Math.round(r.l * 100), class: fault({ p: 0, r }) ? r.k : false },
              button(
                {
                  class: "plain",
                  onclick: () => show(id),
                  "aria-current": () => (doc.value.at === id ? "true" : false),
                },
                `${tree.depth(doc.value, id)}. ${m.toUpperCase()}`,
                h("b", null, r.l < 0.005 ? "0" : `−${Math.round(r.l * 100)}`),
              ),
            )
          : [];
      }),
    ),
  );

/** Starts a lesson. @param {number[]} ids */
function begin(ids) {
  modeBefore = settings.peek().mode;
  choose({ mode: "play" });
  lesson.value = { ids, i: 0 };
}

/** One mistake: the board stands before it, a press tries a move, the server judges. */
function lessonCard() {
  const { ids, i } = /** @type {{ ids: number[], i: number }} */ (lesson.value);
  const id = ids[i];
  const now = doc.peek();
  const before = now.nodes[id].p;
  const side = tree.toMove(now, before);
  const best = now.nodes[before].a?.cand[0]?.pv ?? [];
  const state = signal(/** @type {"find" | "busy" | "right" | "wrong" | "shown"} */ ("find"));
  const tried = signal(/** @type {import("../../types").Review["moves"][0] | null} */ (null));
  const pending = signal(/** @type {string[]} */ ([]));
  const said = () => ({
    move: (state.value === "shown" ? best[0] : (pending.value[0] ?? "")).toUpperCase(),
    loss: Math.round((tried.value?.loss ?? 0) * 100),
    share: percent(tried.value?.w, 0),
  });
  const press = (/** @type {string} */ p) => {
    const player = now.review?.by ?? now.nodes[before].a?.by ?? chosenAlgorithm();
    if (state.peek() === "busy" || !tree.isFree(doc.peek(), before, p) || !player) return;
    pending.value = [p];
    state.value = "busy";
    const position = tree.position(doc.peek(), before);
    position.moves.push(p);
    const begun = judge({ node: before, position, from: position.moves.length, player }, (review) => {
      const verdict = review?.moves[0];
      if (!verdict) return void (state.value = "find");
      const isBad = !["only", "best", "good"].includes(verdict.kind);
      tried.value = verdict;
      state.value = isBad ? "wrong" : "right";
      if (verdict.kind === "missed-block") pending.value = [p, ...verdict.line];
    });
    if (begun === null) state.value = "find";
  };
  const solve = () => {
    pending.value = [];
    state.value = "shown";
    line.value = best;
  };
  const go = (/** @type {number} */ to) => (to < ids.length ? (lesson.value = { ids, i: to }) : leave());
  queueMicrotask(() => show(before));
  effect(() => {
    opener.value = { press, pending: pending.value, offers: false, marks: [] };
  });
  onEnd(() => (opener.value = null));
  return h(
    "div",
    { class: "lesson", "data-lesson": () => state.value },
    h("h2", null, t("lesson.title", { n: i + 1, all: ids.length })),
    h(
      "p",
      null,
      t("lesson.played", { who: t(side ? "white" : "black"), move: (now.nodes[id].m ?? "").toUpperCase() }),
      " ",
      words(id),
    ),
    h("p", { class: "score", role: "status" }, () =>
      t(`lesson.${state.value}`, { who: t(side ? "white" : "black"), ...said() }),
    ),
    h(
      "div",
      { class: "row" },
      button({ "data-action": "lesson-solution", onclick: solve, disabled: () => !best.length }, icon("hint"), () =>
        t("lesson.solution"),
      ),
      () =>
        (state.value === "shown" || state.value === "right") && now.nodes[id].r?.k === "missed-win"
          ? h(
              "a",
              { class: "button", href: hashOf({ ...doc.value, at: before }).replace("play", "solve") },
              t("lesson.proof"),
            )
          : null,
      h("span", { class: "gap" }),
      button({ "data-action": "lesson-end", onclick: leave }, () => t("lesson.end")),
      button({ class: "primary", "data-action": "lesson-next", onclick: () => go(i + 1) }, () =>
        t(i + 1 < ids.length ? "lesson.next" : "done"),
      ),
    ),
  );
}
