// The page's words in the reader's language. Only the languages that have words are offered.

import { computed, signal } from "./dom.js";
import { settings } from "./settings.js";

/** Languages by code, each in its own words: one file in `lang/` for each. @type {Record<string, string>} */
export const LANGUAGES = { en: "English" };

/** @type {import("./dom.js").Signal<Record<string, string>>} */
const words = signal({});

/** The language that is shown. */
export const language = computed(() => pick(settings.value.lang, navigator.languages));

/** @param {string} chosen @param {readonly string[]} wished */
export function pick(chosen, wished) {
  if (chosen in LANGUAGES) return chosen;
  for (const wish of wished) {
    if (wish in LANGUAGES) return wish;
    if (/^zh-(tw|hk|mo|hant)/i.test(wish) && "zh-TW" in LANGUAGES) return "zh-TW";
    const plain = wish.split("-")[0];
    const found = Object.keys(LANGUAGES).find((code) => code.split("-")[0] === plain);
    if (found) return found;
  }
  return "en";
}

/** Loads the words of the chosen language. */
export async function loadLanguage() {
  const code = language.value;
  const module = await import(`./lang/${code}.js`);
  words.value = module.default;
  document.documentElement.lang = code;
}

/** The words for a key; `{name}` is filled in. @param {string} key @param {Record<string, string | number>} [values] */
export function t(key, values) {
  const text = words.value[key] ?? key;
  return values ? text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole)) : text;
}

/** Whether there are words for a key. @param {string} key */
export const has = (key) => key in words.value;

/** A name from the server: translated if we know it, as it is otherwise. @param {string} group @param {string} name */
export function name(group, name) {
  const key = `${group}.${name}`;
  return has(key) ? t(key) : name.replaceAll("-", " ").replaceAll("_", " ");
}
