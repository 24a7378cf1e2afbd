// The lab: the simulator's form, runs watched live, and their report.

import { board } from "../board.js";
import { computed, distinct, each, effect, h, signal, untracked } from "../dom.js";
import { name, t } from "../i18n.js";
import * as display from "../model/display.js";
import { count, fixed, percent, time } from "../model/fmt.js";
import * as tree from "../model/tree.js";
import { api, post } from "../net.js";
import { colors } from "../play/board-view.js";
import { algorithm, doc, openDoc } from "../play/document.js";
import { players, schema } from "../schema.js";
import { choose, settings } from "../settings.js";
import { button, field, icon, notifyError, scrollTable, segments, select } from "../ui.js";
import { chart, legend } from "./chart.js";
import { playerPicker } from "./forms.js";
import { bringIntoSight, logLinks, reportLinks, runsPage } from "./runs.js";
import { differenceText, eloPlot, eloText, meetingsOf } from "../model/elo.js";
import { parse } from "../model/spec.js";

/** @typedef {any} RunView */

const COLORS = ["--accent", "--warn", "--good", "--bad", "--ink-2"];
/** No two players have the same color. @param {number} i */
const colorOf = (i) => COLORS[i] ?? `hsl(${Math.round(i * 137.5) % 360} 65% ${i % 2 ? 45 : 60}%)`;

/** Who meets whom: two, everyone, or the first and each of the others. */
const KINDS = ["match", "round-robin", "gauntlet"];

export const labPage = () =>
  runsPage("lab", "/api/runs", "run", {
    form: formCard,
    words: (run) => run.name || run.players.join(" – "),
    progress: (run) => `${2 * run.played}/${2 * run.total}`,
    below: ratingsCard,
    view: runView,
    empty: "lab.empty",
  });

/** The simulator: who, how often, from where, how much. @param {(id: string) => void} onStart */
function formCard(onStart) {
  const start = {
    name: "",
    schedule: "match",
    rule: doc.peek().rule,
    size: doc.peek().size,
    games: 20,
    openings: "",
    jobs: 0,
    seed: "1",
    players: /** @type {any[]} */ ([]),
    sprt: null,
  };
  const form = signal(/** @type {any} */ ({ ...start, ...settings.peek().forms.lab }));
  const set = (/** @type {any} */ patch) => (form.value = { ...form.peek(), ...patch });
  // On a page opened at this address the players come after the form.
  effect(() => {
    if (algorithm.value && players.value.length && untracked(() => form.value.players.length < 2))
      untracked(() => set({ players: firstOffer() }));
  });
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
      const now = form.peek();
      const two = now.schedule === "match";
      const wanted = two ? { players: now.players.slice(0, 2) } : { sprt: null };
      const { id } = await post("/api/runs", { ...now, ...wanted });
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
  const isMatch = distinct(() => form.value.schedule === "match");
  const add = () => set({ players: [...form.peek().players, another(form.peek().players)] });
  const drop = (/** @type {number} */ i) =>
    set({ players: form.peek().players.filter((/** @type {any} */ _, /** @type {number} */ at) => at !== i) });
  const seat = (/** @type {number} */ i) =>
    playerPicker(
      () => (isMatch.value ? t(i ? "lab.second" : "lab.first") : t("lab.player", { n: i + 1 })),
      {
        spec: () => form.value.players[i]?.spec ?? "",
        onSpec: (spec) => setPlayer(i, { spec }),
        limit: () => form.value.players[i]?.limit ?? {},
        onLimit: (limit) => setPlayer(i, { limit }),
      },
      { "data-seat-form": i },
      () =>
        !isMatch.value &&
        form.value.players.length > 2 &&
        button(
          {
            class: "plain",
            "data-action": "drop-player",
            "aria-label": () => t("lab.player.drop", { n: i + 1 }),
            title: () => t("lab.player.drop", { n: i + 1 }),
            onclick: () => drop(i),
          },
          icon("close"),
        ),
    );
  const seats = distinct(() => (isMatch.value ? Math.min(2, form.value.players.length) : form.value.players.length));
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
    segments(
      () => t("lab.kind"),
      () => KINDS.map((one) => [one, t(`lab.kind.${one}`)]),
      () => form.value.schedule,
      (schedule) => set({ schedule }),
    ),
    () => Array.from({ length: seats.value }, (_, i) => seat(i)),
    () =>
      isMatch.value
        ? null
        : button({ "data-action": "add-player", disabled: () => form.value.players.length >= 32, onclick: add }, () =>
            t("lab.player.add"),
          ),
    h(
      "div",
      { class: "form" },
      field(() => t("lab.name"), text("name", { placeholder: () => t("lab.name.none") })),
      field(
        () => t(isMatch.value ? "lab.games" : "lab.games.each"),
        text("games", { type: "number", min: 1, max: 1000000 }),
      ),
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
    ),
    h(
      "footer",
      { class: "row" },
      button({ class: "primary", "data-action": "run", onclick: run }, icon("play"), () => t("lab.run")),
      h("span", { class: "hint" }, () => t("lab.pairs")),
    ),
    h(
      "details",
      { class: "more" },
      h("summary", null, () => t("lab.more")),
      h(
        "div",
        { class: "form" },
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
        field(() => t("lab.seed"), text("seed")),
        field(
          () => t("lab.jobs"),
          text("jobs", { type: "number", min: 0, max: 64 }),
          () => t("lab.jobs.help"),
        ),
        () =>
          isMatch.value &&
          field(
            () => t("lab.sprt"),
            sprt,
            () => t("lab.sprt.help"),
          ),
      ),
    ),
  );
}

