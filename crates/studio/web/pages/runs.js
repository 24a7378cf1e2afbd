// Runs on the server, matches or tunings: their list, and the chosen one kept up to date.

import { distinct, each, effect, h, onEnd, signal, untracked } from "../dom.js";
import { t } from "../i18n.js";
import { api, on } from "../net.js";
import { button, notifyError } from "../ui.js";

/** What the list says of a run and news may change. */
const PROGRESS = ["state", "played", "total", "generation"];

/** Shows the chosen run to whoever has chosen it: beside the form, or far below it on a narrow screen. */
export function bringIntoSight() {
  const narrow = matchMedia("(max-width: 900px)").matches;
  if (narrow) requestAnimationFrame(() => document.querySelector(".lab-grid > .column:last-child")?.scrollIntoView());
  else document.querySelector(".page")?.scrollTo({ top: 0 });
}

/** The runs at `path`, of which news come as `topic`. @param {string} path @param {"run" | "tune"} topic */
export function watchedRuns(path, topic) {
  const runs = signal(/** @type {any[]} */ ([]));
  const chosen = signal("");
  const shown = signal(/** @type {any} */ (null));
  const list = () =>
    api(path).then((all) => {
      runs.value = all;
      if (!chosen.peek() && all.length) chosen.value = all[0].id;
    }, notifyError);
  list();
  const refresh = (/** @type {any} */ news) => {
    const known = Object.fromEntries(PROGRESS.filter((key) => key in news).map((key) => [key, news[key]]));
    runs.value = runs.peek().map((one) => (one.id === news.id ? { ...one, ...known } : one));
  };
  let busy = false;
  let again = false;
  /** News of the chosen run that came while its answer was on the way. */
  let newest = {};
  const load = async (/** @type {string} */ id) => {
    // What is asked for while an answer is on its way is asked again: the answer may be older.
    if (busy) again = true;
    if (busy || !id) return;
    busy = true;
    newest = {};
    try {
      const answer = await api(`${path}/${encodeURIComponent(id)}`);
      const run = chosen.peek() === id ? { ...answer, ...newest } : answer;
      if (chosen.peek() === id) shown.value = run;
      refresh(run);
    } catch (error) {
      notifyError(error);
    } finally {
      busy = false;
      if (again) {
        again = false;
        load(chosen.peek());
      }
    }
  };
  effect(() => {
    const id = chosen.value;
    untracked(() => {
      shown.value = null;
      load(id);
    });
  });
  let last = 0;
  onEnd(
    on(topic, (news) => {
      const known = runs.peek().some((one) => one.id === news.id && one.state === news.state);
      if (!known) list();
      refresh(news);
      if (news.id !== chosen.peek()) return;
      newest = news;
      const before = shown.peek();
      if (before) shown.value = { ...before, ...news };
      // Curves are fetched at most once a second; the standing comes with the news.
      if (Date.now() - last > 1000 || news.state !== "running") {
        last = Date.now();
        load(news.id);
      }
    }),
  );
  return { runs, chosen, shown, list, load };
}

/**
 * What differs between the pages of matches and of tunings.
 * @typedef {object} RunsPage
 * @property {(onStart: (id: string) => void) => Node} form
 * @property {(run: any) => string} words  what is run
 * @property {(run: any) => string} progress  how much of it is done
 * @property {(runs: import("../dom.js").Signal<any[]>) => Node} [below]
 * @property {string} empty  words for having none
 * @property {(shown: import("../dom.js").Signal<any>, reload: () => void) => Node} view
 */

/**
 * A run's report: one to read, in a tab of its own, and all to save.
 * @param {string} path
 * @param {string[]} files  besides the page
 */
export function reportLinks(path, files) {
  const save = (/** @type {string} */ one) =>
    h(
      "a",
      { href: `${path}/${one}`, download: one },
      one.replace("report.", "").toUpperCase().replace("GAMES.", "GAMES "),
    );
  return h(
    "p",
    { class: "row files" },
    h("a", { href: `${path}/report.html?open`, target: "_blank", rel: "noopener", "data-action": "open-report" }, () =>
      t("lab.report.open"),
    ),
    h("span", null, () => t("lab.report.save")),
    ["report.html", ...files].map(save),
  );
}

/** What external engines were told and said, each in a tab of its own. @param {string} id @param {string[]} engines */
export const logLinks = (id, engines) =>
  engines.length
    ? h(
        "p",
        { class: "row files" },
        h("span", null, () => t("lab.logs")),
        engines.map((one) =>
          h(
            "a",
            {
              href: `/api/runs/${encodeURIComponent(id)}/logs/${encodeURIComponent(one)}`,
              target: "_blank",
              rel: "noopener",
              "data-log": one,
            },
            one,
          ),
        ),
      )
    : null;

/**
 * A form, the list of runs and the chosen one.
 * @param {string} kind @param {string} path @param {"run" | "tune"} topic @param {RunsPage} page
 */
export function runsPage(kind, path, topic, page) {
  const { runs, chosen, shown, list, load } = watchedRuns(path, topic);
  // What is shown of a run changes in place; only another run makes it anew.
  const id = distinct(() => shown.value?.id ?? "");
  return h(
    "main",
    { class: `page ${kind}` },
    h(
      "div",
      { class: "inner wide" },
      h("h1", null, () => t(`page.${kind}`)),
      h(
        "div",
        { class: "lab-grid" },
        h(
          "div",
          { class: "column" },
          page.form((id) => (list(), (chosen.value = id))),
          runsCard(runs, chosen, page),
          page.below?.(runs),
        ),
        h("div", { class: "column" }, () =>
          id.value ? page.view(shown, () => load(chosen.peek())) : h("p", { class: "empty first" }, t(page.empty)),
        ),
      ),
    ),
  );
}

/**
 * The list of runs, of which one is chosen.
 * @param {import("../dom.js").Signal<any[]>} runs
 * @param {import("../dom.js").Signal<string>} chosen
 * @param {RunsPage} page
 */
function runsCard(runs, chosen, { words, progress }) {
  const body = h("ul", { class: "list" });
  each(
    body,
    () => runs.value.slice(0, 100),
    (one) => one.id,
    (row) =>
      h(
        "li",
        null,
        button(
          {
            "aria-pressed": () => String(chosen.value === row.value.id),
            "data-run": () => row.value.id,
            onclick: () => ((chosen.value = row.peek().id), bringIntoSight()),
          },
          h("i", { class: () => `dot ${row.value.state}` }),
          h("span", null, () => words(row.value)),
          h("small", null, () => `${progress(row.value)} · ${t(`run.${row.value.state}`)}`),
        ),
      ),
  );
  return h(
    "section",
    { class: "card" },
    h("h2", null, () => t("lab.runs")),
    body,
    () => (runs.value.length ? null : h("p", { class: "empty" }, t("lab.none"))),
  );
}
