// Keeps the game in this browser and on the server, and takes over what another tab has changed.
//
// Every change is sent as a whole document and stored here until the server says that it has it.
// Whoever was away sends the game again, unless the server's is newer.

import { signal } from "../dom.js";
import * as tree from "../model/tree.js";
import { on, send } from "../net.js";
import { adopt, commit, doc, keepWith, mine } from "./document.js";

/** @typedef {import("../types").Doc} Doc */

const KEY = "tengen.game";
/** Stands while the server has not said that it has the game. */
const UNSENT = `${KEY}.unsent`;
const SOON_MS = 150;

/** Whether nothing is known of the reader: no game here, none on the server, none in the address. */
export const isNew = signal(false);

let unsent = false;
let isFirstHello = true;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Shows the game that this browser has, and keeps it from now on. */
export function startSync() {
  isNew.value = localStorage.getItem(KEY) === null;
  unsent = localStorage.getItem(UNSENT) === "1";
  doc.value = stored() ?? doc.peek();
  keepWith((soon) => {
    clearTimeout(timer);
    unsent = true;
    if (soon) timer = setTimeout(save, SOON_MS);
    else save();
  });
  on("hello", (message) => meet(message.doc));
  on("doc", (message) => take(message.doc, false));
  on("saved", (message) => {
    if (message.game === doc.peek().id && message.seq === doc.peek().seq) settle();
  });
}

/** @returns {Doc | null} */
function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "null");
    return found?.v === tree.VERSION && Array.isArray(found.nodes) ? found : null;
  } catch {
    // What cannot be read is not there.
    return null;
  }
}

function save() {
  unsent = true;
  send({ t: "doc-put", doc: doc.peek() });
  try {
    localStorage.setItem(KEY, JSON.stringify(doc.peek()));
    localStorage.setItem(UNSENT, "1");
  } catch {
    // Too large for the browser; the server has it.
  }
}

/** The server has the game. */
function settle() {
  unsent = false;
  localStorage.removeItem(UNSENT);
}

/** Shows the server's game. @param {Doc} next @param {boolean} isMine */
function take(next, isMine) {
  adopt(next, isMine);
  localStorage.setItem(KEY, JSON.stringify(next));
  settle();
}

/** The server is there and has this game: the newer one stays. @param {Doc | null} theirs */
function meet(theirs) {
  const ours = doc.peek();
  if (theirs) isNew.value = false;
  const isNewer = theirs && (theirs.id === ours.id ? theirs.seq > ours.seq : !unsent || ours.nodes.length === 1);
  if (theirs && isNewer) take(theirs, isFirstHello || mine.peek());
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
