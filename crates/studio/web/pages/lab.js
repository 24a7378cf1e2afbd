// The lab: the simulator's form, runs watched live, and their report.

import { board } from "../board.js";
import { computed, distinct, each, effect, h, signal, untracked } from "../dom.js";
import { name, t } from "../i18n.js";
import * as display from "../model/display.js";
import { count, fixed, percent, signed, time } from "../model/fmt.js";
import * as tree from "../model/tree.js";
import { api, post } from "../net.js";
import { colors } from "../play/board-view.js";
import { algorithm, doc, openDoc } from "../play/document.js";
import { schema } from "../schema.js";
import { choose, settings } from "../settings.js";
import { button, field, icon, notifyError, scrollTable, select } from "../ui.js";
import { chart, legend } from "./chart.js";
import { limitForm, playerForm } from "./forms.js";
import { bringIntoSight, runsPage } from "./runs.js";

/** @typedef {any} RunView */

const COLORS = ["--accent", "--warn"];

export const labPage = () =>
  runsPage("lab", "/api/runs", "run", {
    form: formCard,
    words: (run) => run.players.join(" – "),
    progress: (run) => `${2 * run.played}/${2 * run.total}`,
    below: ratingsCard,
    view: runView,
    empty: "lab.empty",
  });

/** The simulator: who, how often, from where, how much. @param {(id: string) => void} onStart */
function formCard(onStart) {
  const start = {
    name: "",
    rule: doc.peek().rule,
    size: doc.peek().size,
    games: 20,
    openings: "",
    jobs: 0,
    seed: "1",
    players: [
      { spec: doc.peek().seats[0].spec ?? algorithm.peek(), limit: {} },
      { spec: doc.peek().seats[1].spec ?? algorithm.peek(), limit: {} },
    ],
    sprt: null,
  };
  const form = signal(/** @type {any} */ ({ ...start, ...settings.peek().forms.lab }));
  // On a page opened at this address the players come after the form.
  effect(() => {
    const spec = algorithm.value;
    if (spec && untracked(() => form.value.players.some((/** @type {any} */ one) => !one.spec)))
      untracked(() =>
        set({ players: form.peek().players.map((/** @type {any} */ one) => (one.spec ? one : { ...one, spec })) }),
      );
  });
  const set = (/** @type {any} */ patch) => (form.value = { ...form.peek(), ...patch });
  const setPlayer = (/** @type {number} */ i, /** @type {any} */ patch) =>
    set({
      players: form
        .peek()
        .players.map((/** @type {any} */ one, /** @type {number} */ at) => (at === i ? { ...one, ...patch } : one)),
    });
  const text = (/** @type {string} */ id, /** @type {any} */ props = {}) =>
    h("input", {
      type: "text",
      name: id,
      value: String(form.peek()[id] ?? ""),
      ...props,
      onchange: (/** @type {any} */ event) =>
        set({ [id]: props.type === "number" ? Number(event.target.value) : event.target.value }),
    });
  const run = async () => {
    choose({ forms: { ...settings.peek().forms, lab: form.peek() } });
    try {
      const { id } = await post("/api/runs", form.peek());
      onStart(id);
      bringIntoSight();
    } catch (error) {
      notifyError(error);
    }
  };
  const sets = () =>
    (schema.value?.openings ?? []).filter(
      (/** @type {any} */ one) => one.rule === form.value.rule && one.size === form.value.size,
    );
  const seat = (/** @type {number} */ i) =>
    h(
      "details",
      { class: "seat-form", "data-seat-form": i },
      h(
        "summary",
        null,
        h("i", { class: `stone small ${i ? "white" : "black"}` }),
        h("b", null, () => t(i ? "lab.second" : "lab.first")),
        h("span", null, () => form.value.players[i].spec),
      ),
      playerForm(
        () => form.value.players[i].spec,
        (spec) => setPlayer(i, { spec }),
      ),
      limitForm(
        () => form.value.players[i].limit ?? {},
        (limit) => setPlayer(i, { limit }),
      ),
    );
  const sprt = h("input", {
    type: "checkbox",
    name: "sprt",
    checked: Boolean(form.peek().sprt),
    onchange: () => set({ sprt: sprt.checked ? [0, 20] : null }),
  });
  return h(
    "section",
    { class: "card" },
    h("h2", null, () => t("lab.form")),
    h(
      "div",
      { class: "form" },
      field(() => t("lab.name"), text("name")),
      field(() => t("lab.games"), text("games", { type: "number", min: 1, max: 1000000 })),
      field(
        () => t("rule"),
        select(
          () => (schema.value?.rules ?? []).map((one) => [one, name("rule", one)]),
          () => form.value.rule,
          (rule) => set({ rule }),
          { name: "rule" },
        ),
      ),
      field(() => t("size"), text("size", { type: "number", min: 5, max: 22 })),
      field(
        () => t("lab.openings"),
        select(
          () => [
            ["", t("lab.openings.default")],
            ["none", t("lab.openings.none")],
            ...sets().map((/** @type {any} */ one) => [one.name, one.name]),
          ],
          () => form.value.openings,
          (openings) => set({ openings }),
          { name: "openings" },
        ),
      ),
      field(
        () => t("lab.jobs"),
        text("jobs", { type: "number", min: 0, max: 64 }),
        () => t("lab.jobs.help"),
      ),
      field(() => t("lab.seed"), text("seed")),
      field(
        () => t("lab.sprt"),
        sprt,
        () => t("lab.sprt.help"),
      ),
    ),
    seat(0),
    seat(1),
    h("p", { class: "hint" }, () => t("lab.pairs")),
    h(
      "footer",
      { class: "row" },
      button({ class: "primary", "data-action": "run", onclick: run }, icon("play"), () => t("lab.run")),
    ),
  );
}

