// Tuning: which parameters, which method, how long; then the run watched live, and its report.

import { computed, distinct, h, signal } from "../dom.js";
import { name, t } from "../i18n.js";
import { plain, time } from "../model/fmt.js";
import { defaultText, parse } from "../model/spec.js";
import { api, post } from "../net.js";
import { doc } from "../play/document.js";
import { infoOf, schema } from "../schema.js";
import { choose, settings } from "../settings.js";
import { button, field, icon, notify, notifyError, scrollTable, select } from "../ui.js";
import { chart, legend } from "./chart.js";
import { paramHelp, paramName, playerPicker } from "./forms.js";
import { bringIntoSight, reportLinks, runsPage } from "./runs.js";

const METHODS = ["de-published", "de", "spsa", "cma", "regression"];
/** Sensible sizes for each method: generations and games of a duel. @type {Record<string, [number, number]>} */
const USUAL = { "de-published": [600, 5], de: [50, 4], spsa: [200, 8], cma: [50, 16], regression: [1, 2000] };
/** Members of a population, for the methods that have one. @type {Record<string, number>} */
const USUAL_POPULATION = { "de-published": 8, de: 40, cma: 8 };
const COLORS = ["--accent", "--warn", "--good", "--bad", "--ink-2"];

export const tunePage = () =>
  runsPage("tune", "/api/tunes", "tune", {
    form: formCard,
    words: (run) => run.name || what(run),
    progress: (run) => `${run.generation}/${run.generations}`,
    view: runView,
    empty: "tune.empty",
  });

/** @param {any} run */
const what = (run) => `${run.player} · ${t(`tune.method.${run.method ?? "de"}`)}`;

