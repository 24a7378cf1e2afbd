// The openings: named ones, sets of fair starts, and what games and proofs say about each move.

import { computed, each, effect, h, onEnd, signal, untracked } from "../dom.js";
import { language, name, t } from "../i18n.js";
import { readMoves } from "../model/coords.js";
import { viewText, worth } from "../play/worth.js";
import * as display from "../model/display.js";
import { parseHash } from "../model/share.js";
import * as tree from "../model/tree.js";
import { api, post } from "../net.js";
import { doc, newGame, paused } from "../play/document.js";
import { lineMoves } from "../play/panels.js";
import { schema } from "../schema.js";
import { choose } from "../settings.js";
import { button, field, icon, notifyError, scrollTable, segments, select } from "../ui.js";
import { smallBoard, viewOf } from "./small-board.js";

/** @typedef {{ id: string, kanji: string, names: Record<string, string> }} Name */
/**
 * @typedef {{ e: import("../types").Score | null, depth: number | null, decided: string | null, by: string | null, results: number[] }} Book
 */
/**
 * @typedef {{ m: string, same: string[], results: number[], starts: number, proved: string | null, plies: number | null, name: Name | null, book: Book | null }} Row
 */
/**
 * @typedef {{ name: Name | null, results: number[], total: number, books: number, book: Book | null, proved: string | null, plies: number | null, line: string[], moves: Row[] }} Known
 */

/** Which games are counted: those of lab and library, those of the book, or both. */
const source = signal("all");

/** @param {{ results: number[], book: Book | null }} one */
const counted = (one) =>
  one.results.map(
    (n, i) => (source.value === "book" ? 0 : n) + (source.value === "games" ? 0 : (one.book?.results[i] ?? 0)),
  );

/** An opening in the reader's language. @param {Name} one */
const local = (one) => one.names[language.value] ?? one.names.en;

/** The same with the characters it is written with, where the reader's language does not use them. @param {Name} one */
const full = (one) =>
  /^(ja|zh)/.test(language.value) ? [local(one)] : [local(one), " ", h("span", { lang: "ja" }, one.kanji)];

const sum = (/** @type {number[]} */ list) => list.reduce((a, b) => a + b, 0);

export function openingsPage() {
  const [rule, size] = [signal(doc.peek().rule), signal(doc.peek().size)];
  const moves = signal(/** @type {string[]} */ ([]));
  const list = signal(/** @type {any} */ ({ named: [], liao: [], sets: [] }));
  const known = signal(/** @type {Known | null} */ (null));
  /** What is shown on the board of the main line. */
  const ahead = signal(/** @type {string[]} */ ([]));

  const fromHash = () => {
    const { page, values } = parseHash(location.hash);
    const found = /^([a-z-]+?)(\d+)$/.exec(values.get("r") ?? "");
    if (page !== "openings" || !found) return;
    [rule.value, size.value] = [found[1], Number(found[2])];
    moves.value = readMoves(values.get("m") ?? "", size.peek()) ?? [];
  };
  fromHash();
  addEventListener("hashchange", fromHash);
  onEnd(() => removeEventListener("hashchange", fromHash));
  effect(() => {
    const hash = `#/openings?r=${rule.value}${size.value}${moves.value.length ? `&m=${moves.value.join("")}` : ""}`;
    if (location.hash !== hash) history.replaceState(null, "", hash);
  });
  effect(() => {
    const query = new URLSearchParams({ rule: rule.value, size: String(size.value) });
    api(`/api/openings?${query}`).then((found) => (list.value = found), notifyError);
  });
  let asked = 0;
  effect(() => {
    const position = { rule: rule.value, size: size.value, setup: null, moves: moves.value };
    const mine = ++asked;
    ahead.value = [];
    post("/api/explore", position).then(
      (found) => mine === asked && (known.value = found),
      (error) => {
        notifyError(error);
        // A move that the rules refuse is taken back.
        untracked(() => (moves.value = moves.peek().slice(0, -1)));
      },
    );
  });

  const play = (/** @type {string} */ p) => {
    if (!moves.peek().includes(p)) moves.value = [...moves.peek(), p];
  };
  const back = () => (moves.value = moves.peek().slice(0, -1));
  const load = () => {
    const [game, at] = tree.playLine(tree.create({ rule: rule.peek(), size: size.peek() }), 0, moves.peek());
    newGame({ rule: game.rule, size: game.size, nodes: game.nodes, at, tip: at, setup: null });
    paused.value = false;
    location.hash = "#/play";
  };

  return h(
    "main",
    { class: "page openings" },
    h(
      "div",
      { class: "inner wide" },
      h("h1", null, () => t("page.openings")),
      h(
        "div",
        { class: "openings-grid" },
        h("div", { class: "column" }, listCard(rule, size, moves, list)),
        boardCard(rule, size, moves, known, ahead, { play, back, load }),
        h("div", { class: "column" }, movesCard(moves, known, ahead, play)),
      ),
    ),
  );
}

