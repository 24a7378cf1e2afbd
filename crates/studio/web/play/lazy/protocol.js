// Opening protocols: the server says who is to decide and what may be chosen.

import { computed, effect, h, onEnd, signal, untracked } from "../../dom.js";
import { t } from "../../i18n.js";
import { short } from "../../model/spec.js";
import * as tree from "../../model/tree.js";
import { api, link, post } from "../../net.js";
import { button, field, icon, notify, notifyError, segments } from "../../ui.js";
import { commit, doc, mine, opener } from "../document.js";

/** @typedef {{ a: string, points?: string[], n?: number }} Answer */
/** @typedef {{ a: string, count?: number, points?: string[], max?: number, named?: boolean }} Allowed */
/**
 * @typedef {{ ask: { seat: 0 | 1, allowed: Allowed[] } | null, black: 0 | 1, moves: string[], offers: string[] }} Standing
 */

/** What the server says about the opening, and for which answers. */
const standing = signal(/** @type {(Standing & { key: string }) | null} */ (null));
const pending = signal(/** @type {string[]} */ ([]));
const mode = signal(0);
const busy = signal(false);

const keyOf = (/** @type {import("../../types").Doc} */ now) => `${now.id}/${JSON.stringify(now.opening?.actions)}`;
const questionOf = (/** @type {import("../../types").Doc} */ now, /** @type {Answer[]} */ actions) => ({
  protocol: now.opening.protocol,
  rule: now.rule,
  size: now.size,
  actions,
});

/** Writes an answer into the game. @param {Answer[]} actions @param {Standing} state */
function take(actions, state) {
  const now = doc.peek();
  const { protocol, seats } = now.opening;
  const [next, at] = tree.playLine({ ...now, nodes: [{ p: -1 }], at: 0, tip: 0 }, 0, state.moves);
  const nodes = state.ask
    ? next.nodes
    : next.nodes.map((node, i) =>
        i === at ? { ...node, c: t("opening.comment", { protocol: t(`protocol.${protocol}`) }) } : node,
      );
  // Who changes sides takes the name along.
  const names = now.opening.names ?? now.names;
  standing.value = { ...state, key: "" };
  pending.value = [];
  mode.value = 0;
  commit({
    ...next,
    nodes,
    at,
    tip: at,
    seats: [seats[state.black], seats[1 - state.black]],
    names: [names[state.black], names[1 - state.black]],
    opening: state.ask ? { ...now.opening, actions, names } : null,
  });
}

/** @param {Answer} answer */
async function give(answer) {
  const actions = [...doc.peek().opening.actions, answer];
  busy.value = true;
  try {
    take(actions, await post("/api/opening", questionOf(doc.peek(), actions)));
  } catch (error) {
    pending.value = [];
    notifyError(error);
  } finally {
    busy.value = false;
  }
}

/** Has the player that is asked answer. @param {import("../../types").Seat} seat */
async function answerFor(seat) {
  const now = doc.peek();
  const key = keyOf(now);
  busy.value = true;
  try {
    const seed = [...now.id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 2 ** 31, 7);
    const { action, state } = await post("/api/opening/choose", {
      ...questionOf(now, now.opening.actions),
      player: seat.spec,
      limits: seat.limit ?? {},
      seed,
    });
    if (keyOf(doc.peek()) !== key) return;
    notify(
      t(`opening.did.${action.a}`, {
        who: short(seat.spec),
        moves: (action.points ?? []).join(" ").toUpperCase(),
        n: action.n ?? action.points?.length ?? 0,
      }),
    );
    take([...now.opening.actions, action], state);
  } catch (error) {
    notifyError(error);
  } finally {
    busy.value = false;
  }
}

/** What is offered besides swapping. */
const ways = computed(() => (standing.value?.ask?.allowed ?? []).filter((one) => one.a !== "swap"));
const way = computed(() => ways.value[Math.min(mode.value, ways.value.length - 1)] ?? null);

/** A press on the board. @param {string} p */
function press(p) {
  const now = way.peek();
  if (!now || busy.peek() || !isMine()) return;
  if (pending.peek().includes(p)) return void (pending.value = pending.peek().filter((one) => one !== p));
  const limited = now.points && !(now.a === "pick" && pending.peek().length === 1);
  if (limited && !now.points?.includes(p)) return notify(t("opening.not-there", { move: p.toUpperCase() }), "error");
  if (tree.stones(doc.peek()).has(p) || pending.peek().length >= (now.count ?? 1)) return;
  pending.value = [...pending.peek(), p];
  if (now.a === "place" && now.count === 1) give({ a: "place", points: pending.peek() });
}

