// The game document: a tree of moves that never loses a line, and pure functions that change it.
//
// A document is a plain object that is replaced, never changed. Nodes are kept in one array, parents
// before children; children of a node are in the order they appear there, the first being the main
// line. This is also the form in which games are stored and sent.

import { col, isPoint, point, row, transform as turn } from "./coords.js";

/** @typedef {import("../types").Doc} Doc */
/** @typedef {import("../types").DocNode} DocNode */
/** @typedef {import("../types").Seat} Seat */

export const VERSION = 1;

/** @param {Partial<Doc>} [given] @returns {Doc} */
export function create(given = {}) {
  return {
    v: VERSION,
    id: makeId(),
    seq: 0,
    saved: 0,
    title: "",
    rule: "freestyle",
    size: 15,
    setup: null,
    seats: [{ who: "human" }, { who: "human" }],
    names: ["", ""],
    nodes: [{ p: -1 }],
    at: 0,
    tip: 0,
    result: null,
    plies: 0,
    ...given,
  };
}

function makeId() {
  const time = Date.now().toString(36);
  return `g-${time}-${Math.floor(Math.random() * 46656).toString(36)}`;
}

/**
 * Whether this is a document that can be shown; the server checks more.
 * @param {any} doc
 * @returns {doc is Doc}
 */
export function isWhole(doc) {
  try {
    const { size, nodes, setup } = doc;
    const isHere = (/** @type {string} */ p) => isPoint(p, size);
    return (
      doc.v === VERSION &&
      size > 4 &&
      size < 23 &&
      nodes.every((/** @type {DocNode} */ node, /** @type {number} */ i) =>
        i ? node.p >= 0 && node.p < i && isHere(node.m ?? "") : node.p < 0,
      ) &&
      doc.at in nodes &&
      doc.tip in nodes &&
      doc.seats.length + doc.names.length === 4 &&
      (!setup || [...setup.black, ...setup.white].every(isHere))
    );
  } catch {
    return false;
  }
}

/** @type {WeakMap<DocNode[], number[][]>} */
const childrenOf = new WeakMap();

/** The children of every node. @param {Doc} doc */
function families(doc) {
  let all = childrenOf.get(doc.nodes);
  if (!all) {
    all = doc.nodes.map(() => []);
    for (let i = 1; i < doc.nodes.length; i++) all[doc.nodes[i].p].push(i);
    childrenOf.set(doc.nodes, all);
  }
  return all;
}

/** @param {Doc} doc @param {number} id */
export const children = (doc, id) => families(doc)[id];

/** Nodes from the root to this one. @param {Doc} doc @param {number} id */
export function path(doc, id) {
  const ids = [];
  for (let at = id; at >= 0; at = doc.nodes[at].p) ids.push(at);
  return ids.reverse();
}

/** Moves from the root to a node. @param {Doc} doc @param {number} [id] @returns {string[]} */
export function moves(doc, id = doc.at) {
  return path(doc, id)
    .slice(1)
    .map((one) => doc.nodes[one].m ?? "");
}

/**
 * The line through a node: its ancestors, itself, and the first children after it.
 * @param {Doc} doc
 * @param {number} [id]
 */
export function line(doc, id = doc.at) {
  const ids = path(doc, id);
  for (let next = children(doc, id)[0]; next !== undefined; next = children(doc, next)[0]) ids.push(next);
  return ids;
}

/** @param {Doc} doc @param {number} id */
export const depth = (doc, id) => path(doc, id).length - 1;

/** The side to move at a node: 0 Black, 1 White. @param {Doc} doc @param {number} [id] @returns {0 | 1} */
export function toMove(doc, id = doc.at) {
  const first = doc.setup?.side ?? 0;
  return /** @type {0 | 1} */ ((first + depth(doc, id)) % 2);
}

/**
 * The stones at a node, each with its color and, if it was played, its number.
 * @param {Doc} doc
 * @param {number} [id]
 * @returns {Map<string, { color: 0 | 1, n: number }>}
 */
export function stones(doc, id = doc.at) {
  const all = new Map();
  doc.setup?.black.forEach((p) => all.set(p, { color: 0, n: 0 }));
  doc.setup?.white.forEach((p) => all.set(p, { color: 1, n: 0 }));
  const first = doc.setup?.side ?? 0;
  moves(doc, id).forEach((p, i) => all.set(p, { color: (first + i) % 2, n: i + 1 }));
  return all;
}

/**
 * Whether a stone may be put there as far as the page can tell.
 * @param {Doc} doc
 * @param {number} id
 * @param {string} p
 */
