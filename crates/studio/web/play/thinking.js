// Searches on the server: moves for players, analysis, hints, whole games; and what they found.

import { batch, computed, distinct, effect, signal, untracked } from "../dom.js";
import { problemText, t } from "../i18n.js";
import * as tree from "../model/tree.js";
import { link, newId, on, send } from "../net.js";
import { settings } from "../settings.js";
import { notify } from "../ui.js";
import { algorithm, commit, doc, finish, mine, paused, playAt } from "./document.js";
import { look, result } from "./rules.js";

/** @typedef {import("../types").Best} Best */
/** @typedef {import("../types").Info} Info */
/** @typedef {"move" | "analysis" | "hint" | "review" | "best" | "balance" | "threat" | "trace" | "teacher" | "second"} Kind */
/**
 * @typedef {{ id: number, kind: Kind, node: number, moves: string[], side: 0 | 1, game: string, player: string, since: number, state: "thinking" | "stopping", info: Info | Best | null, iterations: import("../types").Iteration[], lines?: number, done?: (answer: any, problem?: string) => void, heard?: (message: import("../types").MessageOf<"judged">) => void }} Search
 */

/** Searches that are running. @type {import("../dom.js").Signal<Search[]>} */
export const searches = signal(/** @type {Search[]} */ ([]));
/** Whether analysis follows the board. */
export const analyzing = signal(false);
/** Whether the board is in sight: else nothing is analyzed. */
export const inSight = signal(true);
/** Progress of a review: done and total. @type {import("../dom.js").Signal<[number, number] | null>} */
export const sweep = signal(/** @type {[number, number] | null} */ (null));
/** Why the last search failed. */
export const failure = signal("");

/**
 * What the last finished searches of this session found, by game and node: more than the document keeps.
 * @type {import("../dom.js").Signal<Map<string, { best: Best, player: string }>>}
 */
export const found = signal(new Map());

/**
 * Where a finding belongs: nodes are renumbered when branches go, moves are not.
 * @param {string} game
 * @param {string[]} moves
 */
const key = (game, moves) => `${game}/${moves.join("")}`;
const keyAt = (/** @type {import("../types").Doc} */ now, /** @type {number} */ node) =>
  key(now.id, tree.moves(now, node));

/** Where the teacher has looked, and the game may go on. */
export const passed = signal("");
/** Names a node by its game and moves. */
export const placeOf = keyAt;

/** Whether a person's move waits for the teacher before it is answered. @param {import("../types").Doc} now */
export function isHeld(now) {
  const { teacher, mode } = settings.value;
  if (!teacher || mode !== "play" || !now.tip || now.end || now.clock || now.opening || !mine.value) return false;
  const next = tree.toMove(now, now.tip);
  const isAgainst = now.seats[next].who === "player" && now.seats[1 - next].who === "human";
  return isAgainst && link.value === "open" && passed.value !== keyAt(now, now.tip);
}

/** @type {import("../types").Iteration[]} */
const NONE = [];

/** Searches that say nothing of the node shown. @type {Kind[]} */
const ASIDE = ["trace", "threat", "balance", "teacher", "second"];

/** The search about the node that is shown, running or finished. */
export const shown = computed(() => {
  const now = doc.value;
  const running = searches.value.filter(
    (one) => one.node === now.at && one.game === now.id && one.info && !ASIDE.includes(one.kind),
  );
  const search = running.find((one) => one.kind === "analysis") ?? running[0];
  if (search?.info) return { info: search.info, player: search.player, iterations: search.iterations, live: true };
  const before = found.value.get(keyAt(now, now.at));
  if (before) return { info: before.best, player: before.player, iterations: before.best.iterations, live: false };
  const kept = now.nodes[now.at].a;
  if (!kept) return null;
  const info = {
    ...kept,
    depth: kept.d,
    seldepth: 0,
    nps: kept.ms > 0 ? (kept.nodes / kept.ms) * 1000 : 0,
    cutoffs: 0,
  };
  return { info, player: kept.by, iterations: NONE, live: false };
});

/** Where the last analysis has ended by itself, also if it found less than was known. */
const ended = signal("");

