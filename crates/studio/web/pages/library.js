// The library: every game that was played or opened, to search, open, delete and save.

import { computed, each, h, onEnd, signal } from "../dom.js";
import { language, name, t } from "../i18n.js";
import { api, on, problemOf, send } from "../net.js";
import { button, download, icon, notifyError, scrollTable } from "../ui.js";
import { doc } from "../play/document.js";

/**
 * @typedef {{ id: string, saved: number, title: string, rule: string, size: number, names: [string, string] | null, result: string | null, plies: number }} Head
 */

/** How a game ended, in words; records write it as `B+`, `W+R` or `0`. @param {string | null} result */
function outcome(result) {
  const [, side, mark] = /^([BW])\+(.*)$/.exec(result ?? "") ?? [];
  if (!side) return result === "0" ? t("draw") : (result ?? t("library.open"));
  const how = { R: "resign", T: "time", F: "forbidden" }[mark];
  return [
    h("i", { class: `stone small ${side === "W" ? "white" : "black"}`, "aria-hidden": "true" }),
    t(side === "W" ? "white" : "black"),
    how ? h("small", null, t(`ending.${how}`)) : null,
  ];
}

export function libraryPage() {
  /** @type {import("../dom.js").Signal<Head[]>} */
  const all = signal(/** @type {Head[]} */ ([]));
  const search = signal("");
  const load = () => api("/api/games").then((list) => (all.value = list), notifyError);
  load();
  onEnd(on("doc", load));
  const who = (/** @type {Head} */ one) => [0, 1].map((i) => one.names?.[i] || t("human")).join(" – ");
  const shown = computed(() => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    return all.value
      .filter((one) => one.plies > 0 || one.id === doc.value.id)
      .filter((one) =>
        words.every((word) =>
          `${one.title} ${who(one)} ${one.rule} ${name("rule", one.rule)} ${one.size} ${one.result ?? ""}`
            .toLowerCase()
            .includes(word),
        ),
      );
  });
  const open = (/** @type {Head} */ one) => {
    send({ t: "doc-open", game: one.id });
    location.hash = "#/play";
  };
  const remove = async (/** @type {Head} */ one) => {
    await api(`/api/games/${one.id}`, { method: "DELETE" }).catch(notifyError);
    load();
  };
  const save = async (/** @type {Head} */ one) => {
    try {
      const game = await api(`/api/games/${one.id}`);
      const answer = await fetch("/api/write/sgf", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(game),
      });
      if (!answer.ok) throw new Error(await problemOf(answer));
      download(`${(one.title || who(one)).replace(/[^\w\- ]+/g, "_")}.sgf`, await answer.blob());
    } catch (error) {
      notifyError(error);
    }
  };
  const date = (/** @type {number} */ ms) =>
    new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" }).format(ms);
  const body = h("tbody", null);
  each(
    body,
    () => shown.value.slice(0, 500),
    (one) => one.id,
    (row) =>
      h(
        "tr",
        { "data-game": () => row.value.id, "aria-current": () => (row.value.id === doc.value.id ? "true" : false) },
        h(
          "td",
          null,
          button({ class: "move", onclick: () => open(row.peek()) }, () => who(row.value)),
          () => row.value.title && h("small", null, row.value.title),
        ),
        h("td", null, () => `${name("rule", row.value.rule)} ${row.value.size}×${row.value.size}`),
        h("td", { class: "num" }, () => row.value.plies),
        h("td", { "data-result": () => row.value.result ?? "" }, () => outcome(row.value.result)),
        h("td", null, () => date(row.value.saved)),
        h(
          "td",
          { class: "row acts" },
          button(
            {
              class: "plain",
              "data-action": "export-game",
              "aria-label": () => t("library.export"),
              title: () => t("library.export"),
              onclick: () => save(row.peek()),
            },
            icon("save"),
          ),
          () =>
            row.value.id !== doc.value.id &&
            button(
              {
                class: "plain",
                "data-action": "delete-game",
                "aria-label": t("delete"),
                title: t("delete"),
                onclick: () => remove(row.peek()),
              },
              icon("trash"),
            ),
        ),
      ),
  );
  const input = h("input", {
    type: "search",
    placeholder: () => t("library.search"),
    "aria-label": () => t("library.search"),
    oninput: () => (search.value = input.value),
  });
  return h(
    "main",
    { class: "page library" },
    h(
      "div",
      { class: "inner" },
      h("h1", null, () => t("page.library")),
      h(
        "section",
        { class: "card" },
        h(
          "div",
          { class: "row" },
          input,
          h("span", { class: "hint" }, () => t("library.count", { n: shown.value.length })),
        ),
        scrollTable(
          () => t("page.library"),
          [
            ["players", "rule", "plies", "result", "date"].map((id) =>
              h("th", { scope: "col", class: id === "plies" ? "num" : "" }, () => t(`column.${id}`)),
            ),
            h("td"),
          ],
          body,
        ),
        () => (shown.value.length ? null : h("p", { class: "empty" }, t("library.none"))),
      ),
    ),
  );
}
