// What keys and buttons of the play page do.

import { lazily, t } from "../i18n.js";
import { readMoves } from "../model/coords.js";
import * as tree from "../model/tree.js";
import { choose, settings } from "../settings.js";
import { notify, spoken } from "../ui.js";
import { missing } from "../wire.js";
import { candidates, confirmStone, chosen, hereNow, hidden, line, revealed, threat, tool } from "./board-view.js";
import { doc, ended, finish, openDoc, redoEdit, show, toMove, undoEdit, walk } from "./document.js";
import {
  analyzing,
  balance,
  chosenAlgorithm,
  hint,
  nextMistake,
  playBest,
  shown,
  stopAll,
  think,
  toggleAnalysis,
} from "./thinking.js";
import { result } from "./rules.js";
import { claimText, worth } from "./worth.js";

/** The person to move, or White if none is, gives up. */
function resign() {
  const now = doc.peek();
  const side = tree.toMove(now, now.tip);
  const loser =
    now.seats[side].who === "human" || now.seats[1 - side].who !== "human" ? side : /** @type {0 | 1} */ (1 - side);
  stopAll();
  finish({ winner: loser ? 0 : 1, ending: "resign" });
}

async function copy() {
  if (String(getSelection())) return false;
  await navigator.clipboard.writeText(tree.moves(doc.peek()).join("") || (tree.setupText(doc.peek().setup) ?? ""));
  notify(t("copied"));
  return true;
}

/** Reads a position or a game that was pasted. @param {string} text */
export function openText(text) {
  const now = doc.peek();
  const list = readMoves(text.trim(), now.size);
  if (!list?.length) return files((module) => module.readBytes(text, ""));
  const [next, at] = tree.playLine(tree.create({ rule: now.rule, size: now.size }), 0, list);
  openDoc({ ...next, at, tip: at });
}

async function speak() {
  const info = shown.peek()?.info;
  const e = info && "e" in info && info.e ? info.e : (info?.cand[0]?.e ?? null);
  const proved = Boolean(info?.cand[0]?.proved);
  const text = info
    ? t("say.eval", {
        eval: claimText(e, proved) || worth(e),
        move: info.cand[0]?.m.toUpperCase() ?? "–",
        depth: info.depth,
      })
    : t("say.no-eval");
  spoken.value = text;
  notify(text);
}

/** @param {(module: typeof import("./lazy/files.js")) => void} work */
const files = (work) => void lazily(import("./lazy/files.js")).then(work);

/** Opens a dropped file. @param {File} file */
export const openDropped = (file) => files((module) => module.readFile(file));

/** @type {[string, string, () => void]} */
const simulate = ["simulate", "simulate", () => void (location.hash = "#/lab")];

export const actions = {
  open: () => files((module) => module.openFile()),
  save: () => files((module) => module.saveDialog()),
  resign,
  hint: () => {
    revealed.value = hereNow();
    hint();
  },
  /** More buttons of the rail. @returns {[string, string, () => void][]} */
  more: () => [
    ["edit", "edit", () => (tool.value = tool.peek() ? null : "black")],
    ...(missing.has("lab") ? [] : [simulate]),
    ["trace", "tree", () => void lazily(import("./lazy/trace.js")).then((module) => module.traceDialog())],
  ],
};

/** Shows what the other side would play now, or hides it. */
export function showThreat() {
  if (threat.peek()) return void (threat.value = null);
  const player = chosenAlgorithm();
  const now = doc.peek();
  const place = hereNow();
  if (!player || result.peek()) return;
  const position = { ...tree.position(now), setup: tree.setupText(tree.otherSide(now)), moves: [] };
  think("threat", now.at, player, { position, limits: { ms: Math.min(2000, settings.peek().think) } }, (best) => {
    if (place === hereNow()) threat.value = best.cand[0]?.pv.slice(0, 7) ?? best.stones;
  });
}

/** A line that is shown while its key is held goes with the key. */
export function hideLine() {
  if (line.peek() && !document.querySelector(":is(.candidates tr, .plies):is(:hover, :focus-within)"))
    line.value = null;
}

/** Keys by action; `false` means the key was not ours. @type {Record<string, (event: KeyboardEvent) => any>} */
export const onKey = {
  prev: () => walk("prev"),
  next: () => walk("next"),
  up: () => walk("up"),
  down: () => walk("down"),
  start: () => walk("start"),
  end: () => walk("end"),
  "fork-prev": () => walk("fork-prev"),
  "fork-next": () => walk("fork-next"),
  back10: () => walk("back10"),
  on10: () => walk("on10"),
  "mistake-next": () => show(nextMistake(1)),
  "mistake-prev": () => show(nextMistake(-1)),
  analyze: () => {
    if (settings.peek().mode === "analyze") return toggleAnalysis();
    choose({ mode: "analyze" });
    analyzing.value = true;
  },
  threat: showThreat,
  best: () => (chosen.peek() ? confirmStone() : playBest()),
  stop: () => {
    if (ended.peek()) return void (ended.value = "");
    chosen.value = null;
    tool.value = null;
    stopAll();
  },
  hint: () => actions.hint(),
  balance1: () => balance(1),
  balance2: () => balance(2),
  speak,
  threats: () => choose({ mode: "analyze", overlay: settings.peek().overlay === "threats" ? "candidates" : "threats" }),
  hide: () => void (hidden.value = true),
  line: (event) => void (line.value = candidates.peek()[Number(event.key) - 1]?.pv ?? null),
  mode: () => choose({ mode: settings.peek().mode === "play" ? "analyze" : "play" }),
  "undo-edit": undoEdit,
  "redo-edit": redoEdit,
  copy: () => (String(getSelection()) ? false : copy()),
  open: () => actions.open(),
  save: () => actions.save(),
};