export function isFree(doc, id, p) {
  return col(p) < doc.size && row(p) < doc.size && !stones(doc, id).has(p);
}

/**
 * Plays a move at a node: goes to the child that has it, or adds one.
 * @param {Doc} doc
 * @param {number} id
 * @param {string} m
 * @param {Partial<DocNode>} [more]
 * @returns {[Doc, number]}
 */
export function play(doc, id, m, more) {
  const known = children(doc, id).find((one) => doc.nodes[one].m === m);
  if (known !== undefined) return [more ? annotate(doc, known, more) : doc, known];
  const nodes = [...doc.nodes, { p: id, m, ...more }];
  return [{ ...doc, nodes }, nodes.length - 1];
}

/**
 * Adds a whole line and returns its last node.
 * @param {Doc} doc
 * @param {number} id
 * @param {readonly string[]} list
 * @returns {[Doc, number]}
 */
export function playLine(doc, id, list) {
  for (const m of list) {
    if (!isFree(doc, id, m)) break;
    [doc, id] = play(doc, id, m);
  }
  return [doc, id];
}

/**
 * Changes what is written at a node.
 * @param {Doc} doc
 * @param {number} id
 * @param {Partial<DocNode>} patch
 * @returns {Doc}
 */
export function annotate(doc, id, patch) {
  const nodes = doc.nodes.slice();
  const node = { ...nodes[id], ...patch };
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined || value === "") delete (/** @type {any} */ (node)[key]);
  }
  nodes[id] = node;
  childrenOf.set(nodes, families(doc));
  return { ...doc, nodes };
}

/** Removes a node and all below it. @param {Doc} doc @param {number} id @returns {Doc} */
export function remove(doc, id) {
  if (id === 0) return doc;
  const parent = doc.nodes[id].p;
  const gone = new Set([id]);
  for (let i = id + 1; i < doc.nodes.length; i++) if (gone.has(doc.nodes[i].p)) gone.add(i);
  return keep(doc, (i) => !gone.has(i), parent);
}

/** Makes the line through a node the main line. @param {Doc} doc @param {number} id @returns {Doc} */
export function promote(doc, id) {
  const mine = new Set(path(doc, id));
  const order = [0];
  for (let i = 0; i < order.length; i++) {
    const next = children(doc, order[i]);
    order.push(...next.filter((one) => mine.has(one)), ...next.filter((one) => !mine.has(one)));
  }
  return reorder(doc, order);
}

/** @param {Doc} doc @param {(i: number) => boolean} wanted @param {number} instead */
function keep(doc, wanted, instead) {
  const order = doc.nodes.map((_, i) => i).filter(wanted);
  const at = wanted(doc.at) ? doc.at : instead;
  const tip = wanted(doc.tip) ? doc.tip : instead;
  return reorder({ ...doc, at, tip }, order);
}

/** @param {Doc} doc @param {number[]} order */
function reorder(doc, order) {
  const place = new Map(order.map((old, now) => [old, now]));
  const to = (/** @type {number} */ old) => place.get(old) ?? 0;
  const nodes = order.map((old) => ({ ...doc.nodes[old], p: old === 0 ? -1 : to(doc.nodes[old].p) }));
  return { ...doc, nodes, at: to(doc.at), tip: to(doc.tip) };
}

/** Turns or mirrors the whole game. @param {Doc} doc @param {number} symmetry @returns {Doc} */
export function transform(doc, symmetry) {
  const image = (/** @type {string} */ p) => turn(p, doc.size, symmetry);
  const nodes = doc.nodes.map((node) => {
    const { a, x, y, ...rest } = node;
    return {
      ...rest,
      ...(y
        ? { y: y.map(([from, to, kind]) => /** @type {import("../types").Arrow} */ ([image(from), image(to), kind])) }
        : {}),
      ...(node.m ? { m: image(node.m) } : {}),
      ...(x ? { x: x.map(([p, t]) => /** @type {[string, string]} */ ([image(p), t])) } : {}),
    };
  });
  return { ...doc, nodes, setup: mapSetup(doc, image) };
}

/**
 * Moves all stones by some columns and rows, if they stay on the board.
 * @param {Doc} doc
 * @param {number} dc
 * @param {number} dr
 * @returns {Doc | null}
 */
