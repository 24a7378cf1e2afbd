// The panels beside the board: who plays, what the position is worth and why, candidates and lines.

import { computed, distinct, each, h, signal } from "../dom.js";
import { lazily, name, t } from "../i18n.js";
import { live, liveList } from "../live.js";
import { weights } from "../model/display.js";
import { count, exact, percent, score, speed, time } from "../model/fmt.js";
import * as tree from "../model/tree.js";
import { settings } from "../settings.js";
import { button, icon, scrollTable, select } from "../ui.js";
import { candidates, line } from "./board-view.js";
import { algorithm, commit, doc, setSeat, toMove } from "./document.js";
import { endText, lookHere, result } from "./rules.js";
import { players } from "../schema.js";
import { searches, shown } from "./thinking.js";
import { clockOf } from "./clock.js";
import { short } from "../model/spec.js";

/** A panel with a heading. @param {any} title @param {Record<string, any>} props @param {...any} body */
export function card(title, props, ...body) {
  return h("section", { ...props, class: `card ${props.class ?? ""}` }, h("h2", null, title), ...body);
}

/** Whether scores are turned around: the view is Black's unless the settings say otherwise. @param {0 | 1} side */
export function flips(side) {
  const { view } = settings.value;
  return view === "mover" ? false : view === "white" ? side === 0 : side === 1;
}

/** Both sides: who plays them, and their clocks. */
export function seatsPanel() {
  return h("section", { class: "card seats", "aria-label": () => t("players") }, seatRow(0), seatRow(1));
}

/** @param {0 | 1} side */
function seatRow(side) {
  const seat = computed(() => doc.value.seats[side]);
  const thinking = distinct(() => searches.value.some((one) => one.kind === "move" && one.side === side));
  const options = () =>
    /** @type {[string, string][]} */ ([
      ["human", t("human")],
      ...known(seat.value.spec).map((one) => /** @type {[string, string]} */ ([one, short(one)])),
    ]);
  const pick = select(
    options,
    () => (seat.value.who === "human" ? "human" : (seat.value.spec ?? "")),
    (value) =>
      setSeat(side, value === "human" ? { who: "human" } : { who: "player", spec: value, limit: seat.peek().limit }),
    {
      "aria-label": () => t(side ? "seat.white" : "seat.black"),
      "data-seat": side ? "white" : "black",
    },
  );
  return h(
    "div",
    {
      class: () =>
        `seat ${!result.value && tree.toMove(doc.value, settings.value.mode === "analyze" ? doc.value.at : doc.value.tip) === side ? "to-move" : ""}`,
    },
    h("i", { class: `stone ${side ? "white" : "black"}`, "aria-hidden": "true" }),
    pick,
    h("span", { class: "seat-state", "aria-hidden": "true" }, () =>
      thinking.value ? h("span", { class: "dots" }, h("i"), h("i"), h("i")) : "",
    ),
    () => doc.value.clock && h("span", { class: "clock", "data-clock": side ? "white" : "black" }, () => clockOf(side)),
    button(
      {
        class: "plain",
        "aria-label": () => t("parameters"),
        title: () => t("parameters"),
        "data-action": side ? "white-parameters" : "black-parameters",
        onclick: () => lazily(import("./lazy/dialogs.js")).then((module) => module.seatDialog(side)),
      },
      icon("gear"),
    ),
  );
}

/** Players to choose from, with one that has parameters of its own. @param {string | undefined} spec */
function known(spec) {
  const list = players.value.map((one) => one.name);
  return spec && !list.includes(spec) ? [spec, ...list] : list;
}

/** Rule, board and how the game stands. */
export function statusLine() {
  return h("p", { class: "status", role: "status", "data-state": () => (result.value ? "over" : "open") }, () => {
    const end = result.value;
    if (end) return h("strong", null, endText(end));
    return [
      t(toMove.value ? "to-move.white" : "to-move.black"),
      " · ",
      name("rule", doc.value.rule),
      ` ${doc.value.size}×${doc.value.size}`,
    ];
  });
}