/** Whether the analysis of the node shown runs, or has ended by itself. */
export const analysis = computed(() => {
  const now = doc.value;
  if (!analyzing.value) return "off";
  const isRunning = searches.value.some((one) => one.kind === "analysis" && one.node === now.at && one.game === now.id);
  const place = keyAt(now, now.at);
  return result.value || (!isRunning && (ended.value === place || found.value.has(place))) ? "done" : "on";
});

/** The state of the players, for the header. */
export const state = computed(() => {
  if (link.value !== "open") return link.value === "wait" ? "connecting" : "offline";
  if (failure.value) return "failed";
  const all = searches.value;
  if (all.some((one) => one.state === "thinking")) return "thinking";
  return all.length ? "stopping" : "idle";
});

/** Listens to the searches, and starts those that the game and the analysis ask for. */
export function startThinking() {
  on("info", (message) => update(message.id, (one) => ({ ...one, info: message })));
  on("iter", (message) =>
    update(message.id, (one) => ({ ...one, iterations: [...one.iterations, message.iteration] })),
  );
  on("best", hearBest);
  // Nobody answers what was asked before the connection was lost.
  effect(() => {
    if (link.value !== "open") searches.value = [];
  });
  on("judged", (message) =>
    searches
      .peek()
      .find((one) => one.id === message.id)
      ?.heard?.(message),
  );
  on("review", (message) => drop(message.id)?.done?.(message));
  on("error", hearError);
  effect(followNodes);
  effect(askWhoeverIsToMove);
  effect(analyzeBoard);
  const mode = distinct(() => settings.value.mode);
  effect(() => {
    analyzing.value = mode.value === "analyze" && settings.peek().auto;
  });
}

/**
 * Starts a search.
 * @param {Kind} kind
 * @param {number} node
 * @param {string} player
 * @param {Partial<import("../types").MessageFromPage<"think" | "review">>} more
 * @param {Search["done"]} [done]
 * @param {Search["heard"]} [heard]
 */
export function think(kind, node, player, more = {}, done, heard) {
  const now = doc.peek();
  const id = newId();
  const sent = send(
    /** @type {any} */ ({
      t: "think",
      id,
      rev: node,
      player,
      game: kind === "move" ? now.id : `${now.id}-${kind}`,
      position: tree.position(now, node),
      ...more,
    }),
  );
  if (!sent) return null;
  failure.value = "";
  searches.value = [
    ...searches.peek(),
    {
      id,
      kind,
      node,
      moves: tree.moves(now, node),
      side: tree.toMove(now, node),
      game: now.id,
      player,
      since: Date.now(),
      state: "thinking",
      info: null,
      iterations: [],
      done,
      heard,
    },
  ];
  return id;
}

/** Stops searches: all, or those of some kinds. @param {(search: Search) => boolean} [which] */
export function stopSearches(which = () => true) {
  const going = searches.peek().filter((one) => one.state === "thinking" && which(one));
  if (!going.length) return;
  for (const one of going) send({ t: "stop", id: one.id });
  const ids = new Set(going.map((one) => one.id));
  searches.value = searches
    .peek()
    .map((one) => (ids.has(one.id) ? { ...one, state: /** @type {const} */ ("stopping") } : one));
}

/** Stops everything: searches, self-play, analysis. */
export function stopAll() {
  batch(() => {
    analyzing.value = false;
    sweep.value = null;
    if (searches.peek().some((one) => one.kind === "move") || aPlayerIsToMove()) paused.value = true;
    stopSearches();
  });
}

function aPlayerIsToMove() {
  const now = doc.peek();
  return now.seats[tree.toMove(now, now.tip)].who === "player" && !now.end;
}

/** @param {number} id @param {(search: Search) => Search} change */
function update(id, change) {
  searches.value = searches.peek().map((one) => (one.id === id ? change(one) : one));
}

/** @param {number} id */
function drop(id) {
  const search = searches.peek().find((one) => one.id === id);
  searches.value = searches.peek().filter((one) => one.id !== id);
  return search;
}

/** @param {Best} message */
function hearBest(message) {
  const search = drop(message.id);
  if (!search) return;
  if (!message.iterations.length) message.iterations = search.iterations;
  remember(search, message);
  if (search.done) search.done(message);
}