/** Every player of every stored run under one rule, rated together. @param {import("../dom.js").Signal<any[]>} runs */
function ratingsCard(runs) {
  const rule = signal("");
  const lines = signal(/** @type {any[]} */ ([]));
  effect(() => {
    // A run that ends changes the ratings.
    runs.value.filter((one) => one.state === "done").length;
    api(`/api/ratings${rule.value ? `?rule=${rule.value}` : ""}`).then((found) => (lines.value = found), notifyError);
  });
  return h(
    "section",
    { class: "card ratings" },
    h(
      "h2",
      null,
      () => t("lab.ratings"),
      select(
        () => [
          ["", t("lab.ratings.all")],
          ...(schema.value?.rules ?? []).map((one) => /** @type {[string, string]} */ ([one, name("rule", one)])),
        ],
        () => rule.value,
        (next) => (rule.value = next),
        { "aria-label": () => t("rule") },
      ),
    ),
    scrollTable(
      () => t("lab.ratings"),
      [
        h("th", { scope: "col" }, () => t("column.player")),
        h("th", { scope: "col", class: "num" }, "Elo"),
        h("th", { scope: "col", class: "num" }, () => t("lab.games")),
        h("th", { scope: "col", class: "num" }, "%"),
      ],
      h("tbody", null, () =>
        lines.value
          .slice(0, 100)
          .map((one) =>
            h(
              "tr",
              null,
              h("th", { scope: "row" }, one.player),
              h("td", { class: "num" }, `${signed(Math.round(one.elo))} ± ${Math.round(one.elo_error)}`),
              h("td", { class: "num" }, one.games),
              h("td", { class: "num" }, (100 * one.score).toFixed(0)),
            ),
          ),
      ),
    ),
    () => (lines.value.length ? null : h("p", { class: "empty" }, t("library.none"))),
  );
}