export function shift(doc, dc, dr) {
  let fits = true;
  const image = (/** @type {string} */ p) => {
    const [c, r] = [col(p) + dc, row(p) + dr];
    if (c < 0 || r < 0 || c >= doc.size || r >= doc.size) fits = false;
    return fits ? point(c, r) : p;
  };
  const nodes = doc.nodes.map(({ a, x, y, ...node }) => (node.m ? { ...node, m: image(node.m) } : node));
  const setup = mapSetup(doc, image);
  return fits ? { ...doc, nodes, setup } : null;
}

/** @param {Doc} doc @param {(p: string) => string} image */
function mapSetup(doc, image) {
  return doc.setup && { ...doc.setup, black: doc.setup.black.map(image), white: doc.setup.white.map(image) };
}

/**
 * Where a key leads from a node; the node itself if nowhere.
 * @param {Doc} doc
 * @param {number} id
 * @param {"prev" | "next" | "start" | "end" | "up" | "down" | "fork-prev" | "fork-next" | "back10" | "on10"} way
 */
export function go(doc, id, way) {
  const parent = doc.nodes[id].p;
  const first = (/** @type {number} */ one) => children(doc, one)[0] ?? one;
  switch (way) {
    case "prev":
      return Math.max(parent, 0);
    case "next":
      return first(id);
    case "start":
      return 0;
    case "end":
      return line(doc, id).at(-1) ?? id;
    case "back10":
      return path(doc, id).at(-11) ?? 0;
    case "on10": {
      const ids = line(doc, id);
      return ids[Math.min(ids.indexOf(id) + 10, ids.length - 1)];
    }
    case "up":
    case "down": {
      if (parent < 0) return id;
      const family = children(doc, parent);
      const step = way === "down" ? 1 : -1;
      return family[(family.indexOf(id) + step + family.length) % family.length];
    }
    case "fork-prev": {
      for (let at = parent; at >= 0; at = doc.nodes[at].p) if (children(doc, at).length > 1) return at;
      return 0;
    }
    case "fork-next": {
      let at = first(id);
      while (children(doc, at).length === 1) at = first(at);
      return at;
    }
  }
}

/**
 * The node reached by these moves from the root, if the tree has them.
 * @param {Doc} doc
 * @param {readonly string[]} list
 */
export function find(doc, list) {
  let at = 0;
  for (const m of list) {
    const next = children(doc, at).find((one) => doc.nodes[one].m === m);
    if (next === undefined) return -1;
    at = next;
  }
  return at;
}

/**
 * The position at a node as the server wants it.
 * @param {Doc} doc
 * @param {number} [id]
 */
export function position(doc, id = doc.at) {
  return { rule: doc.rule, size: doc.size, setup: setupText(doc.setup), moves: moves(doc, id) };
}

/** @param {import("../types").Setup | null} setup */
export function setupText(setup) {
  return setup && `b:${setup.black.join(",")} w:${setup.white.join(",")} ${setup.side ? "w" : "b"}`;
}

/** The stones at a node, with the other side to move. @param {Doc} doc @returns {import("../types").Setup} */
export function otherSide(doc) {
  const all = [...stones(doc)];
  const of = (/** @type {0 | 1} */ color) => all.filter(([, stone]) => stone.color === color).map(([p]) => p);
  return { black: of(0), white: of(1), side: /** @type {0 | 1} */ (1 - toMove(doc)) };
}

/** @param {string} text @param {number} size @returns {import("../types").Setup | null} */
export function readSetup(text, size) {
  const found = /^b:([a-v\d,]*) w:([a-v\d,]*) ([bw])$/.exec(text);
  if (!found) return null;
  const list = (/** @type {string} */ part) => part.split(",").filter((p) => p && col(p) < size && row(p) < size);
  return { black: list(found[1]), white: list(found[2]), side: found[3] === "w" ? 1 : 0 };
}

/**
 * The tree as rows: runs of moves, each with an indentation.
 * @param {Doc} now
 * @returns {{ depth: number, ids: number[] }[]}
 */
export function rows(now) {
  /** @type {{ depth: number, ids: number[] }[]} */
  const list = [];
  const walk = (/** @type {number} */ at, /** @type {number[]} */ ids, /** @type {number} */ depth) => {
    for (let next = children(now, at)[0]; next !== undefined; next = children(now, at)[0]) {
      ids.push(next);
      const others = children(now, at).slice(1);
      if (others.length && list.length < 400) {
        // The variations come right after the move they replace, then the line goes on.
        list.push({ depth, ids });
        ids = [];
        for (const id of others) walk(id, [id], depth + 1);
      }
      at = next;
    }
    if (ids.length) list.push({ depth, ids });
  };
  walk(0, [], 0);
  return list;
}
