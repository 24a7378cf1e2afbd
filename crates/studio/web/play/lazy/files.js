// Files, pictures and addresses: reading a game in, giving it out.

import { h, signal } from "../../dom.js";
import { name, t } from "../../i18n.js";
import * as display from "../../model/display.js";
import { hashOf } from "../../model/share.js";
import * as tree from "../../model/tree.js";
import { api, problemOf } from "../../net.js";
import { paint, svg } from "../../paint.js";
import { button, dialog, download, icon, notify, notifyError, select } from "../../ui.js";
import { colors, view } from "../board-view.js";
import { doc, openDoc } from "../document.js";

const ACCEPT = ".sgf,.psq,.rec,.lib,.pos,.sav,.txt,.json";

/** Asks for a file and opens it. */
export function openFile() {
  const input = h("input", {
    type: "file",
    accept: ACCEPT,
    "aria-label": t("action.open"),
    onchange: () => input.files?.[0] && readFile(input.files[0]),
  });
  input.click();
}

/** Reads a file that was picked or dropped. @param {File} file */
export async function readFile(file) {
  await readBytes(file, file.name);
}

/** Reads a game from text or bytes. @param {BodyInit} body @param {string} name */
export async function readBytes(body, name) {
  const now = doc.peek();
  const query = new URLSearchParams({ name, rule: now.rule, size: String(now.size) });
  const answer = await fetch(`/api/read?${query}`, { method: "POST", body });
  if (!answer.ok) return void notify(await problemOf(answer), "error");
  const { games, notes } = await answer.json();
  notes.forEach((/** @type {string} */ note) => notify(note));
  if (games.length === 1) return openGame(games[0]);
  pick(games);
}

/** @param {any} game */
function openGame(game) {
  const made = tree.create({ ...game, names: game.names, result: null });
  const last = tree.line(made, 0).at(-1) ?? 0;
  openDoc({ ...made, at: last, tip: last });
  notify(t("opened", { n: tree.depth(made, last) }));
}

/** Several games in one file: which one? @param {any[]} games */
function pick(games) {
  dialog(
    () => t("pick-game", { n: games.length }),
    (close) =>
      h(
        "ul",
        { class: "list" },
        games
          .slice(0, 500)
          .map((game, i) =>
            h(
              "li",
              null,
              button(
                { onclick: () => (openGame(game), close()) },
                h("b", null, String(i + 1)),
                h("span", null, game.title || game.names.filter(Boolean).join(" – ") || t("untitled")),
                h("small", null, `${name("rule", game.rule)} ${game.size} · ${game.nodes.length - 1}`),
              ),
            ),
          ),
      ),
    { wide: true },
  );
}

/** The game in a format, as the server writes it. @param {string} format */
async function written(format) {
  const answer = await fetch(`/api/write/${format}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(doc.peek()),
  });
  if (!answer.ok) throw new Error(await problemOf(answer));
  return answer.blob();
}

const FORMATS = [
  ["sgf", "sgf"],
  ["psq", "psq"],
  ["lib", "lib"],
  ["pos", "txt"],
  ["pos-bytes", "pos"],
  ["rec", "rec"],
  ["sav", "sav"],
];

/** Saves the game, its picture or its address. */
export function saveDialog() {
  const format = signal("sgf");
  const file = () => `${doc.peek().title || `tengen-${doc.peek().rule}`}`.replace(/[^\w\- ]+/g, "_");
  const save = async (/** @type {() => void} */ close) => {
    try {
      const ending = FORMATS.find(([id]) => id === format.peek())?.[1];
      download(`${file()}.${ending}`, await written(format.peek()));
      close();
    } catch (error) {
      notifyError(error);
    }
  };
  const address = () => location.origin + location.pathname + hashOf(doc.value);
  const copy = async (/** @type {string} */ text) => {
    await navigator.clipboard.writeText(text);
    notify(t("copied"));
  };
  dialog(
    () => t("action.save"),
    (close) => [
      h(
        "section",
        { class: "save-part" },
        h("h3", null, () => t("save.file")),
        h(
          "div",
          { class: "row" },
          select(
            () => FORMATS.map(([id]) => [id, t(`format.${id}`)]),
            () => format.value,
            (one) => (format.value = one),
            { "aria-label": () => t("format"), name: "format" },
          ),
          button({ class: "primary", "data-action": "download", onclick: () => save(close) }, icon("save"), () =>
            t("download"),
          ),
        ),
      ),
      h(
        "section",
        { class: "save-part" },
        h("h3", null, () => t("save.picture")),
        h(
          "div",
          { class: "row" },
          button({ "data-action": "png", onclick: () => picture("png", file()) }, icon("image"), "PNG"),
          button({ "data-action": "svg", onclick: () => picture("svg", file()) }, icon("image"), "SVG"),
        ),
      ),
      h(
        "section",
        { class: "save-part" },
        h("h3", null, () => t("save.address")),
        h(
          "div",
          { class: "row" },
          h("input", { type: "text", readonly: true, value: address, "aria-label": () => t("save.address") }),
          button({ "data-action": "copy-address", onclick: () => copy(address()) }, icon("copy"), () => t("copy")),
        ),
        h(
          "div",
          { class: "row" },
          h("input", {
            type: "text",
            readonly: true,
            value: () => tree.moves(doc.value).join(""),
            "aria-label": () => t("save.moves"),
          }),
          button({ onclick: () => copy(tree.moves(doc.peek()).join("")) }, icon("copy"), () => t("copy")),
        ),
      ),
    ],
  );
}

/** The board as a picture. @param {"png" | "svg"} kind @param {string} file */
async function picture(kind, file) {
  const now = view.peek();
  const list = [
    ...display.backdrop(now),
    ...display.stones(now),
    ...display.forbidden(now),
    ...display.labels(now, doc.peek().nodes[doc.peek().at].x ?? []),
  ];
  const cells = display.extent(now);
  if (kind === "svg")
    return download(`${file}.svg`, new Blob([svg(list, colors.peek(), cells)], { type: "image/svg+xml" }));
  const canvas = new OffscreenCanvas(1200, 1200);
  const g = canvas.getContext("2d");
  if (!g) return;
  paint(/** @type {any} */ (g), list, colors.peek(), 1200 / cells);
  download(`${file}.png`, await canvas.convertToBlob({ type: "image/png" }));
}
