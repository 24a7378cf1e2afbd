// The panels beside the board: who plays, what the position is worth and why, candidates and lines.

import { computed, distinct, each, h, signal } from "../dom.js";
import { lazily, name, t } from "../i18n.js";
import { live } from "../live.js";
import { hasShares } from "../model/display.js";
import { count, exact, percent, speed, time } from "../model/fmt.js";
import * as tree from "../model/tree.js";
import { choose, settings } from "../settings.js";
import { button, icon, scrollTable, select } from "../ui.js";
import { candidates, line } from "./board-view.js";
import { algorithm, commit, doc, setSeat, toMove } from "./document.js";
import { endText, lookHere, result } from "./rules.js";
import { players } from "../schema.js";
import { searches, shown } from "./thinking.js";
import { chanceText, claimText, viewText, worth } from "./worth.js";
import { clockOf } from "./clock.js";
import { short } from "../model/spec.js";

/** A panel with a heading. @param {any} title @param {Record<string, any>} props @param {...any} body */
export function card(title, props, ...body) {
  return h("section", { ...props, class: `card ${props.class ?? ""}` }, h("h2", null, title), ...body);
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
      ["human", (seat.value.who === "human" && doc.value.names[side]) || t("human")],
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
      class: () => `seat ${!result.value && toMove.value === side ? "to-move" : ""}`,
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
  const info = () => shown.value?.info;
  const statics = () => lookHere.value?.explain;
  const value = () => {
    const now = info();
    return now ? ("e" in now && now.e ? now.e : (now.cand[0]?.e ?? null)) : (statics()?.value ?? null);
  };
  const chance = () => {
    const now = info();
    return chanceText(now ? ("w" in now && now.w !== null ? now.w : (now.cand[0]?.w ?? null)) : (statics()?.w ?? null));
  };
  const proved = () => {
    const now = info();
    return Boolean(now && ("proved" in now ? now.proved : now.cand[0]?.proved));
  };
  const said = distinct(() => claimText(value(), proved()));
  const depth = () => {
    const now = info();
    return now ? (now.seldepth ? `${now.depth}–${now.seldepth}` : String(now.depth)) : t("static");
  };
  const cells = /** @type {[string, number, () => string, () => string][]} */ ([
    ["eval", 60, () => worth(value(), toMove.value, proved()), () => t("help.eval")],
    ["win", 54, chance, () => t("help.win")],
    ["depth", 50, depth, () => t("help.depth")],
    ["evals", 62, () => (info() ? count(info()?.evals ?? 0) : "–"), () => whole(info()?.evals)],
    ["nodes", 58, () => (info() ? count(info()?.nodes ?? 0) : "–"), () => whole(info()?.nodes)],
    ["speed", 72, () => (info()?.nps ? speed(info()?.nps ?? 0) : "–"), () => t("help.speed")],
    ["time", 60, () => (info() ? time(info()?.ms ?? 0) : "–"), () => t("help.time")],
  ]);
  return card(
    [
      () => t("evaluation", { view: viewText() }),
      h("span", { class: "by" }, () => shown.value?.player ?? algorithm.value),
    ],
    { class: "evaluation" },
    () => said.value && h("p", { class: "claim" }, said.value),
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

/** Moves of a line that are shown. */
const PLIES = 24;

/** Candidates with chance and value, and under each its line. */
export function candidatesPanel() {
  const rows = computed(() => candidates.value.slice(0, Math.max(settings.value.lines, 8)));
  /**
   * The row under the pointer stays as it was when the pointer came.
   * @type {import("../dom.js").Signal<{ i: number, row: any } | null>}
   */
  const held = signal(/** @type {any} */ (null));
  const hold = (/** @type {any} */ row) => {
    held.value = row && { i: row.i, row };
    line.value = row && settings.peek().preview ? row.pv : null;
  };
  const body = h("tbody", null);
  // Rows belong to ranks, so that better moves change what a row says and never where it is.
  each(
    body,
    () => rows.value.flatMap((one, i) => [false, true].map((isLine) => ({ ...one, i, isLine }))),
    ({ i, isLine }) => `${i}${isLine}`,
    (row) => {
      const { i, isLine } = row.peek();
      const now = () => (held.value?.i === i ? held.value.row : row.value);
      const [keep, leave] = [() => hold(row.peek()), () => hold(null)];
      const props = { onpointerenter: keep, onpointerleave: leave, onfocusin: keep, onfocusout: leave };
      return isLine ? lineRow(now, row, props) : candidateRow(i, now, props);
    },
  );
  const kind = distinct(() => (hasShares(candidates.value) ? "completion" : "win"));
  return card(
    [() => t("candidates", { n: candidates.value.length }), linesStepper(), secondButton()],
    { class: "candidates" },
    () =>
      rows.value.length
        ? null
        : h("p", { class: "empty" }, t(algorithm.value ? "candidates.none" : "error.no-algorithm")),
    scrollTable(
      () => t("candidates.table"),
      ["rank", "move", "chance", "eval", "depth", "nodes"].map((id, i) =>
        h(
          "th",
          {
            scope: "col",
            class: i > 1 ? "num" : "",
            title: () => (id === "chance" ? t(`column.${kind.value}.help`, { view: viewText() }) : false),
          },
          () => t(`column.${id === "chance" ? kind.value : id}`),
        ),
      ),
      body,
      { hidden: () => !rows.value.length },
    ),
  );
}

/** Asks a second player, or no longer. */
const secondButton = () =>
  button(
    {
      class: "plain",
      "data-action": "second",
      "aria-label": () => t("second"),
      title: () => t("second"),
      "aria-pressed": () => String(Boolean(settings.value.second)),
      onclick: () => {
        const { second, algs } = settings.peek();
        choose({ second: second ? "" : (algs.find((one) => one !== algorithm.peek()) ?? algorithm.peek()) });
      },
    },
    icon("compare"),
  );

/** How many lines are searched for. */
function linesStepper() {
  const step = (/** @type {number} */ by, /** @type {string} */ sign) =>
    button(
      {
        class: "plain",
        "data-action": by > 0 ? "lines-more" : "lines-fewer",
        "aria-label": () => t(by > 0 ? "lines.more" : "lines.fewer"),
        title: () => t(by > 0 ? "lines.more" : "lines.fewer"),
        disabled: () => settings.value.lines + by < 1 || settings.value.lines + by > 40,
        onclick: () => choose({ lines: settings.peek().lines + by }),
      },
      sign,
    );
  return h(
    "span",
    { class: "stepper" },
    step(-1, "−"),
    h("span", { "data-lines": "" }, () => t("lines", { n: settings.value.lines })),
    step(1, "+"),
  );
}

/** @param {number} i @param {() => any} now @param {Record<string, any>} props */
function candidateRow(i, now, props) {
  const cell = (
    /** @type {number} */ wide,
    /** @type {(one: any) => string} */ text,
    /** @type {any} */ title = false,
  ) =>
    h(
      "td",
      { class: "num", title },
      live(() => text(now()), { wide, align: "right" }),
    );
  return h(
    "tr",
    { "data-move": () => now().m, ...props },
    h("td", null, String(i + 1)),
    h(
      "td",
      null,
      button(
        { class: "move", "aria-label": () => now().m.toUpperCase(), onclick: () => playLine(now().pv, 1) },
        live(() => now().m.toUpperCase(), { wide: 30, bold: true, color: "accent" }),
      ),
    ),
    cell(44, (one) => (one.p === null ? chanceText(one.w) : percent(one.p))),
    cell(
      72,
      (one) => worth(one.e, toMove.value, one.proved),
      () => claimText(now().e, now().proved) || false,
    ),
    cell(26, (one) => String(one.d || "–")),
    cell(46, (one) => (one.n ? count(one.n) : "–")),
  );
}

/** A line: what is under the pointer is shown on the board, a press plays up to there. @param {() => any} now @param {any} row @param {Record<string, any>} props */
function lineRow(now, row, props) {
  const moves = () => now().pv;
  const ahead = (/** @type {number} */ n) => {
    if (n !== line.peek()?.length && settings.peek().preview) line.value = moves().slice(0, n);
  };
  return h(
    "tr",
    { class: "line", "data-changed": () => now() !== row.value && now().pv.join() !== row.value.pv.join(), ...props },
    h(
      "td",
      { colspan: 6, class: "pv", onauxclick: () => addLine(moves()) },
      h("span", { class: "changed", title: () => t("line.changed") }, "•"),
      lineMoves(moves, ahead, (n) => playLine(moves(), n), row.peek().i + 1),
    ),
  );
}

/**
 * The moves of a line: the pointer or the arrow keys look ahead, a press or Enter goes there.
 * @param {() => string[]} moves
 * @param {(n: number) => void} ahead
 * @param {(n: number) => void} go
 * @param {number} rank
 */
export function lineMoves(moves, ahead, go, rank) {
  // One more than is shown says that the line goes on.
  const text = distinct(() =>
    moves()
      .slice(0, PLIES + 1)
      .join(" "),
  );
  const at = (/** @type {Event} */ event) =>
    /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest("[data-n]"));
  const withPly = (/** @type {(n: number) => void} */ act) => (/** @type {Event} */ event) => {
    const n = Number(at(event)?.dataset.n ?? 0);
    if (n) act(n);
  };
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const here = at(event);
    const to = { ArrowLeft: here?.previousElementSibling, ArrowRight: here?.nextElementSibling }[event.key];
    if (to === undefined && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    if (to === undefined) return withPly(go)(event);
    if (!here || !(to instanceof HTMLElement)) return;
    here.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  };
  return h(
    "span",
    {
      class: "plies",
      role: "group",
      "aria-label": () => t("line.name", { n: rank }),
      onpointermove: withPly(ahead),
      onfocusin: withPly(ahead),
      onkeydown: keys,
      onclick: withPly((n) => !String(getSelection()) && go(n)),
    },
    () =>
      /** @type {string} */ (text.value)
        .split(" ")
        .flatMap((m, i) =>
          i < PLIES ? [h("a", { role: "button", tabindex: i ? -1 : 0, "data-n": i + 1 }, m.toUpperCase()), " "] : "…",
        ),
  );
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
  const end = result.value;
  if (end) return { w: (held = end.winner === null ? 0.5 : end.winner === "white" ? 0 : 1), fresh: true };
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
