// The page's words in the reader's language. One file of words is loaded; English fills a gap only if there is one.

import { computed, effect, h, signal } from "./dom.js";
import { useLocale } from "./model/fmt.js";
import { fill } from "./model/words.js";
import { settings } from "./settings.js";

/** Languages by code, each in its own words: one file in `lang/` for each. @type {Record<string, string>} */
export const LANGUAGES = {
  en: "English",
  "zh-CN": "简体中文",
  "zh-TW": "繁體中文",
  ja: "日本語",
  ko: "한국어",
  ru: "Русский",
  vi: "Tiếng Việt",
};

/** @typedef {{ code: string, words: Record<string, string> }} Shown */

/** The words that are shown: they change together with their language. @type {import("./dom.js").Signal<Shown>} */
const shown = signal(/** @type {Shown} */ ({ code: "en", words: {} }));

/** The language that is shown. */
export const language = computed(() => shown.value.code);

/**
 * The language for a reader: the chosen one, else the first that the browser wishes for.
 * @param {string} chosen
 * @param {readonly string[]} wished
 */
export function pick(chosen, wished) {
  if (chosen in LANGUAGES) return chosen;
  for (const wish of wished) {
    if (wish in LANGUAGES) return wish;
    if (/^zh-(tw|hk|mo|hant)/i.test(wish)) return "zh-TW";
    const plain = wish.split("-")[0];
    const found = Object.keys(LANGUAGES).find((code) => code.split("-")[0] === plain);
    if (found) return found;
  }
  return "en";
}

/** Loads the words of the chosen language, now and whenever another is chosen; resolves with the first. */
export function followLanguage() {
  return new Promise((resolve) => {
    effect(() => {
      const code = pick(settings.value.lang, navigator.languages);
      load(code).then(resolve);
    });
  });
}

let wanted = "";
let wantsMore = false;
/** @type {Promise<void> | null} */
let loading = null;

/** @param {string} code */
function load(code) {
  wanted = code;
  return (loading = read(code));
}

/** @param {string} code */
async function read(code) {
  const parts = await Promise.all([import(`./lang/${code}.js`), wantsMore ? import(`./lang/more/${code}.js`) : null]);
  // Another language may have been chosen meanwhile.
  if (wanted !== code) return loading ?? undefined;
  const words = Object.assign({}, ...parts.map((part) => part?.default));
  useLocale(code, words);
  document.documentElement.lang = code;
  shown.value = { code, words };
}

/** The words that the first page does not need. */
export function moreWords() {
  if (!wantsMore) {
    wantsMore = true;
    load(wanted);
  }
  return loading;
}

/** @type {Promise<unknown> | null} */
let style = null;

/** The look of what the first page does not show. */
function moreStyle() {
  return (style ??= new Promise((resolve) => {
    const link = h("link", { rel: "stylesheet", href: "more.css", onload: resolve, onerror: resolve });
    document.head.append(link);
  }));
}

/**
 * A module that is loaded when it is first wanted, with its words and its look.
 * @template T
 * @param {Promise<T>} module
 * @returns {Promise<T>}
 */
export const lazily = (module) => Promise.all([module, moreWords(), moreStyle()]).then(([loaded]) => loaded);

let fallback = false;

/** English under the words that are there, loaded when the first gap is seen. */
async function useEnglish() {
  if (fallback || shown.peek().code === "en") return;
  fallback = true;
  const english = await Promise.all([import("./lang/en.js"), import("./lang/more/en.js")]);
  const { code, words } = shown.peek();
  shown.value = { code, words: Object.assign({}, ...english.map((part) => part.default), words) };
  fallback = false;
}

/**
 * The words for a key; `{name}` is filled in, see `model/words.js`.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values) {
  const { code, words } = shown.value;
  const text = words[key];
  if (text === undefined) {
    if (!wantsMore) moreWords();
    else useEnglish();
    return key;
  }
  return values ? fill(text, values, code) : text;
}

/** Whether there are words for a key. @param {string} key */
export const has = (key) => key in shown.value.words;

/** A name from the server: translated if we know it, as it is otherwise. @param {string} group @param {string} name */
export function name(group, name) {
  const key = `${group}.${name}`;
  return has(key) ? t(key) : name.replaceAll("-", " ").replaceAll("_", " ");
}

/**
 * What went wrong, in the reader's language as far as its kind is known; the server's sentence names the details.
 * @param {string} kind
 * @param {string} detail
 */
export const problemText = (kind, detail) =>
  language.peek() === "en" || !has(`problem.${kind}`) ? detail : `${t(`problem.${kind}`)} (${detail})`;
