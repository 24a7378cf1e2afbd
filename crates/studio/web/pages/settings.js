// The settings page: language, looks, board, hints, keys, and the document they are kept in.

import { h, signal } from "../dom.js";
import { LANGUAGES, has, t } from "../i18n.js";
import { BINDINGS, keysOf, pressed, showKey } from "../keys.js";
import { BOARD_NAMES } from "../paint.js";
import { choose, migrate, reset, settings } from "../settings.js";
import { button, download, field, notify, select } from "../ui.js";

/** @typedef {import("../settings.js").Settings} Settings */

/** @param {keyof Settings} key @param {string[]} values @param {(value: string) => string} [words] */
function pick(key, values, words = (value) => t(`set.${key}.${value}`)) {
  return field(
    () => t(`set.${key}`),
    select(
      () => values.map((one) => [one, words(one)]),
      () => String(settings.value[key]),
      (value) => choose({ [key]: value }),
      { name: key },
    ),
  );
}

/** @param {keyof Settings} key */
function toggle(key) {
  const box = h("input", {
    type: "checkbox",
    name: key,
    checked: () => Boolean(settings.value[key]),
    onchange: () => choose({ [key]: box.checked }),
  });
  return field(() => t(`set.${key}`), box);
}

/** @param {keyof Settings} key @param {number} min @param {number} max @param {number} [unit] */
function number(key, min, max, unit = 1) {
  const box = h("input", {
    type: "number",
    name: key,
    min,
    max,
    step: "any",
    value: () => String(Number(settings.value[key]) / unit),
    onchange: () => box.reportValidity() && choose({ [key]: Math.round(Number(box.value) * unit) }),
  });
  return field(() => t(`set.${key}`), box);
}

/** @param {string} title @param {...any} body */
const group = (title, ...body) =>
  h(
    "section",
    { class: "card" },
    h("h2", null, () => t(title)),
    h("div", { class: "form" }, ...body),
  );

function keyList() {
  const waiting = signal("");
  const set = (/** @type {string} */ id) => (/** @type {KeyboardEvent} */ event) => {
    if (waiting.peek() !== id || ["Shift", "Control", "Alt", "Meta", "Tab"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    waiting.value = "";
    choose({ keys: { ...settings.peek().keys, [id]: pressed(event) } });
  };
  return h(
    "div",
    { class: "form" },
    BINDINGS.map(({ id }) =>
      field(
        () => t(has(`action.${id}`) ? `action.${id}` : `key.${id}`),
        button({ onclick: () => (waiting.value = id), onkeydown: set(id) }, () =>
          waiting.value === id ? t("set.press") : keysOf(id).map(showKey).join(", "),
        ),
      ),
    ),
  );
}

async function load() {
  const input = h("input", {
    type: "file",
    accept: ".json",
    onchange: async () => {
      try {
        choose(migrate(JSON.parse(await input.files[0].text())));
      } catch {
        notify(t("error.settings"), "error");
      }
    },
  });
  input.click();
}

export function settingsPage() {
  return h(
    "main",
    { class: "page" },
    h(
      "div",
      { class: "inner" },
      h("h1", null, () => t("page.settings")),
      group(
        "set.looks",
        pick("lang", ["auto", ...Object.keys(LANGUAGES)], (code) =>
          code === "auto" ? t("set.auto") : LANGUAGES[code],
        ),
        pick("theme", ["auto", "light", "dark", "contrast"]),
        pick("board", Object.keys(BOARD_NAMES), (one) => t(BOARD_NAMES[one])),
        pick("coords", ["letters", "numbers", "none"]),
        pick("numbers", ["all", "last", "none"]),
        toggle("safe"),
        toggle("sound"),
      ),
      group(
        "set.hints",
        pick("view", ["black", "white", "mover"], (one) => t(`view.${one}`)),
        number("most", 1, 225),
        number("lines", 1, 40),
        toggle("preview"),
        pick("confirm", ["auto", "always", "never"]),
      ),
      group(
        "set.thinking",
        toggle("auto"),
        number("analysis", 0, 86_400, 1000),
        number("think", 0.1, 3600, 1000),
        number("sweep", 0.05, 600, 1000),
      ),
      h(
        "section",
        { class: "card" },
        h("h2", null, () => t("set.keys")),
        keyList(),
        h(
          "footer",
          { class: "row" },
          button({ onclick: () => choose({ keys: {} }) }, () => t("set.keys.reset")),
        ),
      ),
      h(
        "section",
        { class: "card" },
        h("h2", null, () => t("set.document")),
        h(
          "div",
          { class: "row" },
          button(
            {
              onclick: () =>
                download(
                  "tengen-settings.json",
                  new Blob([JSON.stringify(settings.peek(), null, 2)], { type: "application/json" }),
                ),
            },
            () => t("set.export"),
          ),
          button({ onclick: load }, () => t("set.import")),
          button({ "data-action": "reset-settings", onclick: reset }, () => t("set.reset")),
        ),
      ),
    ),
  );
}
