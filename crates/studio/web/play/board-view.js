// The play page's board: what it shows, and what a click, a finger or a key does to it.

import { board } from "../board.js";
import { computed, distinct, effect, h, signal } from "../dom.js";
import { lazily, t } from "../i18n.js";
import { row } from "../model/coords.js";
import * as display from "../model/display.js";
import { percent } from "../model/fmt.js";
import { palette } from "../paint.js";
import { settings } from "../settings.js";
import { button, icon } from "../ui.js";
import { doc, opener, stones, toMove, walk } from "./document.js";
import { lookHere, playHere, result } from "./rules.js";
import { searches, shown } from "./thinking.js";
import { chanceText, worth } from "./worth.js";

/** @typedef {import("../types").View} View */

/** The point under the pointer. @type {import("../dom.js").Signal<string | null>} */
export const hovered = signal(/** @type {string | null} */ (null));
/** The point chosen by a first tap, waiting for the second. @type {import("../dom.js").Signal<string | null>} */
export const chosen = signal(/** @type {string | null} */ (null));
/** A line shown ahead. @type {import("../dom.js").Signal<string[] | null>} */
export const line = signal(/** @type {string[] | null} */ (null));
/** Lines of points that are lit. @type {import("../dom.js").Signal<string[][]>} */
export const lit = signal(/** @type {string[][]} */ ([]));
/** Hints are hidden while a key is held. */
export const hidden = signal(false);
/**
 * Setting up a position: the tool in hand, or nothing.
 * @type {import("../dom.js").Signal<"black" | "white" | "erase" | "label" | "mark" | "arrow" | null>}
 */
export const tool = signal(/** @type {"black" | "white" | "erase" | "label" | "mark" | "arrow" | null} */ (null));
/** The best move of a second player. @type {import("../dom.js").Signal<string | null>} */
export const otherBest = signal(/** @type {string | null} */ (null));
/** Where an arrow begins that has no end yet. @type {import("../dom.js").Signal<string | null>} */
export const arrowFrom = signal(/** @type {string | null} */ (null));
/** Where a hint was asked for while playing: a game and a node of it. */
export const revealed = signal("");
export const hereNow = () => `${doc.value.id}/${doc.value.at}`;
/** Whether a hint was asked for here. */
export const isRevealed = computed(() => revealed.value === hereNow());
/** What the other side would play now, if it could. @type {import("../dom.js").Signal<string[] | null>} */
export const threat = signal(/** @type {string[] | null} */ (null));

/** The overlay as shown: in a game against a player nothing is given away but a hint. */
export const overlay = computed(() => {
  if (hidden.value) return "none";
  const { mode, overlay } = settings.value;
  return mode === "analyze" ? overlay : isRevealed.value ? "candidates" : "none";
});

export const colors = computed(() =>
  palette(settings.value.theme === "contrast" ? "contrast" : settings.value.board, settings.value.safe),
);

/** @type {import("../dom.js").ReadSignal<View>} */
export const view = computed(() => {
  const now = doc.value;
  const { coords, numbers } = settings.value;
  const end = result.value;
  return {
    size: now.size,
    coords: /** @type {any} */ (coords),
    stones: stones.value,
    numbers: /** @type {any} */ (numbers),
    last: now.nodes[now.at].m ?? null,
    win: end?.line ?? [],
    forbidden: toMove.value === 0 && !end ? (lookHere.value?.forbidden ?? []) : [],
  };
});

/** The candidates at the node shown: of a search if there is one, else of the static evaluation. */
export const candidates = computed(() => {
  const search = shown.value?.info.cand;
  if (search?.length) return search;
  return lookHere.value?.explain?.cand ?? [];
});

/** The moves that the player thinks of before any search, with their chances. */
const policy = computed(() =>
  (lookHere.value?.explain?.policy ?? [])
    .filter(([, p]) => p >= 0.01)
    .map(([m, p]) => ({ m, p, e: null, w: null, d: 0, n: 0, pv: [] })),
);

/** @type {import("../types").Candidate[]} */
const NONE = [];

/** What is said of candidates: while a search runs they change too often to be read out. */
const settled = distinct(() => (shown.value?.live ? NONE : candidates.value));

const over = computed(() => {
  const now = view.value;
  /** @type {display.Prim[]} */
  const list = [...overlayPrims(now)];
  if (!hidden.value) list.push(...display.forbidden(now));
  list.push(...display.labels(now, doc.value.nodes[doc.value.at].x ?? []));
  list.push(...display.arrows(now, doc.value.nodes[doc.value.at].y ?? []));
  if (otherBest.value && !line.value) list.push(...display.glow(now, [[otherBest.value]]));
  if (arrowFrom.value) list.push(...display.glow(now, [[arrowFrom.value]]));
  if (lit.value.length) list.push(...display.glow(now, lit.value));
  if (opener.value?.offers)
    list.push(
      ...display.labels(
        now,
        [...opener.value.marks, ...opener.value.pending].map((p, i) => [p, String(i + 1)]),
      ),
    );
  else if (opener.value?.pending.length) list.push(...display.preview(now, opener.value.pending, toMove.value));
  if (line.value) list.push(...display.preview(now, line.value, toMove.value));
  else if (threat.value) list.push(...display.preview(now, threat.value, toMove.value ? 0 : 1));
  const p = chosen.value ?? hovered.value;
  const color = tool.value === "black" ? 0 : tool.value === "white" ? 1 : toMove.value;
  if (
    p &&
    !now.stones.has(p) &&
    !line.value &&
    (tool.value ? tool.value === "black" || tool.value === "white" : canPlay.value)
  )
    list.push(...display.ghost(now, p, color, p === chosen.value));
  return list;
});