/** The papers' "data display": value, chance, depth, cost. */
export function evaluationPanel() {
  const side = toMove;
  const info = () => shown.value?.info;
  const statics = () => lookHere.value?.explain;
  const value = () => {
    const now = info();
    const e = now ? ("e" in now && now.e ? now.e : (now.cand[0]?.e ?? null)) : (statics()?.value ?? null);
    return score(e, flips(side.value));
  };
  const chance = () => {
    const now = info();
    const w = now ? ("w" in now && now.w !== null ? now.w : (now.cand[0]?.w ?? null)) : (statics()?.w ?? null);
    return w === null || w === undefined ? "–" : percent(flips(side.value) ? 1 - w : w);
  };
  const depth = () => {
    const now = info();
    return now ? (now.seldepth ? `${now.depth}–${now.seldepth}` : String(now.depth)) : t("static");
  };
  const cells = /** @type {[string, number, () => string, () => string][]} */ ([
    ["eval", 60, value, () => t("help.eval")],
    ["win", 54, chance, () => t("help.win")],
    ["depth", 50, depth, () => t("help.depth")],
    ["evals", 62, () => (info() ? count(info()?.evals ?? 0) : "–"), () => whole(info()?.evals)],
    ["nodes", 58, () => (info() ? count(info()?.nodes ?? 0) : "–"), () => whole(info()?.nodes)],
    ["speed", 72, () => (info()?.nps ? speed(info()?.nps ?? 0) : "–"), () => t("help.speed")],
    ["time", 60, () => (info() ? time(info()?.ms ?? 0) : "–"), () => t("help.time")],
  ]);
  return card(
    [
      () => t("evaluation", { view: t(`view.${settings.value.view}`) }),
      h("span", { class: "by" }, () => shown.value?.player ?? algorithm.value),
    ],
    { class: "evaluation" },
    h(
      "dl",
      { class: "numbers" },
      cells.map(([id, wide, text, help]) =>
        h(
          "div",
          { title: help, "data-number": id },
          h("dt", null, () => t(`number.${id}`)),
          h("dd", null, live(text, { wide, size: 15.5, bold: true })),
        ),
      ),
    ),
  );
}

/** @param {number | undefined} n */
const whole = (n) => (n === undefined ? "" : exact(n));

/** Candidates with probability, value and line. */
export function candidatesPanel() {
  const rows = computed(() => candidates.value.slice(0, Math.max(settings.value.lines, 8)));
  const shares = computed(() => weights(candidates.value));
  /**
   * The row under the pointer stays as it was when the pointer came.
   * @type {import("../dom.js").Signal<{ i: number, row: any } | null>}
   */
  const held = signal(/** @type {any} */ (null));
  const body = h("tbody", null);
  // Rows belong to ranks, so that better moves change what a row says and never where it is.
  each(
    body,
    () => rows.value.map((one, i) => ({ ...one, i, p: shares.value[i] })),
    (_, i) => i,
    (row) => {
      const i = row.peek().i;
      const now = () => (held.value?.i === i ? held.value.row : row.value);
      const cell = (/** @type {number} */ wide, /** @type {(one: any) => string} */ text) =>
        h(
          "td",
          { class: "num" },
          live(() => text(now()), { wide, align: "right" }),
        );
      return h(
        "tr",
        {
          "data-move": () => now().m,
          "data-changed": () => held.value?.i === i && held.value.row.pv.join() !== row.value.pv.join(),
          onpointerenter: () => hold(row.peek()),
          onpointerleave: () => hold(null),
        },
        h("td", null, String(i + 1)),
        h(
          "td",
          null,
          button(
            { class: "move", "aria-label": () => now().m.toUpperCase(), onclick: () => playLine(now().pv, 1) },
            live(() => now().m.toUpperCase(), { wide: 30, bold: true, color: "accent" }),
          ),
        ),
        cell(44, (one) => percent(one.p)),
        cell(50, (one) => score(one.e, flips(toMove.value))),
        cell(30, (one) => String(one.d || "–")),
        cell(50, (one) => (one.n ? count(one.n) : "–")),
        h(
          "td",
          { class: "pv" },
          h("span", { class: "changed", title: () => t("line.changed") }, "•"),
          pv(() => now().pv),
        ),
      );
    },
  );
  const hold = (/** @type {any} */ row) => {
    held.value = row && { i: row.i, row };
    line.value = row && settings.peek().preview ? row.pv : null;
  };
  const heads = ["rank", "move", "probability", "eval", "depth", "nodes", "line"];
  return card(
    () => t("candidates", { n: candidates.value.length }),
    { class: "candidates" },
    () =>
      rows.value.length
        ? null
        : h("p", { class: "empty" }, t(algorithm.value ? "candidates.none" : "error.no-algorithm")),
    scrollTable(
      () => t("candidates.table"),
      heads.map((id, i) => h("th", { scope: "col", class: i > 1 && i < 6 ? "num" : "" }, () => t(`column.${id}`))),
      body,
      { hidden: () => !rows.value.length },
    ),
  );
}

