// What a person has chosen, kept in this browser: one versioned document, never keyed by release.

import { signal } from "./dom.js";

const KEY = "tengen.settings";
const VERSION = 2;

const DEFAULTS = {
  v: VERSION,
  lang: "auto",
  theme: "auto",
  board: "kaya",
  safe: false,
  coords: "letters",
  numbers: "all",
  view: "black",
  overlay: "candidates",
  side: "max",
  most: 15,
  lines: 3,
  confirm: "auto",
  preview: true,
  sound: false,
  mode: "play",
  alg: "",
  second: "",
  algs: /** @type {string[]} */ ([]),
  auto: true,
  teacher: false,
  analysis: 0,
  think: 10_000,
  sweep: 1000,
  keys: /** @type {Record<string, string>} */ ({}),
  forms: /** @type {Record<string, any>} */ ({}),
};

/** @typedef {typeof DEFAULTS} Settings */

/** Brings a stored document of any version up to date. @param {any} stored @returns {Settings} */
export function migrate(stored) {
  if (!stored || typeof stored !== "object") return { ...DEFAULTS };
  const known = Object.fromEntries(
    Object.entries(stored).filter(
      ([key, value]) => key in DEFAULTS && typeof value === typeof (/** @type {any} */ (DEFAULTS)[key]),
    ),
  );
  const current = /** @type {Settings} */ ({ ...DEFAULTS, ...known, v: VERSION });
  if (stored.v === 1) {
    // The first version spelled it so.
    if (stored.mode === "analyse") current.mode = "analyze";
    const { analyse, ...keys } = current.keys;
    if (analyse) current.keys = { ...keys, analyze: analyse };
  }
  return current;
}

function load() {
  try {
    return migrate(JSON.parse(localStorage.getItem(KEY) ?? "null"));
  } catch {
    return migrate(null);
  }
}

/** @type {import("./dom.js").Signal<Settings>} */
export const settings = signal(load());

/** Changes some settings and keeps them. @param {Partial<Settings>} patch */
export function choose(patch) {
  settings.value = { ...settings.peek(), ...patch };
  try {
    localStorage.setItem(KEY, JSON.stringify(settings.peek()));
  } catch {
    // A browser that stores nothing still plays.
  }
}

export function reset() {
  choose({ ...DEFAULTS });
}

/** Another tab's choice is ours too. */
export function followOtherTabs() {
  addEventListener("storage", (event) => {
    if (event.key === KEY) settings.value = load();
  });
}