/** Everything about one run. @param {import("../dom.js").Signal<RunView | null>} shown @param {() => void} reload */
function runView(shown, reload) {
  const id = shown.peek()?.id;
  const run = computed(() => shown.value ?? {});
  const act = (/** @type {string} */ action) => () =>
    api(`/api/runs/${encodeURIComponent(id)}/${action}`, { method: "POST" }).then(reload, notifyError);
  const state = distinct(() => run.value.state ?? "");
  const going = () => state.value === "running" || state.value === "stopping";
  const names = () => (run.value.players ?? []).map((/** @type {any} */ one) => one.name);
  const file = (/** @type {string} */ one) =>
    h(
      "a",
      { href: `/api/runs/${encodeURIComponent(id)}/report/${one}`, download: one },
      one.replace("report.", "").toUpperCase().replace("GAMES.", "GAMES "),
    );
  return h(
    "div",
    { class: "column", "data-state": () => run.value.state },
    h(
      "section",
      { class: "card headline" },
      h(
        "div",
        { class: "row" },
        h("h2", null, () => names().join(" – ")),
        h("span", { class: () => `badge ${run.value.state}`, role: "status" }, () => t(`run.${run.value.state}`)),
        h("span", { class: "gap" }),
        () =>
          going()
            ? [
                button(
                  { "data-action": "finish-run", disabled: () => state.value === "stopping", onclick: act("finish") },
                  () => t("lab.finish"),
                ),
                button({ class: "stop", "data-action": "stop-run", onclick: act("stop") }, icon("stop"), () =>
                  t("lab.stop"),
                ),
              ]
            : state.value === "stopped" &&
              button({ class: "accent", "data-action": "resume-run", onclick: act("resume") }, icon("play"), () =>
                t("lab.resume"),
              ),
      ),
      () => run.value.error && h("p", { role: "alert", class: "error-text" }, run.value.error),
      h("p", { class: "score" }, () => headline(run.value)),
      h("progress", {
        max: () => run.value.total ?? 1,
        value: () => run.value.played ?? 0,
        "aria-label": () => t("lab.progress"),
      }),
      h("p", { class: "hint" }, () => [
        `${name("rule", run.value.rule ?? "freestyle")} ${run.value.size}×${run.value.size} · ${run.value.openings} · ${t("lab.seed")} ${run.value.seed}`,
        run.value.reproducible ? ` · ${t("lab.reproducible")}` : "",
      ]),
      h(
        "p",
        { class: "row files" },
        h("span", null, () => t("lab.report")),
        ["report.html", "report.md", "report.json", "games.csv", "games.sgf"].map(file),
      ),
    ),
    h(
      "div",
      { class: "charts" },
      figure(
        "chart.evals",
        () => costPlot(run.value, 1, true),
        () => names(),
      ),
      figure("chart.elo", () => eloPlot(run.value)),
      figure(
        "chart.time",
        () => costPlot(run.value, 4, false),
        () => names(),
      ),
      figure("chart.lengths", () => ({
        series: [{ name: t("lab.games"), color: "--accent", bars: true, y: run.value.lengths ?? [] }],
        min: 0,
        xMin: -0.5,
        xMax: Math.max(6, (run.value.lengths ?? []).length) - 0.5,
        formatX: (/** @type {number} */ x) => String(Math.round(x) * 5),
      })),
    ),
    h("div", { class: "charts" }, () => going() && watchCard(run), sidesCard(run)),
    gamesCard(run, id),
  );
}

/** @param {RunView} run */
function headline(run) {
  if (!run.games) return t("lab.waiting");
  const [l, d, w] = run.games;
  const e = run.estimate;
  // Without a game on the other side there is no end to the difference.
  const elo =
    e.error === null
      ? t(e.elo > 0 ? "lab.elo.above" : "lab.elo.below")
      : `${signed(Math.round(e.elo))} ± ${Math.round(e.error)} Elo`;
  const parts = [`${w} – ${d} – ${l}`, elo, `LOS ${percent(e.los)}`];
  if (run.llr) parts.push(`LLR ${fixed(run.llr[0], 2)} [${fixed(run.llr[1], 2)}; ${fixed(run.llr[2], 2)}]`);
  parts.push(`${2 * run.played}/${2 * run.total}`);
  if (run.state === "running" && run.eta) parts.push(t("lab.eta", { time: time(run.eta * 1000) }));
  return parts.join("  ·  ");
}