/** Pixels for a move of a line. */
const CHIP = 31;

/** A line: what is under the pointer is shown on the board, a press plays up to there. @param {() => string[]} moves */
function pv(moves) {
  const canvas = liveList(
    () =>
      moves()
        .slice(0, 14)
        .map((m) => m.toUpperCase()),
    CHIP,
    { wide: 14 * CHIP, size: 12, color: "soft" },
  );
  const at = (/** @type {MouseEvent} */ event) => Math.min(moves().length, 1 + Math.floor(event.offsetX / CHIP));
  const ahead = (/** @type {number} */ n) => {
    if (settings.peek().preview) line.value = moves().slice(0, n);
  };
  canvas.addEventListener(
    "pointermove",
    (/** @type {MouseEvent} */ event) => at(event) !== line.peek()?.length && ahead(at(event)),
  );
  canvas.addEventListener("click", (/** @type {MouseEvent} */ event) => playLine(moves(), at(event)));
  canvas.addEventListener("auxclick", () => addLine(moves()));
  canvas.addEventListener(
    "wheel",
    (/** @type {WheelEvent} */ event) => {
      event.preventDefault();
      ahead(Math.max(1, Math.min(moves().length, (line.peek()?.length ?? 0) + Math.sign(event.deltaY))));
    },
    { passive: false },
  );
  return canvas;
}

/** Goes along a line. @param {string[]} moves @param {number} n */
function playLine(moves, n) {
  const [next, at] = tree.playLine(doc.peek(), doc.peek().at, moves.slice(0, n));
  line.value = null;
  commit({ ...next, at }, { edit: true });
}

/** Keeps a line in the tree without going there. @param {string[]} moves */
function addLine(moves) {
  const [next] = tree.playLine(doc.peek(), doc.peek().at, moves);
  commit(next, { edit: true });
}

/** Black's chance at the node shown; the last known one while there is no other. */
let held = 0.5;
const black = computed(() => {
  const info = shown.value?.info;
  const w = info
    ? "w" in info && typeof info.w === "number"
      ? info.w
      : (info.cand[0]?.w ?? null)
    : lookHere.value?.explain?.w;
  if (w === null || w === undefined) return { w: held, fresh: false };
  held = toMove.value ? 1 - w : w;
  return { w: held, fresh: true };
});

export function evalBar() {
  const hide = () => settings.value.mode === "play";
  return h(
    "div",
    {
      class: "eval-bar",
      role: "img",
      hidden: hide,
      "data-fresh": () => String(black.value.fresh),
      "aria-label": () => t("bar", { share: percent(black.value.w) }),
      title: () => t("bar", { share: percent(black.value.w) }),
      style: () => ({ "--black": black.value.w.toFixed(4) }),
    },
    h("span", { class: "fill" }),
    h("span", { class: "half" }),
    h(
      "span",
      { class: "value" },
      live(() => (black.value.w * 100).toFixed(0), { wide: 16, size: 10, bold: true, color: "halo", align: "center" }),
    ),
  );
}
