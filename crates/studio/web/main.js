// Starts the page: words, socket, schema, then the page that the address names.

import { distinct, each, effect, h, scope, signal } from "./dom.js";
import { followLanguage, lazily, t } from "./i18n.js";
import { actionOf } from "./keys.js";
import { readTheme, live } from "./live.js";
import { speed } from "./model/fmt.js";
import { parseHash } from "./model/share.js";
import { connect, link, on } from "./net.js";
import { loadSchema } from "./schema.js";
import { choose, followOtherTabs, settings } from "./settings.js";
import { button, icon, notices, spoken } from "./ui.js";
import { missing } from "./wire.js";
import { followBoard, openHash, showAddress, startAddress } from "./play/address.js";
import { algorithm } from "./play/document.js";
import { startRules } from "./play/rules.js";
import { startSound } from "./play/sound.js";
import { startSync, welcome } from "./play/sync.js";
import { hidden } from "./play/board-view.js";
import { hideLine, onKey, openDropped, openText } from "./play/actions.js";
import { playPage } from "./play/page.js";
import { runClocks } from "./play/clock.js";
import { inSight, searches, startThinking, state, stopAll } from "./play/thinking.js";

/**
 * Pages by the name in the address; all but the first are loaded when they are first seen.
 * @type {Record<string, () => any>}
 */
const PAGES = {
  play: () => playPage,
  lab: () => lazily(import("./pages/lab.js")).then((module) => module.labPage),
  tune: () => lazily(import("./pages/tune.js")).then((module) => module.tunePage),
  openings: () => lazily(import("./pages/openings.js")).then((module) => module.openingsPage),
  solve: () => lazily(import("./pages/solve.js")).then((module) => module.solvePage),
  puzzles: () => lazily(import("./pages/puzzles.js")).then((module) => module.puzzlesPage),
  library: () => lazily(import("./pages/library.js")).then((module) => module.libraryPage),
  rules: () => lazily(import("./pages/rules.js")).then((module) => module.rulesPage),
  settings: () => lazily(import("./pages/settings.js")).then((module) => module.settingsPage),
};

for (const name of missing) delete PAGES[name];

const page = signal("play");
let endPage = () => {};

/** Whoever looks elsewhere wants no analysis. */
function watchSight() {
  const look = () => (inSight.value = page.value === "play" && !document.hidden);
  addEventListener("visibilitychange", look);
  effect(() => void look());
}

async function showPage() {
  const wanted = parseHash(location.hash).page;
  const name = wanted in PAGES ? wanted : "play";
  page.value = name;
  const make = await PAGES[name]();
  if (page.peek() !== name) return;
  endPage();
  const [root, end] = scope(() => make());
  endPage = end;
  document.querySelector("main")?.replaceWith(root);
}

function header() {
  const nav = h(
    "nav",
    { "aria-label": () => t("pages") },
    Object.keys(PAGES).map((name) =>
      h("a", { href: `#/${name}`, "aria-current": () => (page.value === name ? "page" : false) }, () =>
        t(`page.${name}`),
      ),
    ),
  );
  const named = distinct(() => searches.value[0]?.player.split("(")[0] ?? "");
  const pill = button(
    {
      class: "pill",
      "data-state": () => state.value,
      "data-action": "engine",
      title: () => t("pill.help"),
      onclick: stopAll,
    },
    h("i", { "aria-hidden": "true" }),
    () => [named.value, t(`state.${state.value}`)].filter(Boolean).join(" · "),
    h(
      "span",
      { class: "rate", hidden: () => state.value !== "thinking" },
      live(() => speed(searches.value[0]?.info?.nps ?? 0), { wide: 62, size: 12.5, align: "right" }),
    ),
  );
  const theme = button(
    {
      class: "plain",
      "aria-label": () => t("theme"),
      title: () => t("theme"),
      "data-action": "theme",
      onclick: () => choose({ theme: dark() ? "light" : "dark" }),
    },
    () => icon(isDark.value ? "sun" : "moon"),
  );
  const help = button(
    {
      class: "plain",
      "aria-label": () => t("shortcuts"),
      title: () => `${t("shortcuts")} (?)`,
      "data-action": "help",
      onclick: shortcuts,
    },
    icon("help"),
  );
  const skip = button(
    {
      class: "skip",
      "data-action": "skip",
      onclick: () => {
        const main = document.querySelector("main");
        const first = main?.querySelector("[role=gridcell][tabindex='0']") ?? main?.querySelector("a, button, input");
        if (first instanceof HTMLElement) first.focus();
      },
    },
    () => t(page.value === "play" ? "skip.board" : "skip"),
  );
  const brand = h("a", { class: "brand", href: "#/play" }, h("i", { "aria-hidden": "true" }), "Tengen");
  effect(() => {
    const here = nav.querySelector(`[href="#/${page.value}"]`);
    // Where the pages do not fit side by side, the one shown is brought into sight.
    if (here instanceof HTMLElement)
      requestAnimationFrame(
        () => (nav.scrollLeft = here.offsetLeft - nav.offsetLeft - (nav.clientWidth - here.offsetWidth) / 2),
      );
  });
  document.querySelector("body > header")?.replaceChildren(skip, brand, nav, notes(), tray(), pill, help, theme);
}

const wishesDark = matchMedia("(prefers-color-scheme: dark)");
const isDark = signal(false);

function dark() {
  const { theme } = settings.value;
  return theme === "auto" ? wishesDark.matches : theme === "dark";
}