/** @param {View} now @returns {display.Prim[]} */
function overlayPrims(now) {
  const most = settings.value.most;
  const own = lookHere.value;
  switch (line.value ? "none" : overlay.value) {
    case "candidates":
      return display.candidateDots(now, candidates.value, most, (one) =>
        (one.p === null ? chanceText(one.w, 0) : percent(one.p, 0)).replace("%", ""),
      );
    case "values":
      return display.candidateValues(now, candidates.value, most, (one) => [
        one.w === null ? worth(one.e) : chanceText(one.w, 0),
        one.w === null ? "" : worth(one.e),
      ]);
    case "order":
      return display.labels(
        now,
        candidates.value.slice(0, most).map((one, i) => [one.m, String(i + 1)]),
      );
    case "policy":
      return display.candidateDots(now, policy.value, most, (one) => percent(one.p, 0).replace("%", ""));
    case "static":
      return display.staticValues(now, own?.explain?.points ?? [], /** @type {any} */ (settings.value.side));
    case "threats":
      return display.threats(now, own?.threats ?? []);
    default:
      return [];
  }
}

/** Whether the person may put a stone here now. */
export const canPlay = computed(() => {
  if (result.value) return false;
  const now = doc.value;
  const seat = now.seats[toMove.value];
  if (opener.value || now.opening) return Boolean(opener.value);
  return now.at !== now.tip || seat.who === "human" || settings.value.mode === "analyze";
});

/** Whether a tap must be confirmed. @param {"mouse" | "touch" | "key"} how */
function needsConfirm(how) {
  const { confirm } = settings.peek();
  return confirm === "always"
    ? how !== "key"
    : confirm === "auto" && how === "touch" && matchMedia("(pointer: coarse)").matches;
}

/** @param {(module: typeof import("./lazy/edit.js")) => void} work */
const edits = (work) => void lazily(import("./lazy/edit.js")).then(work);

/** The right button marks a point, or draws an arrow; while playing it does neither. @param {string} from @param {string} to */
function onMark(from, to) {
  if (settings.peek().mode !== "analyze") return false;
  edits((module) => module.mark(from, to));
  return true;
}

/** @param {string} p @param {"mouse" | "touch" | "key"} how */
function onPlay(p, how) {
  if (tool.peek()) return edits((module) => module.setUp(p));
  if (opener.peek() || doc.peek().opening) return opener.peek()?.press(p);
  if (!canPlay.peek()) return;
  if (needsConfirm(how) && chosen.peek() !== p) {
    chosen.value = stones.peek().has(p) ? null : p;
    return;
  }
  chosen.value = null;
  playHere(p);
}

/** Plays the stone that waits. */
export function confirmStone() {
  const p = chosen.peek();
  chosen.value = null;
  if (p) playHere(p);
}

/** What a screen reader says of a point: what is there, and what was drawn on it. @param {string} p */
function label(p) {
  const { x, y } = doc.value.nodes[doc.value.at];
  const sign = x?.find(([q]) => q === p)?.[1];
  const ends = (y ?? []).filter(([from]) => from === p).map(([, to]) => `→ ${to.toUpperCase()}`);
  return [contents(p), sign, ...ends].filter(Boolean).join(", ");
}

/** @param {string} p */
function contents(p) {
  const stone = stones.value.get(p);
  const place = p.toUpperCase();
  if (stone)
    return stone.n
      ? t(stone.color ? "cell.white" : "cell.black", { place, n: stone.n })
      : t(stone.color ? "cell.white-set" : "cell.black-set", { place });
  const ban = view.value.forbidden.find(([q]) => q === p);
  if (ban) return t("cell.forbidden", { place });
  const rank = overlay.value === "none" ? -1 : settled.value.findIndex((one) => one.m === p);
  if (rank >= 0 && rank < settings.value.most)
    return t("cell.candidate", { place, n: rank + 1, share: percent(display.weights(settled.value)[rank], 0) });
  return t("cell.empty", { place });
}

/** @param {any} above  what stands over the board */
export function boardView(above) {
  effect(() => {
    doc.value.at;
    chosen.value = null;
    line.value = null;
    threat.value = null;
  });
  const root = board({
    view: () => view.value,
    layers: () => ({
      get back() {
        return display.backdrop(view.value);
      },
      get stones() {
        return display.stones(line.value ? { ...view.value, numbers: "none" } : view.value);
      },
      get over() {
        return over.value;
      },
    }),
    colors: () => colors.value,
    label,
    name: () => t("board.name", { size: doc.value.size }),
    onPlay,
    onHover: (p) => {
      if (p !== hovered.peek()) hovered.value = p;
    },
    onBack: () => walk("prev"),
    onMark,
    onWheel: (step) => walk(step > 0 ? "next" : "prev"),
    offsetTouch: () => settings.peek().confirm !== "never",
  });
  const confirm = () =>
    chosen.value &&
    h(
      "div",
      { class: row(chosen.value) < 4 ? "confirm above" : "confirm" },
      button({ class: "primary", "data-action": "confirm", onclick: confirmStone }, icon("check"), () =>
        t("confirm.play", { move: (chosen.value ?? "").toUpperCase() }),
      ),
      button(
        { "data-action": "cancel", "aria-label": () => t("cancel"), onclick: () => (chosen.value = null) },
        icon("close"),
      ),
    );
  return h(
    "div",
    { class: "board-box", "data-thinking": () => String(searches.value.length > 0) },
    root,
    confirm,
    above,
  );
}
