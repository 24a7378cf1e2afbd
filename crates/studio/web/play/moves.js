// The tree of moves: the main line inline, variations indented; comments and judgments.

import { computed, effect, h } from "../dom.js";
import { lazily, t } from "../i18n.js";
import * as tree from "../model/tree.js";
import { choose, settings } from "../settings.js";
import { button, icon, lazyPlace } from "../ui.js";
import { doc, edit, show } from "./document.js";
import { fault } from "./thinking.js";

const JUDGMENTS = /** @type {Record<string, string>} */ ({ good: "!", bad: "?", interesting: "!?", doubtful: "?!" });

export function movesPanel() {
  const list = computed(() => tree.rows(doc.value));
  const box = h(
    "div",
    { class: "moves scroll", tabindex: -1, role: "group", "aria-label": () => t("tab.moves") },
    () =>
      list.value.length
        ? list.value.map((row) =>
            h(
              "p",
              { style: { "--depth": String(row.depth) } },
              row.ids.map((id, i) => moveLink(id, i === 0)),
            ),
          )
        : h("p", { class: "empty" }, t("moves.none")),
  );
  effect(() => {
    doc.value;
    requestAnimationFrame(() => {
      const now = box.querySelector('[aria-current="true"]');
      if (!now) return;
      // Only the list is scrolled: on a phone the board must not be pushed out of sight.
      const [outer, inner] = [box.getBoundingClientRect(), now.getBoundingClientRect()];
      box.scrollTop += Math.min(0, inner.top - outer.top) + Math.max(0, inner.bottom - outer.bottom);
    });
  });
  const picture = () => lazyPlace(lazily(import("./lazy/tree-picture.js")), (module) => module.treePicture());
  return h("div", { class: "moves-panel" }, () => (settings.value.forms.picture ? picture() : null), box, tools());
}

/** @param {number} id @param {boolean} first */
function moveLink(id, first) {
  const now = doc.peek();
  const node = now.nodes[id];
  const n = tree.depth(now, id);
  const bad = fault(node);
  const mark = node.j ? JUDGMENTS[node.j] : "";
  return [
    first || n % 2 === 1 ? h("span", { class: "n" }, `${n}.`) : null,
    h(
      "a",
      {
        href: "#",
        role: "button",
        class: bad ? (bad.k === "mistake" ? "mistake" : "blunder") : "",
        title: bad ? t("moves.loss", { loss: Math.round(bad.l * 100) }) : false,
        "aria-current": () => (doc.value.at === id ? "true" : false),
        onclick: (/** @type {Event} */ event) => (event.preventDefault(), show(id)),
      },
      (node.m ?? "").toUpperCase(),
      mark,
    ),
    node.c ? h("span", { class: "comment" }, node.c) : null,
    " ",
  ];
}

function tools() {
  const at = () => doc.value.at;
  const comment = h("textarea", {
    rows: 2,
    "aria-label": () => t("comment"),
    placeholder: () => t("comment"),
    value: () => doc.value.nodes[at()].c ?? "",
    onchange: () => edit((now) => tree.annotate(now, now.at, { c: comment.value.trim() })),
  });
  return h(
    "div",
    { class: "tree-tools" },
    comment,
    h(
      "div",
      { class: "row" },
      Object.entries(JUDGMENTS).map(([id, sign]) =>
        button(
          {
            class: "plain",
            "aria-pressed": () => String(doc.value.nodes[at()].j === id),
            title: () => t(`judgment.${id}`),
            "aria-label": () => t(`judgment.${id}`),
            onclick: () => edit((now) => tree.annotate(now, now.at, { j: now.nodes[now.at].j === id ? "" : id })),
          },
          sign,
        ),
      ),
      h("span", { class: "gap" }),
      button(
        {
          class: "plain",
          "data-action": "tree-picture",
          title: () => t("tree.picture"),
          "aria-label": () => t("tree.picture"),
          "aria-pressed": () => String(Boolean(settings.value.forms.picture)),
          onclick: () => choose({ forms: { ...settings.peek().forms, picture: !settings.peek().forms.picture } }),
        },
        icon("tree"),
      ),
      button(
        {
          class: "plain",
          "data-action": "promote",
          title: () => t("promote"),
          "aria-label": () => t("promote"),
          disabled: () => at() === 0,
          onclick: () => edit((now) => tree.promote(now, now.at)),
        },
        icon("up"),
      ),
      button(
        {
          class: "plain",
          "data-action": "delete-branch",
          title: () => t("delete-branch"),
          "aria-label": () => t("delete-branch"),
          disabled: () => at() === 0,
          onclick: () => edit((now) => tree.remove(now, now.at)),
        },
        icon("trash"),
      ),
    ),
  );
}