/**
 * @param {import("../dom.js").Signal<string>} rule @param {import("../dom.js").Signal<number>} size
 * @param {import("../dom.js").Signal<string[]>} moves @param {import("../dom.js").Signal<Known | null>} known
 * @param {import("../dom.js").Signal<string[]>} ahead
 * @param {{ play: (p: string) => void, back: () => void, load: () => void }} act
 */
function boardCard(rule, size, moves, known, ahead, act) {
  const view = computed(() => viewOf(size.value, moves.value));
  const turn = () => /** @type {0 | 1} */ (moves.value.length % 2);
  const over = () => {
    if (ahead.value.length) return display.preview(view.value, ahead.value, turn());
    const rows = (known.value?.moves ?? []).slice(0, 60);
    const all = sum(rows.flatMap(counted));
    const played = rows.filter((row) => sum(counted(row)) || row.proved || row.book?.e);
    // Where nobody has played, the book's values say what is likely.
    const values = rows.map((row) => row.book?.e?.v ?? -Infinity);
    const top = Math.max(...values);
    const likely = (/** @type {Row} */ row) =>
      all ? sum(counted(row)) / all : row.book?.e?.v === undefined ? 0 : Math.exp((row.book.e.v - top) / 60) / 2;
    const dots = played.flatMap((row) =>
      row.same.map(
        (m) =>
          /** @type {any} */ ({
            m,
            p: Math.max(0.04, likely(row)),
            e: row.proved === (turn() ? "white" : "black") ? { win: 0 } : row.proved ? { loss: 0 } : null,
            w: null,
            d: 0,
            n: 0,
            pv: [],
          }),
      ),
    );
    const names = rows
      .filter((row) => !played.includes(row))
      .flatMap((row) => row.same.map((m) => /** @type {[string, string]} */ ([m, row.name?.id ?? "•"])));
    return [...display.candidateDots(view.value, dots, dots.length), ...display.labels(view.value, names)];
  };
  const path = () =>
    h("ol", { class: "crumbs", "aria-label": t("openings.path") }, [
      h("li", null, button({ class: "move", onclick: () => (moves.value = []) }, t("openings.start"))),
      ...moves.value.map((m, i) =>
        h(
          "li",
          null,
          button(
            {
              class: "move",
              "aria-current": i === moves.value.length - 1 ? "true" : false,
              onclick: () => (moves.value = moves.peek().slice(0, i + 1)),
            },
            m.toUpperCase(),
          ),
        ),
      ),
    ]);
  return h(
    "section",
    { class: "card explorer" },
    h(
      "div",
      { class: "row head" },
      h("h2", { "data-opening": () => known.value?.name?.names.en ?? "" }, () => title(known.value, moves.value)),
      h("span", { class: "gap" }),
      () => known.value && provedBadge(known.value),
    ),
    smallBoard({
      view: () => view.value,
      name: () => t("board.name", { size: size.value }),
      over,
      toMove: turn,
      onPlay: act.play,
      onBack: act.back,
      note: (p) => {
        const row = known.value?.moves.find((one) => one.same.includes(p));
        return row
          ? [row.name && local(row.name), sum(counted(row)) ? t("openings.games", { n: sum(counted(row)) }) : ""]
              .filter(Boolean)
              .join(", ")
          : "";
      },
    }),
    path,
    h(
      "div",
      { class: "row" },
      button(
        { "data-action": "opening-back", disabled: () => !moves.value.length, onclick: act.back },
        icon("prev"),
        () => t("action.prev"),
      ),
      h("span", { class: "gap" }),
      button(
        {
          "data-action": "solve-opening",
          onclick: () => (location.hash = `#/solve?r=${rule.peek()}${size.peek()}&m=${moves.peek().join("")}`),
        },
        icon("test"),
        () => t("page.solve"),
      ),
      button(
        {
          "data-action": "analyze-opening",
          onclick: () => {
            choose({ mode: "analyze" });
            location.hash = `#/play?r=${rule.peek()}${size.peek()}&m=${moves.peek().join("")}`;
          },
        },
        icon("eye"),
        () => t("action.analyze"),
      ),
      button({ class: "primary", "data-action": "play-opening", onclick: act.load }, icon("play"), () =>
        t("openings.play"),
      ),
    ),
  );
}

