// The address of the page names the position on the board: a link shows it, and a move changes it.

import { afterPaint, effect } from "../dom.js";
import { t } from "../i18n.js";
import { docOf, hashOf, parseHash } from "../model/share.js";
import { on } from "../net.js";
import { notify } from "../ui.js";
import { commit, doc } from "./document.js";
import { isNew } from "./sync.js";

const RULES = ["freestyle", "standard", "renju", "caro", "caro-exact"];

let isFirstHello = true;
/** The position that the address asked for before the server was there. @type {URLSearchParams | null} */
let asked = null;

/** Shows the position of the address; the server's game, when it comes, does not take its place. @param {string} hash */
export function startAddress(hash) {
  openHash(hash);
  on("hello", () => {
    if (isFirstHello && asked) open(asked);
    isFirstHello = false;
  });
}

/** Shows the position of an address. @param {string} hash */
export function openHash(hash) {
  const { page, values } = parseHash(hash);
  if (page !== "play" || !values.has("r")) return;
  isNew.value = false;
  if (isFirstHello) asked = values;
  if (!open(values)) notify(t("error.address"), "error");
}

/** Whether the values name a position, which is then shown. @param {URLSearchParams} values */
function open(values) {
  const wanted = docOf(values, doc.peek(), RULES);
  if (wanted) commit(wanted, { soon: true });
  return wanted !== null;
}

/** Keeps the address in step with the board. Browsers take their time over it, so the stone is painted first. */
export function followBoard() {
  effect(() => {
    doc.value;
    const before = location.hash;
    afterPaint(() => {
      // Whoever went elsewhere in the meantime is not brought back.
      if (location.hash === before && parseHash(before).page === "play") showAddress();
    });
  });
}

/** Writes what is on the board into the address. */
export function showAddress() {
  const hash = hashOf(doc.peek());
  if (location.hash !== hash) history.replaceState(null, "", hash);
}
