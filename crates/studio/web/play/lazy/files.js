// Files, pictures and addresses: reading a game in, giving it out.

import { computed, h, signal } from "../../dom.js";
import { name as nameOf, t } from "../../i18n.js";
import * as display from "../../model/display.js";
import { alike, join } from "../../model/join.js";
import { hashOf } from "../../model/share.js";
import * as tree from "../../model/tree.js";
import { api, problemOf } from "../../net.js";
import { paint, svg } from "../../paint.js";
import { button, dialog, download, field, icon, notify, notifyError, select } from "../../ui.js";
import { ask } from "../../wire.js";
import { colors, view } from "../board-view.js";
import { doc, openDoc, resultText } from "../document.js";

const ACCEPT = ".sgf,.psq,.rec,.lib,.pos,.sav,.txt,.json";

/** Bytes of nodes in a game that is read; the server keeps larger ones, so that there is room to write in it. */
const ROOM = 3 * 2 ** 20;
/** Letters of games sent at once. */
const BATCH = 600_000;

/** Asks for files and opens them. */
export function openFile() {
  const input = h("input", {
    type: "file",
    accept: ACCEPT,
    multiple: true,
    "aria-label": t("action.open"),
    onchange: () => readFiles([...(input.files ?? [])]),
  });
  input.click();
}

/** Reads a file that was picked or dropped. @param {File} file */
export const readFile = (file) => readFiles([file]);

/** Reads a game from text or bytes. @param {BodyInit} body @param {string} name */
export const readBytes = (body, name) => readAll([{ body, name }]);

/** @param {File[]} files */
const readFiles = (files) => readAll(files.map((file) => ({ body: file, name: file.name })));

/** @typedef {{ body: BodyInit, name: string }} Source */
/** @typedef {{ games: any[], set: string, guessed: boolean }} Reading */

/** @param {Source[]} sources */
async function readAll(sources) {
  const readings = [];
  for (const source of sources) readings.push(await readingOf(source));
  offer(sources, readings);
}

/** The games of a file; what is wrong with it is told. @param {Source} source @param {string} [set] its character set, if that is known @returns {Promise<Reading>} */
async function readingOf({ body, name }, set) {
  const now = doc.peek();
  const query = new URLSearchParams({ name, rule: now.rule, size: String(now.size) });
  if (set) query.set("encoding", set);
  const answer = await ask(`/api/read?${query}`, { method: "POST", body });
  if (!answer.ok) {
    notify(await problemOf(answer), "error");
    return { games: [], set: "", guessed: false };
  }
  const { games, notes, encoding, guessed } = await answer.json();
  notes.forEach((/** @type {string} */ note) => notify(note));
  return { games, set: encoding, guessed };
}

/** One game is opened; of several, or where the character set was guessed, the reader says what is to become of them. @param {Source[]} sources @param {Reading[]} readings */
function offer(sources, readings) {
  const games = readings.flatMap((one) => one.games);
  const guess = readings.find((one) => one.guessed);
  if (games.length === 1 && !guess) openGame(games[0]);
  else if (games.length) pick(sources, readings, guess?.set ?? "");
}

/** A game of a file as one of ours. @param {any} game */
function made(game) {
  const whole = tree.create({ ...game, names: game.names, result: null });
  const last = tree.line(whole, 0).at(-1) ?? 0;
  const result = game.end ? resultText(game.end.winner, game.end.ending) : null;
  return { ...whole, at: last, tip: last, result, plies: tree.depth(whole, last), saved: Date.now(), seq: 1 };
}

/** Keeps all games in the library. @param {any[]} games */
async function keepAll(games) {
  /** @type {string[]} */
  let batch = [];
  let letters = 0;
  const flush = async () => {
    if (batch.length)
      await api("/api/games", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: `[${batch.join()}]`,
      });
    batch = [];
    letters = 0;
  };
  try {
    for (const [i, game] of games.entries()) {
      const one = made(game);
      const text = JSON.stringify({ ...one, id: `${one.id}-${i.toString(36)}` });
      if (letters + text.length > BATCH) await flush();
      batch.push(text);
      letters += text.length;
    }
    await flush();
    location.hash = "#/library";
    notify(t("pick.kept", { n: games.length }));
  } catch (error) {
    notifyError(error);
  }
}

/** Opens all games that are alike as one tree. @param {any[]} games @param {string} name */
function openTree(games, name) {
  const nodes = join(games);
  if (new Blob([JSON.stringify(nodes)]).size > ROOM) return notify(t("pick.too-large"), "error");
  openGame({ ...games[0], nodes, names: ["", ""], end: null, title: name.replace(/\.\w+$/, "") });
}

/** @param {any} game */
function openGame(game) {
  const one = made(game);
  openDoc(one);
  location.hash = "#/play";
  notify(t("opened", { n: one.plies }));
}

/** The character sets of old files. */
const SETS = ["GBK", "Big5", "Shift_JIS", "EUC-KR", "windows-1251", "windows-1252", "UTF-8"];

/** Several games: one of them, all of them, or one tree? A guessed character set can be corrected. @param {Source[]} sources @param {Reading[]} readings @param {string} guess */
function pick(sources, readings, guess) {
  const read = signal(readings);
  const set = signal(guess);
  const games = computed(() => read.value.flatMap((one) => one.games));
  const same = computed(() => alike(games.value));
  const name = sources[0].name;
  const correct = async (/** @type {string} */ now) => {
    set.value = now;
    const again = [];
    for (const [i, source] of sources.entries())
      again.push(readings[i].guessed ? await readingOf(source, now) : readings[i]);
    // Another one may have been chosen meanwhile.
    if (set.peek() === now) read.value = again;
  };
  dialog(
    () => t("pick-game", { n: games.value.length }),
    (close) => [
      guess &&
        field(
          () => t("pick.set"),
          select(
            () => [...new Set([guess, ...SETS])].map((one) => [one, one]),
            () => set.value,
            correct,
            { name: "encoding" },
          ),
          () => t("pick.set.help"),
        ),
      h(
        "div",
        { class: "row", hidden: () => games.value.length < 2 },
        button(
          { class: "primary", "data-action": "keep-all", onclick: () => (keepAll(games.peek()), close()) },
          icon("library"),
          () => t("pick.all", { n: games.value.length }),
        ),
        button(
          {
            "data-action": "one-tree",
            hidden: () => same.value.length < 2,
            onclick: () => (openTree(same.peek(), name), close()),
          },
          icon("tree"),
          () => t("pick.tree", { n: same.value.length }),
        ),
      ),
      h("h3", { hidden: () => games.value.length < 2 }, () => t("pick.one")),
      h("ul", { class: "list" }, () =>
        games.value
          .slice(0, 500)
          .map((game, i) =>
            h(
              "li",
              null,
              button(
                { onclick: () => (openGame(game), close()) },
                h("b", null, String(i + 1)),
                h("span", null, game.title || game.names.filter(Boolean).join(" – ") || said(game) || t("untitled")),
                h("small", null, `${nameOf("rule", game.rule)} ${game.size} · ${game.nodes.length - 1}`),
              ),
            ),
          ),
      ),
    ],
    { wide: true },
  );
}

/** The first words that are written in a game. @param {any} game */
function said(game) {
  const words = game.nodes.find((/** @type {any} */ node) => node.c)?.c ?? "";
  return words.length > 60 ? `${words.slice(0, 60)}…` : words;
}

/** The game in a format, as the server writes it. @param {string} format */
async function written(format) {
  const answer = await ask(`/api/write/${format}`, {
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
    ...display.arrows(now, doc.peek().nodes[doc.peek().at].y ?? []),
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
