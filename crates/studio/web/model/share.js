// The state of a page in the address: reload, bookmark and share give the same board.

import { readMoves } from "./coords.js";
import { create, find, moves, playLine, readSetup, setupText } from "./tree.js";

/** @typedef {import("../types").Doc} Doc */

/** Splits `#/play?r=renju15&m=h8i9` into page and values. @param {string} hash */
export function parseHash(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  return { page: path || "play", values: new URLSearchParams(query) };
}

/** The address of a node of a game. @param {Doc} doc */
export function hashOf(doc) {
  const parts = [`r=${doc.rule}${doc.size}`];
  const setup = setupText(doc.setup);
  if (setup) parts.push(`s=${setup.replaceAll(" ", "_")}`);
  const list = moves(doc);
  if (list.length) parts.push(`m=${list.join("")}`);
  return `#/play?${parts.join("&")}`;
}

/**
 * The game that an address means: a node of the game at hand if it has these moves, else one for two people;
 * `null` if the address names no position.
 * @param {URLSearchParams} values
 * @param {Doc} now
 * @param {readonly string[]} rules
 * @returns {Doc | null}
 */
export function docOf(values, now, rules) {
  const found = /^([a-z-]+?)(\d+)$/.exec(values.get("r") ?? "");
  if (!found) return null;
  const [rule, size] = [found[1], Number(found[2])];
  const list = readMoves(values.get("m") ?? "", size);
  if (!list || !rules.includes(rule) || size < 5 || size > 22) return null;
  const setup = values.has("s") ? readSetup((values.get("s") ?? "").replaceAll("_", " "), size) : null;
  const same = now.rule === rule && now.size === size && setupText(now.setup) === setupText(setup);
  const known = same ? find(now, list) : -1;
  if (known >= 0) return known === now.at ? now : { ...now, at: known };
  const [doc, last] = playLine(create({ rule, size, setup, linked: true, seen: true }), 0, list);
  return { ...doc, at: last, tip: last };
}