/** Who wins, and within how many plies where a proof says so. @param {Known | Row} known */
function provedBadge({ proved, plies }) {
  return (
    proved &&
    h(
      "span",
      { class: "badge proved" },
      t(`openings.proved.${proved}`) + (plies ? `, ≤ ${t("solve.plies", { n: plies })}` : ""),
    )
  );
}

/** @param {Known | null} known @param {string[]} moves */
function title(known, moves) {
  if (known?.name) return full(known.name);
  return moves.length ? t("openings.after", { n: moves.length }) : t("openings.empty");
}

/**
 * Named openings and sets.
 * @param {import("../dom.js").Signal<string>} rule @param {import("../dom.js").Signal<number>} size
 * @param {import("../dom.js").Signal<string[]>} moves @param {import("../dom.js").Signal<any>} list
 */
function listCard(rule, size, moves, list) {
  const kind = signal("named");
  const set = signal("");
  const starts = signal(/** @type {string[]} */ ([]));
  const fitting = () =>
    list.value.sets.filter((/** @type {any} */ one) => one.rule === rule.value && one.size === size.value);
  effect(() => {
    const sets = fitting();
    set.value = sets.some((/** @type {any} */ one) => one.name === set.peek()) ? set.peek() : (sets[0]?.name ?? "");
  });
  effect(() => {
    if (!set.value) starts.value = [];
    else if (kind.value === "sets")
      api(`/api/openings/${set.value}`).then((found) => (starts.value = found.openings), notifyError);
  });
  const sizeBox = h("input", {
    type: "number",
    name: "size",
    min: 5,
    max: 22,
    value: () => String(size.value),
    onchange: () => sizeBox.reportValidity() && ((moves.value = []), (size.value = Number(sizeBox.value))),
  });
  const entry = (/** @type {string[]} */ stones, /** @type {any[]} */ words, /** @type {string} */ id) =>
    h(
      "li",
      null,
      button(
        {
          "data-opening": id,
          "aria-pressed": () => String(moves.value.join("") === stones.join("")),
          onclick: () => (moves.value = stones),
        },
        words,
      ),
    );
  const named = (/** @type {boolean} */ direct) => [
    h("h2", null, t(direct ? "openings.direct" : "openings.indirect")),
    h(
      "ul",
      { class: "list names" },
      list.value.named
        .filter((/** @type {any} */ one) => one.direct === direct)
        .map((/** @type {any} */ one) =>
          entry(
            one.moves,
            [
              h("b", null, one.name.id),
              h("span", null, full(one.name)),
              h("small", { title: t("openings.help.book") }, one.e ? worth(one.e, 1) : ""),
            ],
            one.name.id,
          ),
        ),
    ),
  ];
  const liao = () => [
    h("p", { class: "hint" }, t("openings.liao.help")),
    h(
      "ul",
      { class: "list names" },
      list.value.liao.map((/** @type {any} */ one, /** @type {number} */ i) =>
        entry(
          one.moves,
          [
            h("b", null, String(i + 1)),
            h("span", null, local(one.name)),
            h("small", null, (one.moves[3] ?? "").toUpperCase()),
          ],
          one.moves.join(""),
        ),
      ),
    ),
  ];
  const shown = signal(60);
  const sets = () => [
    select(
      () => [
        ["", fitting().length ? "–" : t("openings.no-set")],
        ...fitting().flatMap((/** @type {any} */ one) =>
          [one.name, `${one.name}-tuning`, `${one.name}-validation`].map((id) => [
            id,
            id === one.name ? `${id} (${one.count})` : id,
          ]),
        ),
      ],
      () => set.value,
      (next) => ((shown.value = 60), (set.value = next)),
      { "aria-label": () => t("openings.set"), name: "set" },
    ),
    h("p", { class: "hint" }, t("openings.sets.help")),
    h(
      "ul",
      { class: "list starts" },
      starts.value
        .slice(0, shown.value)
        .map((text, i) =>
          entry(
            readMoves(text, size.value) ?? [],
            [h("b", null, String(i + 1)), h("span", null, text.toUpperCase())],
            text,
          ),
        ),
    ),
    () =>
      starts.value.length > shown.value &&
      button({ onclick: () => (shown.value += 300) }, t("openings.more", { n: starts.value.length - shown.value })),
  ];
  return h(
    "section",
    { class: "card" },
    h(
      "div",
      { class: "form" },
      field(
        () => t("rule"),
        select(
          () => (schema.value?.rules ?? []).map((one) => [one, name("rule", one)]),
          () => rule.value,
          (next) => (rule.value = next),
          { name: "rule" },
        ),
      ),
      field(() => t("size"), sizeBox),
    ),
    segments(
      () => t("openings.kind"),
      () => [
        ["named", t("openings.named")],
        ...(list.value.liao.length ? [/** @type {[string, string]} */ (["liao", t("openings.liao")])] : []),
        ["sets", t("openings.sets")],
      ],
      () => kind.value,
      (next) => (kind.value = next),
    ),
    h(
      "div",
      { class: "scroll opening-list", tabindex: 0, role: "region", "aria-label": () => t("page.openings") },
      () =>
        kind.value === "sets"
          ? sets()
          : kind.value === "liao" && list.value.liao.length
            ? liao()
            : list.value.named.length
              ? [named(true), named(false)]
              : h("p", { class: "empty" }, t("openings.no-named")),
    ),
  );
}