/** @param {(id: string) => void} onStart */
function formCard(onStart) {
  const start = {
    name: "",
    rule: doc.peek().rule,
    size: 15,
    player: "static-table",
    limit: {},
    params: {},
    method: "de",
    generations: 50,
    games: 4,
    population: USUAL_POPULATION.de,
    snapshot_games: 100,
    test_games: 400,
    seed: "1",
    jobs: 0,
  };
  const form = signal(/** @type {any} */ ({ ...start, ...settings.peek().forms.tune }));
  const set = (/** @type {any} */ patch) => (form.value = { ...form.peek(), ...patch });
  const box = (/** @type {string} */ id, /** @type {any} */ props = {}) =>
    h("input", {
      type: "text",
      name: id,
      value: () => String(form.value[id] ?? ""),
      ...props,
      onchange: (/** @type {any} */ event) =>
        set({ [id]: props.type === "number" ? Number(event.target.value) : event.target.value }),
    });
  const run = async () => {
    choose({ forms: { ...settings.peek().forms, tune: form.peek() } });
    const params = Object.entries(form.peek().params).map(([name, range]) => ({
      name,
      low: /** @type {any} */ (range)[0],
      high: /** @type {any} */ (range)[1],
    }));
    try {
      const { id } = await post("/api/tunes", { ...form.peek(), params });
      onStart(id);
      bringIntoSight();
    } catch (error) {
      notifyError(error);
    }
  };
  return h(
    "section",
    { class: "card" },
    h("h2", null, () => t("tune.form")),
    playerPicker(
      () => t("player"),
      {
        spec: () => form.value.player,
        onSpec: (player) =>
          set(parse(player).name === parse(form.peek().player).name ? { player } : { player, params: {} }),
        limit: () => form.value.limit ?? {},
        onLimit: (limit) => set({ limit }),
      },
      { "data-tune-player": "" },
    ),
    paramTable(form, set),
    h(
      "div",
      { class: "form" },
      field(() => t("lab.name"), box("name")),
      field(
        () => t("tune.method"),
        select(
          () => METHODS.map((one) => [one, t(`tune.method.${one}`)]),
          () => form.value.method,
          (method) =>
            set({
              method,
              generations: USUAL[method][0],
              games: USUAL[method][1],
              population: USUAL_POPULATION[method] ?? null,
            }),
          { name: "method" },
        ),
      ),
      () =>
        form.value.method === "regression"
          ? null
          : field(() => t("tune.generations"), box("generations", { type: "number", min: 1 })),
      field(
        () => t(form.value.method === "regression" ? "tune.games.learn" : "tune.games"),
        box("games", { type: "number", min: 1 }),
      ),
      () =>
        form.value.method in USUAL_POPULATION
          ? field(() => t("tune.members"), box("population", { type: "number", min: 4, max: 1000 }))
          : null,
    ),
    h("p", { class: "hint" }, () => t(`tune.method.${form.value.method}.text`)),
    h(
      "footer",
      { class: "row" },
      button(
        {
          class: "primary",
          "data-action": "tune",
          disabled: () => !Object.keys(form.value.params).length,
          onclick: run,
        },
        icon("play"),
        () => t("tune.start"),
      ),
      () => (Object.keys(form.value.params).length ? null : h("span", { class: "hint" }, t("tune.choose"))),
    ),
    h(
      "details",
      { class: "more" },
      h("summary", null, () => t("lab.more")),
      h(
        "div",
        { class: "form" },
        field(
          () => t("tune.snapshots"),
          box("snapshot_games", { type: "number", min: 0 }),
          () => t("tune.snapshots.help"),
        ),
        field(
          () => t("tune.test"),
          box("test_games", { type: "number", min: 0 }),
          () => t("tune.test.help"),
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
        field(() => t("size"), box("size", { type: "number", min: 5, max: 22 })),
        field(() => t("lab.seed"), box("seed")),
        field(() => t("lab.jobs"), box("jobs", { type: "number", min: 0, max: 64 })),
      ),
    ),
  );
}

/** Weights come before counts, and those before switches. @param {import("../types").Param} one */
const rank = (one) => (one.name === "time" ? 2 : one.kind === "real" ? 0 : one.kind === "integer" ? 1 : 2);

/**
 * Every parameter that can be tuned: its value, its range, and whether it is.
 * @param {import("../dom.js").Signal<any>} form
 * @param {(patch: any) => void} set
 */
function paramTable(form, set) {
  const tunable = computed(() =>
    (infoOf(form.value.player)?.params ?? [])
      .filter((one) => one.kind !== "component")
      .sort((a, b) => rank(a) - rank(b)),
  );
  const given = computed(() => parse(form.value.player).args);
  const now = (/** @type {import("../types").Param} */ one) => given.value[one.name] ?? defaultText(one);
  const toggle = (/** @type {import("../types").Param} */ one, /** @type {boolean} */ on) => {
    const params = { ...form.peek().params };
    if (on) params[one.name] = one.min === undefined ? [null, null] : [one.min, one.max];
    else delete params[one.name];
    set({ params });
  };
  const limit = (/** @type {import("../types").Param} */ one, /** @type {0 | 1} */ end) => {
    const range = form.value.params[one.name];
    if (!range || range[end] === null)
      return h(
        "td",
        { class: "num" },
        one.min === undefined ? "" : plain(/** @type {number} */ (end ? one.max : one.min)),
      );
    return h(
      "td",
      { class: "num" },
      h("input", {
        type: "number",
        step: "any",
        value: String(range[end]),
        "aria-label": `${paramName(one.name)} ${t(end ? "tune.high" : "tune.low")}`,
        onchange: (/** @type {any} */ event) => {
          const next = [...form.peek().params[one.name]];
          next[end] = Number(event.target.value);
          set({ params: { ...form.peek().params, [one.name]: next } });
        },
      }),
    );
  };
  return [
    scrollTable(
      () => t("parameters"),
      ["tuned", "now", "low", "high"].map((id, i) =>
        h("th", { scope: "col", class: i ? "num" : "" }, () => t(`tune.${id}`)),
      ),
      h("tbody", null, () =>
        tunable.value.map((one) =>
          h(
            "tr",
            { title: () => paramHelp(one) },
            h(
              "td",
              null,
              h(
                "label",
                { class: "check" },
                h("input", {
                  type: "checkbox",
                  name: `tune-${one.name}`,
                  checked: one.name in form.value.params,
                  onchange: (/** @type {any} */ event) => toggle(one, event.target.checked),
                }),
                () => paramName(one.name),
              ),
            ),
            h("td", { class: "num" }, now(one)),
            limit(one, 0),
            limit(one, 1),
          ),
        ),
      ),
      { class: "scroll params" },
    ),
    () => (tunable.value.length ? null : h("p", { class: "empty" }, t("tune.nothing"))),
  ];
}

/** What the server says is going on, in the reader's language. @param {string} phase */
function phaseText(phase) {
  const [, next, snapshot, llr] = /^(?:(generation) .*|snapshot (\d+) .*|final test, LLR (.*))$/.exec(phase) ?? [];
  // How many there are is said once, where they are counted.
  if (next) return t("tune.phase.next");
  if (snapshot) return t("tune.phase.snapshot", { n: snapshot });
  if (llr) return t("tune.phase.test", { llr });
  return phase === "tournament"
    ? t("tune.phase.tournament")
    : phase === "games to learn from"
      ? t("tune.phase.learn")
      : phase;
}

/** @param {import("../dom.js").Signal<any>} shown @param {() => void} reload */
function runView(shown, reload) {
  const id = shown.peek().id;
  const run = computed(() => shown.value ?? {});
  const state = distinct(() => run.value.state ?? "");
  const going = () => state.value === "running" || state.value === "stopping";
  const act = (/** @type {string} */ action) => () =>
    api(`/api/tunes/${encodeURIComponent(id)}/${action}`, { method: "POST" }).then(reload, notifyError);
  return h(
    "div",
    { class: "column", "data-state": () => run.value.state },
    h(
      "section",
      { class: "card headline" },
      h(
        "div",
        { class: "row" },
        h("h2", null, () => run.value.name || what(run.value)),
        h("span", { class: () => `badge ${run.value.state}`, role: "status" }, () => t(`run.${run.value.state}`)),
        h("span", { class: "gap" }),
        () =>
          going()
            ? button(
                {
                  class: "stop",
                  "data-action": "stop-tune",
                  disabled: () => state.value === "stopping",
                  onclick: act("stop"),
                },
                icon("stop"),
                () => t("lab.stop"),
              )
            : ["stopped", "failed"].includes(state.value) &&
              button({ class: "accent", "data-action": "resume-tune", onclick: act("resume") }, icon("play"), () =>
                t("lab.resume"),
              ),
      ),
      () => run.value.error && h("p", { role: "alert", class: "error-text" }, run.value.error),
      () => (run.value.name ? h("p", null, what(run.value)) : null),
      h("p", { class: "score" }, () =>
        [
          t("tune.at", { n: run.value.generation ?? 0, all: run.value.generations ?? 0 }),
          state.value === "running" && run.value.eta && t("lab.eta", { time: time(run.value.eta * 1000) }),
        ]
          .filter(Boolean)
          .join("  ·  "),
      ),
      h("progress", {
        max: () => run.value.generations || 1,
        value: () => run.value.generation ?? 0,
        "aria-label": () => t("lab.progress"),
      }),
      h("p", { class: "hint" }, () => [
        `${name("rule", run.value.rule ?? "freestyle")} ${run.value.size}×${run.value.size} · ${t("lab.seed")} ${run.value.seed}`,
        run.value.members > 1 ? ` · ${t("tune.of-members", { n: run.value.members })}` : "",
        going() && run.value.phase
          ? ` · ${t("tune.phase", { phase: phaseText(run.value.phase), done: run.value.done, total: run.value.total })}`
          : "",
      ]),
      () =>
        run.value.report
          ? reportLinks(`/api/tunes/${encodeURIComponent(id)}/report`, ["report.md", "report.json", "best.toml"])
          : null,
    ),
    h(
      "div",
      { class: "charts" },
      h(
        "figure",
        { class: "card" },
        h("figcaption", null, () => t("tune.chart.wins")),
        chart(() => winsPlot(run.value), { label: () => t("tune.chart.wins"), height: 200 }),
        legend(() => [
          { name: t("tune.best"), color: "--good" },
          { name: t("tune.mean"), color: "--accent" },
          { name: t("tune.worst"), color: "--bad" },
        ]),
      ),
      h(
        "figure",
        { class: "card" },
        h("figcaption", null, () => t("tune.chart.traces")),
        chart(() => tracePlot(run.value), { label: () => t("tune.chart.traces"), height: 200 }),
        legend(() =>
          (run.value.genes ?? []).slice(0, 10).map((/** @type {any} */ one, /** @type {number} */ i) => ({
            name: paramName(one.name),
            color: COLORS[i % COLORS.length],
          })),
        ),
      ),
      h(
        "figure",
        { class: "card" },
        h("figcaption", null, () => t("tune.chart.spread")),
        chart(() => spreadPlot(run.value), { label: () => t("tune.chart.spread"), height: 160 }),
      ),
      () =>
        (run.value.snapshots ?? []).length
          ? h(
              "figure",
              { class: "card" },
              h("figcaption", null, t("tune.chart.snapshots")),
              chart(() => snapshotPlot(run.value), { label: () => t("tune.chart.snapshots"), height: 160 }),
            )
          : null,
    ),
    bestCard(run),
  );
}

/**
 * Scores of what was tried against what was kept, with the noise that chance alone makes.
 * @param {any} run
 * @returns {import("./chart.js").Plot}
 */
function winsPlot(run) {
  const steps = run.steps ?? [];
  const x = steps.map((/** @type {any} */ one) => one.generation);
  const noise = steps.map((/** @type {any} */ one) => 0.98 / Math.sqrt(Math.max(1, one.games)));
  const line = (/** @type {string} */ id) => steps.map((/** @type {any} */ one) => 100 * one[id]);
  return {
    series: [
      {
        name: t("tune.mean"),
        color: "--accent",
        x,
        y: line("mean"),
        band: [
          noise.map((/** @type {number} */ n) => 50 - 100 * n),
          noise.map((/** @type {number} */ n) => 50 + 100 * n),
        ],
      },
      { name: t("tune.best"), color: "--good", x, y: line("best"), dots: steps.length < 3 },
      { name: t("tune.worst"), color: "--bad", x, y: line("worst"), dash: true },
    ],
    lines: [{ y: 50, color: "--line" }],
    min: 0,
    max: 100,
    xMin: 1,
    format: (y) => `${Math.round(y)}%`,
  };
}

/** @param {any} run @returns {import("./chart.js").Plot} */
function tracePlot(run) {
  const steps = run.steps ?? [];
  const x = [0, ...steps.map((/** @type {any} */ one) => one.generation)];
  const series = (run.genes ?? []).slice(0, 10).map((/** @type {any} */ gene, /** @type {number} */ i) => ({
    name: gene.name,
    color: COLORS[i % COLORS.length],
    dash: i >= COLORS.length,
    x,
    y: [run.startAt?.[i] ?? null, ...steps.map((/** @type {any} */ one) => one.answer[i])],
  }));
  return { series, min: 0, max: 1, xMin: 0 };
}

/** @param {any} run @returns {import("./chart.js").Plot} */
function spreadPlot(run) {
  const steps = run.steps ?? [];
  return {
    series: [
      {
        name: t("tune.chart.spread"),
        color: "--accent",
        x: steps.map((/** @type {any} */ one) => one.generation),
        y: steps.map((/** @type {any} */ one) => one.spread),
      },
    ],
    min: 0,
    xMin: 1,
    format: (y) => y.toPrecision(2),
  };
}

/** @param {any} run @returns {import("./chart.js").Plot} */
function snapshotPlot(run) {
  const all = /** @type {number[][]} */ (run.snapshots ?? []);
  const error = all.map(([, p, n]) => 196 * Math.sqrt((p * (1 - p)) / Math.max(1, n)));
  return {
    series: [
      {
        name: t("tune.chart.snapshots"),
        color: "--accent",
        x: all.map((one) => one[0]),
        y: all.map((one) => 100 * one[1]),
        dots: true,
        band: [all.map((one, i) => 100 * one[1] - error[i]), all.map((one, i) => 100 * one[1] + error[i])],
      },
    ],
    lines: [{ y: 50, color: "--line" }],
    xMin: 0,
    format: (y) => `${Math.round(y)}%`,
  };
}

/**
 * The recommended values beside those at the start, and the population.
 * @param {import("../dom.js").ReadSignal<any>} run
 */
function bestCard(run) {
  const apply = () => {
    choose({ algs: [run.peek().best, ...settings.peek().algs.slice(1)], alg: run.peek().best });
    notify(t("tune.applied"));
  };
  const cell = (/** @type {number} */ at) =>
    h("td", { class: "heat", style: { "--heat": at.toFixed(3) }, title: at.toFixed(3) });
  return h(
    "section",
    { class: "card" },
    h("h2", null, () => t("tune.result")),
    scrollTable(
      () => t("tune.result"),
      ["tuned", "was", "is", "population"].map((id, i) =>
        h("th", { scope: "col", class: i && i < 3 ? "num" : "" }, () => t(`tune.${id}`)),
      ),
      h("tbody", null, () =>
        (run.value.genes ?? []).map((/** @type {any} */ gene, /** @type {number} */ i) =>
          h(
            "tr",
            null,
            h("th", { scope: "row" }, paramName(gene.name)),
            h("td", { class: "num" }, plain(gene.start)),
            h("td", { class: "num" }, run.value.values?.[i] ?? "–"),
            h(
              "td",
              null,
              h(
                "table",
                { class: "heat-row", "aria-hidden": "true" },
                h(
                  "tbody",
                  null,
                  h(
                    "tr",
                    null,
                    (run.value.population ?? []).map((/** @type {number[]} */ one) => cell(one[i])),
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
    () =>
      run.value.best &&
      h(
        "div",
        null,
        h("code", { class: "spec" }, run.value.best),
        h(
          "footer",
          { class: "row" },
          button({ "data-action": "apply-tuned", onclick: apply }, icon("check"), t("tune.apply")),
          button(
            {
              "data-action": "tuned-to-lab",
              onclick: () => {
                choose({
                  forms: {
                    ...settings.peek().forms,
                    lab: {
                      ...settings.peek().forms.lab,
                      players: [
                        { spec: run.peek().best, limit: {} },
                        { spec: run.peek().player, limit: {} },
                      ],
                    },
                  },
                });
                location.hash = "#/lab";
              },
            },
            icon("simulate"),
            t("tune.to-lab"),
          ),
        ),
      ),
  );
}