/** @param {string} key @param {() => import("./chart.js").Plot} plot @param {() => string[]} [names] */
function figure(key, plot, names) {
  return h(
    "figure",
    { class: "card" },
    h("figcaption", null, () => t(key)),
    chart(plot, { label: () => t(key), height: 190 }),
    names && legend(() => names().map((one, i) => ({ name: one, color: COLORS[i] }))),
  );
}

/** @param {RunView} run @param {number} column @param {boolean} log @returns {import("./chart.js").Plot} */
function costPlot(run, column, log) {
  const series = (run.costs ?? []).map((/** @type {number[][]} */ rows, /** @type {number} */ i) => {
    const y = rows.map((row) => row[column] || null);
    /** @type {any} */
    const band = column === 1 ? [rows.map((row) => row[2] || null), rows.map((row) => row[3] || null)] : undefined;
    return { name: run.players[i].name, color: COLORS[i], x: rows.map((row) => row[0]), y, band, dash: i === 1 };
  });
  return { series, log, xMin: 1, format: column === 1 ? count : (ms) => `${+ms.toPrecision(2)}` };
}

/** @param {RunView} run @returns {import("./chart.js").Plot} */
function eloPlot(run) {
  const all = /** @type {number[][]} */ (run.history ?? []);
  // The first games say next to nothing, and would flatten what the others say.
  const told = all.filter((one) => one[3] - one[2] < 500);
  const steps = told.length > 1 ? told : all;
  return {
    series: [
      {
        name: "Elo",
        color: "--accent",
        x: steps.map((one) => one[0]),
        y: steps.map((one) => Math.min(800, Math.max(-800, one[1]))),
        band: [
          steps.map((one) => Math.max(-800, Math.min(800, one[2]))),
          steps.map((one) => Math.min(800, Math.max(-800, one[3]))),
        ],
      },
    ],
    lines: [{ y: 0, color: "--line" }],
    min: undefined,
  };
}

/** The game being played. @param {import("../dom.js").ReadSignal<RunView>} run */
function watchCard(run) {
  const view = computed(() => {
    const now = run.value.watched ?? { moves: [], opening: "" };
    const moves = [...(now.opening?.match(/[a-v]\d{1,2}/g) ?? []), ...now.moves];
    const stones = new Map(moves.map((p, i) => [p, { color: /** @type {0 | 1} */ (i % 2), n: i + 1 }]));
    return /** @type {import("../types").View} */ ({
      size: run.value.size ?? 15,
      coords: "none",
      stones,
      numbers: "last",
      last: moves.at(-1) ?? null,
      win: [],
      forbidden: [],
    });
  });
  const who = () => {
    const now = run.value.watched;
    if (!now || now.pair === null) return t("lab.no-game");
    const order = now.game ? [...now.players].reverse() : now.players;
    return order.map((/** @type {number} */ i) => run.value.players[i]?.name).join(" – ");
  };
  return h(
    "figure",
    { class: "card watch" },
    h("figcaption", null, () => t("lab.watch"), " · ", who),
    board({
      view: () => view.value,
      layers: () => ({
        get back() {
          return display.backdrop(view.value);
        },
        get stones() {
          return display.stones(view.value);
        },
        over: [],
      }),
      colors: () => colors.value,
      label: (p) => {
        const stone = view.value.stones.get(p);
        return t(stone ? (stone.color ? "cell.white" : "cell.black") : "cell.empty", {
          place: p.toUpperCase(),
          n: stone?.n ?? 0,
        });
      },
      name: () => t("lab.watch"),
    }),
  );
}

