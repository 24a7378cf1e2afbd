// Keeps the game in this browser and on the server, and takes over what another tab has changed.
//
// Every change is sent as a whole document and stored here until the server says that it has it. With
// it goes the number of the stored version it was made from: where another page was faster, the server
// puts both together and answers with the result.

import { signal } from "../dom.js";
import { moreWords, t } from "../i18n.js";
import * as tree from "../model/tree.js";
import { on, send } from "../net.js";
import { notify } from "../ui.js";
import { adopt, commit, doc, keepWith, mine } from "./document.js";

/** @typedef {import("../types").Doc} Doc */
/** @typedef {{ id: string, seq: number }} Version */

const KEY = "tengen.game";
/** Stands while the server has not said that it has the game. */
const UNSENT = `${KEY}.unsent`;
/** The version that the server was last known to have. */
const BASE = `${KEY}.base`;
const SOON_MS = 150;

/** Whether nothing is known of the reader: no game here, none on the server, none in the address. */
export const isNew = signal(false);

let unsent = false;
let isFirstHello = true;
/** The version that the server has. @type {Version | null} */
let kept = null;
/** The version that the server has once it has read everything sent. @type {Version | null} */
let base = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Shows the game that this browser has, and keeps it from now on. */
export function startSync() {
  isNew.value = localStorage.getItem(KEY) === null;
  unsent = localStorage.getItem(UNSENT) === "1";
  doc.value = stored() ?? doc.peek();
  kept = base = read(BASE);
  keepWith((soon) => {
    clearTimeout(timer);
    timer = undefined;
    unsent = true;
    if (soon) timer = setTimeout(save, SOON_MS);
    else save();
  });
  on("hello", (message) => meet(message.doc));
  on("doc", (message) => hear(message.doc, message.answer));
  on("saved", (message) => {
    remember({ id: message.game, seq: message.seq });
    if (message.game === doc.peek().id && message.seq === doc.peek().seq) settle();
  });
}

/** @param {string} key @returns {any} */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    // What cannot be read is not there.
    return null;
  }
}

/** @param {string} key @param {string} text */
function write(key, text) {
  try {
    localStorage.setItem(key, text);
  } catch {
    // Too large for the browser; the server has it.
  }
}

/** The game that was here last; one that cannot be shown is set aside. @returns {Doc | null} */
function stored() {
  const text = localStorage.getItem(KEY);
  const found = read(KEY);
  if (tree.isWhole(found)) return found;
  if (text !== null) {
    write(`${KEY}.damaged`, text);
    localStorage.removeItem(KEY);
    settle();
    void Promise.resolve(moreWords()).then(() => notify(t("error.damaged-game"), "error"));
  }
  return null;
}

function save() {
  clearTimeout(timer);
  timer = undefined;
  unsent = true;
  const now = doc.peek();
  const from = base?.id === now.id ? { base: base.seq } : {};
  if (send({ t: "doc-put", doc: now, ...from })) base = { id: now.id, seq: now.seq };
  write(KEY, JSON.stringify(now));
  write(UNSENT, "1");
}

/** The server has the game. */
function settle() {
  unsent = false;
  localStorage.removeItem(UNSENT);
}

/** The server has this version. @param {Version} version */
function remember(version) {
  kept = version;
  write(BASE, JSON.stringify(version));
}

/** Shows the server's game. @param {Doc} next @param {boolean} isMine */
function take(next, isMine) {
  adopt(next, isMine);
  write(KEY, JSON.stringify(next));
  remember({ id: next.id, seq: next.seq });
  base = kept;
  settle();
}

/** A game has come. @param {Doc} next @param {boolean} isAnswer */
function hear(next, isAnswer) {
  // What was changed here and not yet sent is sent now; the answer will hold both.
  if (timer !== undefined) return save();
  // So will the answer to what is under way.
  if (isAnswer || !unsent) take(next, isAnswer && next.id === doc.peek().id && mine.peek());
}

/** The server is there and has this game: it takes what it has not seen, or shows its own. @param {Doc | null} theirs */
function meet(theirs) {
  const ours = doc.peek();
  // What was under way when the connection was lost may not have arrived.
  base = kept;
  if (theirs) isNew.value = false;
  const isSafe = !unsent || (ours.nodes.length === 1 && theirs?.id !== ours.id);
  if (theirs && isSafe && (theirs.id !== ours.id || theirs.seq >= ours.seq)) take(theirs, isFirstHello || mine.peek());
  else if (ours.nodes.length > 1 || unsent) save();
  isFirstHello = false;
}

/** Whoever comes for the first time finds an opponent at the board. @param {string} spec */
export function welcome(spec) {
  const now = doc.peek();
  const isUntouched = now.nodes.length === 1 && !now.setup && now.seats.every((seat) => seat.who === "human");
  if (isNew.peek() && isUntouched) {
    commit({ ...now, seats: [{ who: "human" }, { who: "player", spec }] }, { soon: true });
  }
  isNew.value = false;
}