/** The players at the board, or the chosen one and another. */
function firstOffer() {
  const seated = doc.peek().seats.map((seat) => seat.spec);
  const first = seated[0] ?? seated[1] ?? algorithm.peek();
  const second = seated[0] && seated[1] !== first ? seated[1] : undefined;
  const one = { spec: first, limit: {} };
  return [one, second ? { spec: second, limit: {} } : another([one])];
}

/** A player that is not there yet. @param {{ spec: string }[]} there */
function another(there) {
  const names = there.map((one) => parse(one.spec).name);
  const suggested = settings.peek().algs.map((spec) => parse(spec).name);
  const all = [...suggested, ...players.peek().map((one) => one.name)];
  return { spec: all.find((one) => !names.includes(one)) ?? names[0], limit: {} };
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
              h("td", { class: "num" }, eloText(one.score, one.elo, one.elo_error)),
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
  const manyPlayers = distinct(() => names().length > 2);
  return h(
    "div",
    { class: "column", "data-state": () => run.value.state },
    h(
      "section",
      { class: "card headline" },
      h(
        "div",
        { class: "row" },
        h("h2", null, () => run.value.name || names().join(" – ")),
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
      () => (run.value.name ? h("p", null, names().join(" – ")) : null),
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
      reportLinks(`/api/runs/${encodeURIComponent(id)}/report`, ["report.md", "report.json", "games.csv", "games.sgf"]),
      () => logLinks(id, run.value.logs ?? []),
    ),
    () => (manyPlayers.value ? crossTable(run) : null),
    h(
      "div",
      { class: "charts" },
      figure(
        "chart.evals",
        () => costPlot(run.value, 1, true),
        () => names(),
      ),
      () => (manyPlayers.value ? null : figure("chart.elo", () => eloPlot(run.value))),
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
  if (!run.played) return t("lab.waiting");
  /** @type {string[]} */
  const parts = [];
  if (run.players.length === 2) {
    const [l, d, w] = run.games;
    parts.push(`${w} – ${d} – ${l}`, `${differenceText(run.estimate)} Elo`, `LOS ${percent(run.estimate.los)}`);
  }
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
    names && legend(() => names().map((one, i) => ({ name: one, color: colorOf(i) }))),
  );
}

/** @param {RunView} run @param {number} column @param {boolean} log @returns {import("./chart.js").Plot} */
function costPlot(run, column, log) {
  const series = (run.costs ?? []).map((/** @type {number[][]} */ rows, /** @type {number} */ i) => {
    const y = rows.map((row) => row[column] || null);
    /** @type {any} */
    const band = column === 1 ? [rows.map((row) => row[2] || null), rows.map((row) => row[3] || null)] : undefined;
    return {
      name: run.players[i].name,
      color: colorOf(i),
      x: rows.map((row) => row[0]),
      y,
      band,
      dash: i % 2 === 1,
    };
  });
  return { series, log, xMin: 1, format: column === 1 ? count : (ms) => `${+ms.toPrecision(2)}` };
}

/**
 * Everyone against everyone, best first: wins, draws and losses of the row's player.
 * @param {import("../dom.js").ReadSignal<RunView>} run
 */
function crossTable(run) {
  const order = computed(() => {
    const rated = run.value.ratings ?? [];
    const all = (run.value.players ?? []).map((/** @type {any} */ _, /** @type {number} */ i) => i);
    return all.sort((/** @type {number} */ a, /** @type {number} */ b) => (rated[b]?.[0] ?? 0) - (rated[a]?.[0] ?? 0));
  });
  const met = computed(() => meetingsOf(run.value));
  const cell = (/** @type {number} */ row, /** @type {number} */ column) => {
    const found = met.value.get(`${row}-${column}`);
    if (!found) return h("td", { class: "num self" }, row === column ? "·" : "");
    const [w, d, l] = found;
    return h("td", { class: `num ${w > l ? "won" : w < l ? "lost" : ""}` }, `${w}–${d}–${l}`);
  };
  return h(
    "section",
    { class: "card cross" },
    h("h2", null, () => t("lab.cross")),
    () =>
      scrollTable(
        () => t("lab.cross"),
        [
          h("th", { scope: "col" }, "#"),
          h("th", { scope: "col" }, t("column.player")),
          h("th", { scope: "col", class: "num" }, "Elo"),
          h("th", { scope: "col", class: "num" }, t("column.points")),
          order.value.map((/** @type {number} */ _, /** @type {number} */ i) =>
            h("th", { scope: "col", class: "num" }, String(i + 1)),
          ),
        ],
        h(
          "tbody",
          null,
          order.value.map((/** @type {number} */ i, /** @type {number} */ rank) => {
            const [elo, error, points, games] = run.value.ratings?.[i] ?? [];
            return h(
              "tr",
              null,
              h("td", { class: "num" }, String(rank + 1)),
              h("th", { scope: "row" }, run.value.players[i].name),
              h("td", { class: "num" }, games ? eloText(points / games, elo, error) : "–"),
              h("td", { class: "num" }, games ? `${points}/${games}` : "–"),
              order.value.map((/** @type {number} */ other) => cell(i, other)),
            );
          }),
        ),
      ),
  );
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
      { class: "scroll", tabindex: 0, role: "region", "aria-label": () => t("lab.summary") },
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

/** How a game went for a player, if it was in it. @param {any[]} game @param {number} player */
function outcome(game, player) {
  const side = [game[2], game[8]].indexOf(player);
  if (side < 0 || game[3] === "D") return "";
  return game[3] === "BW"[side] ? "won" : "lost";
}

/** @param {import("../dom.js").ReadSignal<RunView>} run @param {string} id */
function gamesCard(run, id) {
  const only = signal("all");
  /** Whose losses may be asked for: in a match those of one are the wins of the other. */
  const names = distinct(() => (run.value.players ?? []).map((/** @type {any} */ one) => one.name).join("\n"));
  const losers = computed(() => {
    const all = /** @type {string} */ (names.value).split("\n");
    return all.length > 2 ? all : all.slice(0, 1);
  });
  const rows = computed(() => {
    const list = [...(run.value.list ?? [])].reverse();
    if (only.value === "errors") return list.filter((one) => !["five", "draw"].includes(one[4]));
    return only.value === "all" ? list : list.filter((one) => outcome(one, Number(only.value)) === "lost");
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
        [2, 8].map((who) => h("td", null, () => run.value.players[row.value[who]]?.name)),
        h("td", { class: () => (run.value.players.length === 2 ? outcome(row.value, 0) : "") }, () =>
          row.value[3] === "D" ? t("draw") : row.value[3] === "B" ? t("black") : t("white"),
        ),
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
        () => [
          ["all", t("lab.only.all")],
          ...losers.value.map(
            (one, i) => /** @type {[string, string]} */ ([String(i), t("lab.only.losses", { name: one })]),
          ),
          ["errors", t("lab.only.errors")],
        ],
        () => only.value,
        (one) => (only.value = one),
        { "aria-label": () => t("lab.only") },
      ),
    ),
    scrollTable(
      () => t("lab.list"),
      ["column.game", "black", "white", "column.winner", "column.ending", "column.plies", "column.evals"].map(
        (one, i) => h("th", { scope: "col", class: i > 4 ? "num" : "" }, () => t(one)),
      ),
      body,
      { class: "scroll games" },
    ),
  );
}