/**
 * The papers' summary: draws, wins by color, time, calculations.
 * @param {import("../dom.js").ReadSignal<RunView>} run
 */
function sidesCard(run) {
  const heads = ["player", "as-black", "as-white", "draws", "time-move", "time", "evals"];
  return h(
    "section",
    { class: "card summary" },
    h("h2", null, () => t("lab.summary")),
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        null,
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            heads.map((id, i) => h("th", { scope: "col", class: i ? "num" : "" }, () => t(`column.${id}`))),
          ),
        ),
        h("tbody", null, () =>
          (run.value.sides ?? []).map((/** @type {any} */ one) =>
            h(
              "tr",
              null,
              h("th", { scope: "row" }, one.name),
              [one.black, one.white, one.draws, time(one.msPerMove), time(one.ms), count(one.evaluations)].map((cell) =>
                h("td", { class: "num" }, cell),
              ),
            ),
          ),
        ),
      ),
    ),
    h("p", { class: "hint" }, () =>
      run.value.colors
        ? t("lab.colors", { black: run.value.colors[0], white: run.value.colors[1], draws: run.value.colors[2] })
        : "",
    ),
    h("p", { class: "hint" }, () =>
      Object.entries(run.value.endings ?? {})
        .map(([ending, n]) => `${t(`ending.${ending}`)}: ${n}`)
        .join(" · "),
    ),
  );
}

/** @param {import("../dom.js").ReadSignal<RunView>} run @param {string} id */
function gamesCard(run, id) {
  const only = signal("all");
  const rows = computed(() => {
    const list = [...(run.value.list ?? [])].reverse();
    if (only.value === "errors") return list.filter((one) => !["five", "draw"].includes(one[4]));
    if (only.value === "losses") return list.filter((one) => one[3] !== "D" && (one[3] === "B") !== (one[2] === 0));
    return list;
  });
  const open = async (/** @type {any[]} */ one) => {
    const game = await api(`/api/runs/${encodeURIComponent(id)}/games/${one[0]}/${one[1]}`);
    const made = tree.create(game);
    const end = tree.line(made, 0).at(-1) ?? 0;
    openDoc({ ...made, at: end, tip: end, from: id });
    choose({ mode: "analyze" });
    location.hash = "#/play";
  };
  const body = h("tbody", null);
  each(
    body,
    () => rows.value.slice(0, 200),
    (one) => `${one[0]}.${one[1]}`,
    (row) =>
      h(
        "tr",
        null,
        h(
          "td",
          null,
          button(
            { class: "move", "data-action": "open-game", onclick: () => open(row.peek()) },
            () => `${row.value[0] + 1}.${row.value[1] + 1}`,
          ),
        ),
        h("td", null, () => run.value.players[row.value[2]]?.name),
        h("td", null, () => (row.value[3] === "D" ? t("draw") : row.value[3] === "B" ? t("black") : t("white"))),
        h("td", null, () => t(`ending.${row.value[4]}`)),
        h("td", { class: "num" }, () => row.value[5]),
        h("td", { class: "num" }, () => (row.value[6] ? count(row.value[6]) : "–")),
      ),
  );
  return h(
    "section",
    { class: "card" },
    h(
      "div",
      { class: "row" },
      h("h2", null, () => t("lab.list")),
      h("span", { class: "gap" }),
      select(
        () => ["all", "losses", "errors"].map((one) => [one, t(`lab.only.${one}`)]),
        () => only.value,
        (one) => (only.value = one),
        { "aria-label": () => t("lab.only") },
      ),
    ),
    scrollTable(
      () => t("lab.list"),
      ["game", "black", "winner", "ending", "plies", "evals"].map((one, i) =>
        h("th", { scope: "col", class: i > 3 ? "num" : "" }, () => t(`column.${one}`)),
      ),
      body,
      { class: "scroll games" },
    ),
  );
}