/** @param {import("../types").MessageOf<"error">} message */
function hearError(message) {
  const search = message.id === null ? undefined : drop(message.id);
  if (message.code === "over") return;
  if (search?.kind === "analysis") analyzing.value = false;
  if (search?.kind === "move") paused.value = true;
  if (search?.kind === "review" || search?.kind === "teacher") search.done?.(null, message.code);
  // The review says what to do instead.
  if (message.code === "no-chances") return;
  if (message.code === "crash") failure.value = message.detail;
  notify(problemText(message.code, message.detail), "error");
}

/** Keeps what a search found. @param {Pick<Search, "kind" | "game" | "moves" | "player">} search @param {Best} best */
export function remember(search, best) {
  if (ASIDE.includes(search.kind)) return;
  const now = doc.peek();
  const node = now.id === search.game ? tree.find(now, search.moves) : -1;
  const place = key(search.game, search.moves);
  const before = found.peek().get(place);
  const known = before?.player === search.player ? before.best.depth : 0;
  const kept = now.nodes[node]?.a;
  const isDecided = best.e && best.e.v === undefined;
  // What was seen from further off stays.
  if (!isDecided && best.depth < Math.max(known, kept?.by === search.player ? kept.d : 0)) return;
  const next = new Map(found.peek());
  next.delete(place);
  next.set(place, { best, player: search.player });
  // Old ones go first; the document keeps their outline.
  for (const old of next.keys()) {
    if (next.size <= 300) break;
    next.delete(old);
  }
  found.value = next;
  if (node < 0 || (!best.e && !best.cand.length)) return;
  const a = {
    by: search.player,
    k: search.kind,
    d: best.depth,
    e: best.e,
    w: best.w,
    ...(best.proved && { proved: true }),
    evals: best.evals,
    nodes: best.nodes,
    ms: Math.round(best.ms),
    cand: best.cand.slice(0, 8).map((one) => ({ ...one, pv: one.pv.slice(0, 12) })),
  };
  commit(tree.annotate(now, node, { a }), { soon: true });
}

/** Deleting and promoting renumber nodes: running searches follow theirs, or end with it. */
function followNodes() {
  const now = doc.value;
  untracked(() => {
    const all = searches.peek();
    const moved = all.map((one) =>
      one.game === now.id && !same(now, one) ? { ...one, node: tree.find(now, one.moves) } : one,
    );
    if (moved.some((one, i) => one !== all[i])) searches.value = moved;
    stopSearches((one) => one.node < 0 || (one.game !== now.id && one.kind !== "move"));
  });
}

/** @param {import("../types").Doc} now @param {Search} search */
const same = (now, search) =>
  search.node >= 0 && search.node < now.nodes.length && key("", tree.moves(now, search.node)) === key("", search.moves);

/** Whoever is to move at the end of the game and is a player, is asked. */
function askWhoeverIsToMove() {
  const now = doc.value;
  if (link.value !== "open" || paused.value || !mine.value || now.end || now.opening || isHeld(now)) return;
  const seat = now.seats[tree.toMove(now, now.tip)];
  const wanted = seat.who === "player" ? seat.spec : undefined;
  const decided = look.value?.doc.id === now.id && look.value.node === now.tip && look.value.result;
  untracked(() => {
    const current = searches.peek().find((one) => one.kind === "move");
    if (current && (current.node !== now.tip || current.game !== now.id || current.player !== wanted))
      stopSearches((one) => one === current);
    if (
      !wanted ||
      decided ||
      (current && current.node === now.tip && current.game === now.id && current.player === wanted)
    )
      return;
    askToMove(wanted, now.tip);
  });
}

/** @param {string} player @param {number} node */
function askToMove(player, node) {
  const now = doc.peek();
  const side = tree.toMove(now, node);
  /** @type {import("../types").SearchLimits} */
  const limits = { ...now.seats[side].limit };
  if (now.clock) limits.clock = [Math.max(1, Math.round(now.clock.left[side])), now.clock.inc];
  think("move", node, player, { limits }, (best) => {
    const at = doc.peek().id === now.id ? tree.find(doc.peek(), tree.moves(now, node)) : -1;
    if (at < 0 || doc.peek().tip !== at || paused.peek()) return;
    if (!best.stones.length) return finish({ winner: side ? 0 : 1, ending: "resign" });
    playAt(at, best.stones[0], { t: Math.round(best.ms), n: best.evals });
  });
}