/**
 * The best moves from here as far as the book knows them: the pointer shows them on the board, a press
 * plays up to there.
 * @param {string[]} line @param {import("../dom.js").Signal<string[]>} moves
 * @param {import("../dom.js").Signal<string[]>} ahead
 */
function mainLine(line, moves, ahead) {
  if (!line.length) return null;
  const show = (/** @type {number} */ n) => n !== ahead.peek().length && (ahead.value = line.slice(0, n));
  const leave = () => (ahead.value = []);
  const go = (/** @type {number} */ n) => (moves.value = [...moves.peek(), ...line.slice(0, n)]);
  return h(
    "p",
    { class: "main-line", onpointerleave: leave, onfocusout: leave },
    t("openings.line"),
    " ",
    lineMoves(() => line, show, go, 1),
  );
}

/**
 * What is known about each move.
 * @param {import("../dom.js").Signal<string[]>} moves @param {import("../dom.js").Signal<Known | null>} known
 * @param {import("../dom.js").Signal<string[]>} ahead @param {(p: string) => void} play
 */
function movesCard(moves, known, ahead, play) {
  const rows = computed(() => known.value?.moves ?? []);
  const games = computed(() => (known.value ? sum(counted(known.value)) : 0));
  const hasBook = () => Boolean(known.value?.books);
  const side = () => /** @type {0 | 1} */ (moves.value.length % 2);
  const words = (/** @type {Book | null} */ book) =>
    book?.decided
      ? t("openings.searched", {
          how: t(`openings.decided.${book.decided}`),
          depth: book.depth ?? 0,
          by: book.by ?? "",
        })
      : "";
  const value = (/** @type {Book | null} */ book) =>
    h("span", { title: words(book) }, worth(book?.e, side()), book?.depth ? h("small", null, ` ${book.depth}`) : null);
  const bar = (/** @type {number[]} */ results) => {
    const all = sum(results);
    if (!all) return h("span", { class: "hint" }, "–");
    const words = t("openings.bar", { black: results[0], draws: results[1], white: results[2] });
    return h(
      "span",
      { class: "wdl", role: "img", "aria-label": words, title: words },
      ["black", "draw", "white"].map((side, i) =>
        h("i", { class: side, style: { "flex-grow": String(results[i] / all) } }),
      ),
    );
  };
  const body = h("tbody", null);
  each(
    body,
    () => rows.value.slice(0, 120),
    (row) => `${moves.peek().join("")}${row.m}`,
    (row) =>
      h(
        "tr",
        {
          "data-move": () => row.value.m,
          class: () => (sum(counted(row.value)) || row.value.proved || row.value.name || row.value.book ? "" : "few"),
        },
        h(
          "td",
          null,
          button({ class: "move", onclick: () => play(row.peek().m) }, () => row.value.m.toUpperCase()),
          () =>
            row.value.same.length > 1
              ? h("small", { title: t("openings.same", { n: row.value.same.length }) }, ` ×${row.value.same.length}`)
              : null,
        ),
        h("td", { class: "num", hidden: () => !games.value }, () => sum(counted(row.value)) || "–"),
        h("td", { class: "num", hidden: () => !games.value }, () =>
          games.value && sum(counted(row.value))
            ? `${Math.round((100 * sum(counted(row.value))) / games.value)}%`
            : "–",
        ),
        h("td", { hidden: () => !games.value }, () => bar(counted(row.value))),
        h("td", { class: "num", "data-book": () => row.value.book?.decided ?? "", hidden: () => !hasBook() }, () =>
          value(row.value.book),
        ),
        h("td", { class: "num" }, () => row.value.starts || "–"),
        h("td", null, () => [provedBadge(row.value), row.value.name ? h("span", null, full(row.value.name)) : null]),
      ),
  );
  const heads = /** @type {[string, string][]} */ ([
    ["move", ""],
    ["games", "num"],
    ["probability", "num"],
    ["results", ""],
    ["book", "num"],
    ["starts", "num"],
    ["known", ""],
  ]);
  const sources = () =>
    select(
      () => ["all", "games", "book"].map((one) => [one, t(`openings.source.${one}`)]),
      () => source.value,
      (one) => (source.value = one),
      { "aria-label": () => t("openings.source.help"), name: "source" },
    );
  return h(
    "section",
    { class: "card moves-known" },
    h(
      "h2",
      null,
      () => t("openings.moves"),
      () => hasBook() && sources(),
    ),
    h(
      "p",
      { class: "row here" },
      () => t("openings.here", { n: games.value }),
      " ",
      () => games.value > 0 && bar(known.value ? counted(known.value) : []),
      " ",
      () =>
        known.value?.book?.e && h("span", { "data-book-here": "" }, t("openings.worth"), " ", value(known.value.book)),
    ),
    () => mainLine(known.value?.line ?? [], moves, ahead),
    scrollTable(
      () => t("openings.moves"),
      heads.map(([id, style]) =>
        h(
          "th",
          {
            scope: "col",
            class: style,
            title: () => t(`openings.help.${id}`),
            hidden: () => (id === "book" && !hasBook()) || (/^(games|probability|results)$/.test(id) && !games.value),
          },
          () => t(id === "move" || id === "probability" ? `column.${id}` : `openings.column.${id}`),
        ),
      ),
      body,
      { hidden: () => !rows.value.length },
    ),
    () => (rows.value.length || !known.value ? null : h("p", { class: "empty" }, t("openings.nothing"))),
    h("p", { class: "hint" }, () => known.value && t("openings.counted", { n: known.value.total })),
    h(
      "p",
      { class: "hint" },
      () =>
        known.value &&
        t(hasBook() ? "openings.book-size" : "openings.no-book", { n: known.value.books, view: viewText() }),
    ),
  );
}
