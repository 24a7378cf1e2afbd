// Many games as one tree; pure.

import { setupText } from "./tree.js";

/** @typedef {import("../types").DocNode} DocNode */
/** @typedef {{ rule: string, size: number, setup: import("../types").Setup | null, nodes: DocNode[] }} Game */

/** Games that begin with the same stones under the same rule as the first. @template {Game} T @param {T[]} games */
export const alike = (games) =>
  games.filter(
    (one) =>
      one.rule === games[0].rule && one.size === games[0].size && setupText(one.setup) === setupText(games[0].setup),
  );

/** The nodes of games that are alike, each move once; what is written on a node comes from the first that says it. @param {Game[]} games */
export function join(games) {
  /** @type {DocNode[]} */
  const nodes = [{ p: -1 }];
  /** @type {Map<string, number>} */
  const known = new Map();
  for (const game of games) {
    /** @type {number[]} */
    const places = [];
    for (const node of game.nodes) {
      const p = places[node.p] ?? -1;
      const key = `${p} ${node.m ?? ""}`;
      let at = p < 0 ? 0 : known.get(key);
      if (at === undefined) {
        at = nodes.push({ p, m: node.m }) - 1;
        known.set(key, at);
      }
      nodes[at] = { ...node, ...nodes[at] };
      places.push(at);
    }
  }
  return nodes;
}