/** Analysis follows the node that is shown. */
function analyzeBoard() {
  const now = doc.value;
  const player = algorithm.value;
  const wanted = analyzing.value && inSight.value && link.value === "open" && player && !result.value;
  const { lines } = settings.value;
  untracked(() => {
    const same = searches
      .peek()
      .find(
        (one) =>
          one.kind === "analysis" &&
          one.state === "thinking" &&
          one.node === now.at &&
          one.game === now.id &&
          one.player === player &&
          one.lines === lines &&
          wanted,
      );
    stopSearches((one) => one.kind === "analysis" && one !== same);
    const before = found.peek().get(keyAt(now, now.at));
    const known = before && !before.best.stopped && before.player === player && before.best.multi === lines;
    if (wanted && !same && !known) goOn();
  });
}

/** Starts or ends the analysis; one that has ended by itself goes on. */
export function toggleAnalysis() {
  if (analysis.peek() === "done") goOn();
  else analyzing.value = !analyzing.peek();
}

/** Analyzes the node that is shown, also if that has been done. */
export function goOn() {
  const { lines, analysis: ms } = settings.peek();
  const player = chosenAlgorithm();
  if (!player || result.peek()) return;
  const now = doc.peek();
  const place = keyAt(now, now.at);
  ended.value = "";
  const id = think("analysis", now.at, player, { multi_pv: lines, limits: ms ? { ms } : {} }, (best) => {
    Object.assign(best, { multi: lines });
    if (!best.stopped) ended.value = place;
  });
  if (id !== null) update(id, (one) => ({ ...one, lines }));
}

/** Shows what the algorithm would play, without playing it. */
export function hint() {
  const player = chosenAlgorithm();
  if (player && !result.peek())
    think("hint", doc.peek().at, player, { multi_pv: settings.peek().lines, limits: { ms: settings.peek().think } });
}

/** Plays what the algorithm thinks best. */
export function playBest() {
  const player = chosenAlgorithm();
  if (!player || result.peek() || searches.peek().some((one) => one.kind === "best" || one.kind === "move")) return;
  const now = doc.peek();
  const known = found.peek().get(keyAt(now, now.at));
  const play = (/** @type {Best} */ best) => {
    const at = doc.peek().id === now.id ? tree.find(doc.peek(), tree.moves(now)) : -1;
    if (at >= 0 && best.stones.length) playAt(at, best.stones[0], { n: best.evals, t: Math.round(best.ms) });
  };
  if (known?.player === player && known.best.stones.length) play(known.best);
  else think("best", now.at, player, { limits: { ms: settings.peek().think } }, play);
}

/** Finds one or two stones that leave the position even. @param {1 | 2} n */
export function balance(n) {
  const player = chosenAlgorithm();
  const now = doc.peek();
  if (!player || result.peek()) return;
  think("balance", now.at, player, { balance: n, limits: { ms: settings.peek().think } }, (best) => {
    if (doc.peek().id !== now.id || !best.stones.length) return;
    const [next, at] = tree.playLine(doc.peek(), now.at, best.stones);
    commit({ ...next, at }, { edit: true });
    notify(t("balance.found", { moves: best.stones.join(" ").toUpperCase() }));
  });
}

export function chosenAlgorithm() {
  const player = algorithm.peek();
  if (!player) notify(t("error.no-algorithm"), "error");
  return player;
}

/** What a review says of a move that gave something away. @param {import("../types").DocNode} node */
export const fault = ({ r }) => (r && r.k !== "only" && r.k !== "best" && r.k !== "good" ? r : null);

/** Goes to the next or previous mistake of the line. @param {1 | -1} step */
export function nextMistake(step) {
  const now = doc.peek();
  const ids = tree.line(now);
  const from = ids.indexOf(now.at);
  for (let i = from + step; i >= 0 && i < ids.length; i += step) {
    if (fault(now.nodes[ids[i]])) return ids[i];
  }
  return now.at;
}