function themes() {
  wishesDark.addEventListener("change", () => (isDark.value = dark()));
  effect(() => {
    isDark.value = dark();
    document.documentElement.dataset.theme =
      settings.value.theme === "contrast" ? "contrast" : dark() ? "dark" : "light";
    readTheme();
  });
}

/** @typedef {import("./types").MessageOf<"run" | "tune" | "solve">} Job */
/**
 * Jobs of the server that are going: match runs, tuning runs, questions.
 * @type {import("./dom.js").Signal<Record<string, { page: string, share: number }>>}
 */
const jobs = signal({});

function watchJobs() {
  const note = (/** @type {string} */ page, /** @type {Job} */ { id, state }, /** @type {number} */ share) => {
    const { [`${page}-${id}`]: _, ...others } = jobs.peek();
    const isGoing = state === "running" || state === "stopping";
    jobs.value = isGoing ? { ...others, [`${page}-${id}`]: { page, share } } : others;
  };
  on("run", (news) => note("lab", news, news.total ? (news.played ?? 0) / news.total : 0));
  on("tune", (news) => note("tune", news, news.total ? news.done / news.total : 0));
  on("solve", (news) => note("solve", news, news.limit.ms ? news.ms / news.limit.ms : 0));
  effect(() => {
    if (link.value === "lost") jobs.value = {};
  });
}

/** The jobs in the header, on every page. */
function tray() {
  const list = h("span", {
    class: "tray",
    role: "group",
    "aria-label": () => t("tray"),
    hidden: () => !Object.keys(jobs.value).length,
  });
  each(
    list,
    () => Object.entries(jobs.value),
    ([id]) => id,
    (job) =>
      h(
        "a",
        { href: () => `#/${job.value[1].page}`, "data-job": () => job.value[0], title: () => t("tray.help") },
        h("i", { class: "dot running" }),
        h("span", null, () => t(`page.${job.value[1].page}`)),
        h("progress", { max: 1, value: () => job.value[1].share, "aria-label": () => t("lab.progress") }),
      ),
  );
  return list;
}

/** The sheet of keys. */
const shortcuts = () => void lazily(import("./play/lazy/sheet.js")).then((module) => module.shortcuts());

function keyboard() {
  const typing = (/** @type {EventTarget | null} */ target) =>
    target instanceof Element && target.closest("input, textarea, select, dialog, [role=gridcell]");
  addEventListener("keydown", (event) => {
    const action = actionOf(event);
    if (!action) return;
    // While a dialog is open, keys are the dialog's: Escape closes it and stops nothing.
    if (document.querySelector("dialog")) return;
    if (action === "help") return shortcuts();
    const onControl = event.target instanceof Element && event.target.closest("button, a, [role=tab], summary");
    if (onControl && (event.key === " " || event.key === "Enter")) return;
    const inGrid = event.target instanceof Element && event.target.closest("[role=gridcell]");
    const plainArrow = /^(Arrow|Enter| $)/.test(event.key) && !event.ctrlKey && !event.shiftKey;
    if (page.peek() !== "play" || (typing(event.target) && !(inGrid && !plainArrow))) return;
    const done = onKey[action]?.(event);
    if (done !== false && action in onKey) event.preventDefault();
  });
  addEventListener("keyup", () => {
    hidden.value = false;
    hideLine();
  });
  addEventListener("paste", (event) => {
    if (page.peek() !== "play" || typing(event.target)) return;
    const text = event.clipboardData?.getData("text") ?? "";
    if (text.trim()) openText(text);
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) openDropped(file);
  });
}

/** Messages stand in the header, where they cover nothing: the last of them, else that the server is gone. */
function notes() {
  const banner = h("p", { class: "banner error", role: "alert", hidden: () => link.value !== "lost" }, () =>
    t("offline"),
  );
  document.body.append(h("p", { class: "sr-only", "aria-live": "polite", id: "live" }, () => spoken.value));
  return h("div", { class: "notices" }, banner, () =>
    notices.value.map((one) =>
      h(
        "p",
        { class: one.kind, role: one.kind === "error" ? "alert" : "status", title: one.text },
        h("span", null, one.text),
        one.undo && button({ "data-action": "undo-notice", onclick: one.undo }, () => t("action.undo")),
      ),
    ),
  );
}

/** Does something once, when the server has said hello. @param {() => void} work */
function whenOpen(work) {
  const end = effect(() => {
    if (link.value !== "open") return;
    queueMicrotask(() => (end(), work()));
  });
}

async function start() {
  followOtherTabs();
  // Zooming changes how many pixels there are.
  addEventListener("resize", readTheme);
  themes();
  await followLanguage();
  startSync();
  startRules();
  startThinking();
  startSound();
  startAddress(location.hash);
  header();
  keyboard();
  watchJobs();
  watchSight();
  connect();
  runClocks();
  await showPage();
  followBoard();
  addEventListener("hashchange", () => {
    openHash(location.hash);
    if (parseHash(location.hash).page !== page.peek()) showPage();
    // The play page's address names what is on its board.
    if (parseHash(location.hash).page === "play") showAddress();
  });
  await loadSchema();
  if (page.peek() === "play")
    whenOpen(() => welcome(`${algorithm.peek()}${/^engine$/.test(algorithm.peek()) ? "(level=4)" : ""}`));
  document.documentElement.dataset.ready = "yes";
}

start();
