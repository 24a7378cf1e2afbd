// Where the nodes of a game's tree stand in its picture: columns by depth, and a lane for every variation.

import { children } from "./tree.js";

/**
 * Column and lane of every node. The first child goes on in its parent's lane; every other begins one of its own
 * below all lanes that its columns have met, so that no two lines cross a stone.
 * @param {import("../types").Doc} doc
 * @returns {{ x: number, y: number }[]}
 */
export function lanes(doc) {
  /** @type {{ x: number, y: number }[]} */
  const places = [];
  /** The lowest lane that is taken from a column on. @type {number[]} */
  const lowest = [];
  const length = (/** @type {number} */ id) => {
    let n = 1;
    for (let at = children(doc, id)[0]; at !== undefined; at = children(doc, at)[0]) n++;
    return n;
  };
  /** @type {[number, number, number][]} */
  const waiting = [[0, 0, 0]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [start, from, parentLane] = next;
    const end = from + length(start);
    let y = parentLane;
    if (start) {
      // From the fork on, the lane is below whatever is there.
      const taken = lowest.slice(Math.max(0, from - 1), end);
      y = Math.max(parentLane, ...taken.map((one) => one ?? 0)) + 1;
    }
    /** @type {[number, number, number][]} */
    const forks = [];
    let x = from;
    for (let at = start; at !== undefined; at = children(doc, at)[0]) {
      places[at] = { x, y };
      lowest[x] = y;
      for (const other of children(doc, at).slice(1)) forks.push([other, x + 1, y]);
      x++;
    }
    // The last fork first: what branches off later stands higher.
    waiting.push(...forks);
  }
  return places;
}
