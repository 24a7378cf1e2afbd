// The library: every game that was played or opened, to search, open, delete and save.

import { computed, each, effect, h, onEnd, signal } from "../dom.js";
import { language, name, t } from "../i18n.js";
import { api, on, problemOf, send } from "../net.js";
import { button, download, icon, notify, notifyError, scrollTable, segments, select } from "../ui.js";
import { ask } from "../wire.js";
import { doc } from "../play/document.js";
import { openFile } from "../play/lazy/files.js";

/**
 * @typedef {{ id: string, saved: number, title: string, rule: string, size: number, names: [string, string] | null, result: string | null, plies: number }} Head
 */

/** Games in the table at first, and more at a time. */
const PART = 500;

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
  /** Which games: those that are kept, or those that were deleted. */
  const place = signal("games");
  const rule = signal("");
  const outcomes = signal("");
  /** @type {import("../dom.js").Signal<ReadonlySet<string>>} */
  const chosen = signal(new Set());
  const load = () => api(`/api/${place.peek()}`).then((list) => (all.value = list), notifyError);
  effect(() => {
    place.value;
    chosen.value = new Set();
    load();
  });
  onEnd(on("doc", load));
  const who = (/** @type {Head} */ one) => [0, 1].map((i) => one.names?.[i] || t("human")).join(" – ");
  const shown = computed(() => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    return all.value
      .filter((one) => one.plies > 0)
      .filter((one) => !rule.value || one.rule === rule.value)
      .filter((one) => !outcomes.value || (one.result?.[0] ?? "open") === outcomes.value)
      .filter((one) =>
        words.every((word) =>
          `${one.title} ${who(one)} ${one.rule} ${name("rule", one.rule)} ${one.size} ${one.result ?? ""}`
            .toLowerCase()
            .includes(word),
        ),
      );
  });
  /** How many are in the table. */
  const most = signal(PART);
  effect(() => {
    shown.value;
    most.value = PART;
  });
  const open = (/** @type {Head} */ one) => {
    send({ t: "doc-open", game: one.id });
    location.hash = "#/play";
  };
  const restore = async (/** @type {string[]} */ ids) => {
    for (const id of ids) await api(`/api/bin/${id}/restore`, { method: "POST" }).catch(notifyError);
    load();
  };
  const remove = async (/** @type {string[]} */ ids) => {
    /** @type {string[]} */
    const gone = [];
    for (const id of ids)
      if (await api(`/api/games/${id}`, { method: "DELETE" }).then(() => true, notifyError)) gone.push(id);
    chosen.value = new Set();
    if (gone.length) notify(t("library.deleted", { n: gone.length }), "note", () => restore(gone));
    load();
  };
  const isBin = () => place.value === "bin";
  const canGo = (/** @type {Head} */ one) => one.id !== doc.value.id;
  const toggle = (/** @type {string} */ id) => {
    const next = new Set(chosen.peek());
    if (!next.delete(id)) next.add(id);
    chosen.value = next;
  };
  const save = async (/** @type {Head} */ one) => {
    try {
      const game = await api(`/api/games/${one.id}`);
      const answer = await ask("/api/write/sgf", {
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
  const act = (
    /** @type {string} */ id,
    /** @type {string} */ picture,
    /** @type {string} */ word,
    /** @type {() => void} */ done,
  ) =>
    button({ class: "plain", "data-action": id, "aria-label": t(word), title: t(word), onclick: done }, icon(picture));
  const body = h("tbody", null);
  each(
    body,
    () => shown.value.slice(0, most.value),
    (one) => one.id,
    (row) =>
      h(
        "tr",
        { "data-game": () => row.value.id, "aria-current": () => (row.value.id === doc.value.id ? "true" : false) },
        h("td", null, () =>
          !isBin() && canGo(row.value)
            ? h("input", {
                type: "checkbox",
                "aria-label": t("library.choose", { game: who(row.value) }),
                checked: () => chosen.value.has(row.value.id),
                onchange: () => toggle(row.peek().id),
              })
            : null,
        ),
        h(
          "td",
          null,
          button({ class: "move", disabled: isBin, onclick: () => open(row.peek()) }, () => who(row.value)),
          () => row.value.title && h("small", null, row.value.title),
        ),
        h("td", null, () => `${name("rule", row.value.rule)} ${row.value.size}×${row.value.size}`),
        h("td", { class: "num" }, () => row.value.plies),
        h("td", { "data-result": () => row.value.result ?? "" }, () => outcome(row.value.result)),
        h("td", null, () => date(row.value.saved)),
        h("td", { class: "row acts" }, () =>
          isBin()
            ? act("restore-game", "undo", "library.restore", () => restore([row.peek().id]))
            : [
                act("export-game", "save", "library.export", () => save(row.peek())),
                canGo(row.value) && act("delete-game", "trash", "delete", () => remove([row.peek().id])),
              ],
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
          segments(
            () => t("page.library"),
            () => [
              ["games", t("page.library")],
              ["bin", t("library.bin")],
            ],
            () => place.value,
            (next) => (place.value = next),
          ),
          input,
          button({ "data-action": "import", title: () => t("action.open.help"), onclick: openFile }, icon("open"), () =>
            t("library.import"),
          ),
          select(
            () => [
              ["", t("library.any-rule")],
              ...[...new Set(all.value.map((one) => one.rule))].map(
                (one) => /** @type {[string, string]} */ ([one, name("rule", one)]),
              ),
            ],
            () => rule.value,
            (next) => (rule.value = next),
            { "aria-label": () => t("rule"), name: "rule" },
          ),
          select(
            () => [
              ["", t("library.any-result")],
              ["B", t("over.black")],
              ["W", t("over.white")],
              ["0", t("draw")],
              ["open", t("library.open")],
            ],
            () => outcomes.value,
            (next) => (outcomes.value = next),
            { "aria-label": () => t("column.result"), name: "result" },
          ),
          h("span", { class: "hint" }, () => t("library.count", { n: shown.value.length })),
          () =>
            chosen.value.size > 0 &&
            button({ "data-action": "delete-chosen", onclick: () => remove([...chosen.peek()]) }, icon("trash"), () =>
              t("library.delete-chosen", { n: chosen.value.size }),
            ),
        ),
        scrollTable(
          () => t("page.library"),
          [
            h("td"),
            ["players", "rule", "plies", "result", "date"].map((id) =>
              h("th", { scope: "col", class: id === "plies" ? "num" : "" }, () => t(`column.${id}`)),
            ),
            h("td"),
          ],
          body,
        ),
        () =>
          shown.value.length > most.value
            ? button({ "data-action": "more-games", onclick: () => (most.value += PART) }, () =>
                t("openings.more", { n: shown.value.length - most.value }),
              )
            : null,
        () => (isBin() ? h("p", { class: "hint" }, t("library.bin.text")) : null),
        () =>
          shown.value.length ? null : h("p", { class: "empty" }, t(isBin() ? "library.bin.none" : "library.none")),
      ),
    ),
  );
}