function isMine() {
  const ask = standing.value?.ask;
  return Boolean(ask && doc.value.opening?.seats[ask.seat].who === "human");
}

/** The card beside the board while an opening is played. */
export function protocolCard() {
  effect(() => {
    const now = doc.value;
    const key = keyOf(now);
    if (!now.opening || link.value !== "open") return;
    untracked(() => {
      if (standing.peek()?.key === key) return;
      post("/api/opening", questionOf(now, now.opening.actions)).then(
        (state) => keyOf(doc.peek()) === key && (standing.value = { ...state, key }),
        notifyError,
      );
    });
  });
  effect(() => {
    const now = standing.value;
    const seat = now?.ask && doc.value.opening?.seats[now.ask.seat];
    if (now?.key === keyOf(doc.value) && seat?.who === "player" && mine.value)
      untracked(() => !busy.peek() && answerFor(seat));
  });
  effect(() => {
    opener.value = {
      press,
      pending: pending.value,
      offers: way.value?.a === "offer" || way.value?.a === "pick",
      marks: way.value?.a === "pick" && !pending.value.length ? (way.value.points ?? []) : [],
    };
  });
  onEnd(() => (opener.value = null));
  const number = h("input", { type: "number", name: "declare", min: 1, max: () => way.value?.max ?? 8, value: "3" });
  const done = () => {
    const now = way.peek();
    if (!now) return;
    const points = pending.peek();
    give(now.a === "declare" ? { a: "declare", points, n: Number(number.value) } : { a: now.a, points });
  };
  const who = () => {
    const ask = standing.value?.ask;
    if (!ask) return "";
    const seat = doc.value.opening?.seats[ask.seat];
    return `${t(ask.seat ? "opening.second" : "opening.first")} (${seat?.who === "player" ? short(seat.spec) : t("human")})`;
  };
  const words = (/** @type {Allowed} */ one) =>
    t(`opening.way.${one.a}${one.a === "place" ? `-${one.count}` : ""}`, { n: one.count ?? one.max ?? 0 });
  return h(
    "section",
    {
      class: "card protocol",
      "data-protocol": () => doc.value.opening?.protocol ?? "",
      "data-asked": () => standing.value?.ask?.seat ?? "",
    },
    h("h2", null, () => t("opening.title", { protocol: t(`protocol.${doc.value.opening?.protocol ?? "free"}`) })),
    h("p", { role: "status" }, () =>
      busy.value ? t("opening.busy", { who: who() }) : who() && t("opening.asked", { who: who() }),
    ),
    () =>
      isMine() &&
      !busy.value && [
        () =>
          ways.value.length > 1
            ? segments(
                () => t("opening.answer"),
                () => ways.value.map((one, i) => [String(i), words(one)]),
                () => String(mode.value),
                (next) => ((mode.value = Number(next)), (pending.value = [])),
              )
            : null,
        h(
          "p",
          { class: "hint" },
          () =>
            way.value &&
            t(`opening.how.${way.value.a}${way.value.named ? "-named" : ""}`, {
              n: way.value.count ?? 1,
              left: (way.value.count ?? 1) - pending.value.length,
            }),
        ),
        h(
          "div",
          { class: "row" },
          () =>
            standing.value?.ask?.allowed.some((one) => one.a === "swap") &&
            button(
              { class: "accent", "data-action": "opening-swap", onclick: () => give({ a: "swap" }) },
              icon("rotate"),
              t("opening.swap"),
            ),
          () => way.value?.a === "declare" && field(() => t("opening.declare"), number),
          () =>
            way.value &&
            !(way.value.a === "place" && way.value.count === 1) &&
            button(
              {
                class: "primary",
                "data-action": "opening-done",
                disabled: () => pending.value.length !== (way.value?.count ?? 1),
                onclick: done,
              },
              icon("check"),
              () => `${t("done")} (${pending.value.length}/${way.value?.count ?? 1})`,
            ),
        ),
      ],
  );
}
