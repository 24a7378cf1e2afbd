// Playing White against the proof: Black's answers are known, and so is how long it takes at most.

import { computed, effect, h, signal } from "../dom.js";
import { name, t } from "../i18n.js";
import * as display from "../model/display.js";
import * as tree from "../model/tree.js";
import { api, post } from "../net.js";
import { openDoc } from "../play/document.js";
import { button, icon, notify, notifyError, scrollTable, select } from "../ui.js";
import { smallBoard, viewOf } from "./small-board.js";

/** @typedef {{ m: string, same: string[], answer: string | null, plies: number | null }} Second */
/** @typedef {{ rule: string, size: number, first: string, seconds: Second[], digest: string | null }} Solved */

/** @param {(hash: string) => void} prove  opens a position on the page that proves */
export function againstView(prove) {
  const games = signal(/** @type {Solved[]} */ ([]));
  const chosen = signal(0);
  const game = computed(() => /** @type {Solved | undefined} */ (games.value[chosen.value]));
  /** The moves after Black's first one. */
  const moves = signal(/** @type {string[]} */ ([]));
  /** Plies until the win, at most; null while the answer is awaited. */
  const left = signal(/** @type {number | null} */ (null));
  api("/api/solved").then((all) => (games.value = all), notifyError);
  const line = computed(() => (game.value ? [game.value.first, ...moves.value] : []));
  const second = (/** @type {string} */ p) => game.peek()?.seconds.find((one) => one.same.includes(p));
  const over = computed(() => left.value === 0);
  const waits = computed(() => moves.value.length % 2 === 1);

  const restart = () => {
    moves.value = [];
    left.value = null;
  };
  const back = () => {
    if (waits.peek()) return;
    const rest = moves.peek().slice(0, -2);
    restart();
    if (rest.length) play(rest.slice(0, -1));
  };
  /** White has played the last of these; Black answers. @param {string[]} next */
  const play = async (next) => {
    const { rule, size, first } = /** @type {Solved} */ (game.peek());
    moves.value = next;
    try {
      const { m, plies } = await post("/api/solved/answer", { rule, size, setup: null, moves: [first, ...next] });
      if (moves.peek() !== next) return;
      left.value = plies - 1;
      moves.value = [...next, m];
    } catch (error) {
      if (moves.peek() === next) moves.value = next.slice(0, -1);
      notifyError(error);
    }
  };
  const press = (/** @type {string} */ p) => {
    if (!game.peek() || waits.peek() || over.peek() || line.peek().includes(p)) return;
    if (!moves.peek().length && !second(p)?.plies) return void notify(t("against.open", { move: p.toUpperCase() }));
    play([...moves.peek(), p]);
  };
  const view = computed(() => viewOf(game.value?.size ?? 15, line.value));
  const map = () =>
    moves.value.length || !game.value
      ? []
      : display.labels(
          view.value,
          game.value.seconds.flatMap((one) =>
            one.same.map((p) => /** @type {[string, string]} */ ([p, one.plies ? String(one.plies) : "?"])),
          ),
        );
  const words = () => {
    if (!game.value) return "";
    if (over.value) return t("against.over");
    if (waits.value) return t("against.thinking");
    if (left.value !== null) return t("against.left", { n: left.value });
    const open = game.value.seconds.filter((one) => !one.plies).map((one) => one.m.toUpperCase());
    return [t("against.begin"), open.length ? t("against.map", { open: open.join(", ") }) : ""].join(" ");
  };
  const toPlay = () => {
    const { rule, size } = /** @type {Solved} */ (game.peek());
    const [played, at] = tree.playLine(tree.create({ rule, size }), 0, line.peek());
    openDoc({ ...played, at, tip: at });
    location.hash = "#/play";
  };
  const toProof = () => {
    const { rule, size } = /** @type {Solved} */ (game.peek());
    prove(`#/solve?r=${rule}${size}&m=${line.peek().join("")}`);
  };
  return h(
    "div",
    { class: "puzzle-grid against" },
    h(
      "section",
      { class: "card explorer" },
      h(
        "p",
        {
          class: () => (moves.value.length ? "score" : "hint"),
          role: "status",
          "data-left": () => String(left.value ?? ""),
        },
        words,
      ),
      smallBoard({
        view: () => view.value,
        name: () => t("board.name", { size: game.value?.size ?? 15 }),
        toMove: () => 1,
        over: map,
        onPlay: press,
        onBack: back,
        note: (p) => {
          const one = moves.value.length ? undefined : game.value?.seconds.find((other) => other.same.includes(p));
          return !one ? "" : one.plies ? t("solve.plies", { n: one.plies }) : t("against.is-open");
        },
      }),
      h(
        "div",
        { class: "row" },
        button(
          { "data-action": "against-back", disabled: () => !moves.value.length || waits.value, onclick: back },
          icon("prev"),
          () => t("action.prev"),
        ),
        button({ "data-action": "against-new", disabled: () => !moves.value.length, onclick: restart }, () =>
          t("against.new"),
        ),
        h("span", { class: "gap" }),
        button(
          { "data-action": "against-proof", disabled: () => !moves.value.length || waits.value, onclick: toProof },
          icon("test"),
          () => t("against.proof"),
        ),
        button(
          { "data-action": "against-to-play", disabled: () => !line.value.length, onclick: toPlay },
          icon("eye"),
          () => t("solve.to-play"),
        ),
      ),
    ),
    h("div", { class: "column" }, () => game.value && mapCard(games, chosen, game.value, restart, press)),
  );
}

/**
 * The second moves by length, longest first.
 * @param {import("../dom.js").Signal<Solved[]>} games @param {import("../dom.js").Signal<number>} chosen
 * @param {Solved} game @param {() => void} restart @param {(p: string) => void} press
 */
function mapCard(games, chosen, game, restart, press) {
  const proved = game.seconds.filter((one) => one.plies);
  const sorted = [...game.seconds].sort((a, b) => (b.plies ?? 1000) - (a.plies ?? 1000));
  const row = (/** @type {Second} */ one) =>
    h(
      "tr",
      { "data-second": one.m, class: one.plies ? "" : "few" },
      h(
        "td",
        null,
        one.plies
          ? button({ class: "move", onclick: () => (restart(), press(one.m)) }, one.m.toUpperCase())
          : one.m.toUpperCase(),
        h("small", null, ` ×${one.same.length}`),
      ),
      h("td", null, one.answer?.toUpperCase() ?? "–"),
      h("td", { class: "num" }, one.plies ?? t("against.is-open")),
    );
  return h(
    "section",
    { class: "card" },
    h("h2", null, t("against.seconds")),
    games.value.length > 1
      ? select(
          () => games.value.map((one, i) => [String(i), `${name("rule", one.rule)} ${one.size}×${one.size}`]),
          () => String(chosen.value),
          (next) => (restart(), (chosen.value = Number(next))),
          { "aria-label": () => t("rule"), name: "solved" },
        )
      : null,
    h("p", { class: "hint" }, t("against.count", { n: proved.length, all: game.seconds.length })),
    scrollTable(
      t("against.seconds"),
      [
        ["white", ""],
        ["black", ""],
      ]
        .map(([id]) => h("th", { scope: "col" }, t(id)))
        .concat(h("th", { scope: "col", class: "num" }, t("against.most"))),
      h("tbody", null, sorted.map(row)),
    ),
    game.digest && h("p", { class: "digest" }, h("span", null, "SHA-256 "), h("code", null, game.digest)),
  );
}
