// A proof walked by hand: the attacker's move is given, every reply can be chosen, the answer is seen.

import { computed, effect, h, signal } from "../dom.js";
import { t } from "../i18n.js";
import { count, time } from "../model/fmt.js";
import * as display from "../model/display.js";
import { api } from "../net.js";
import { button, icon, notify, notifyError, scrollTable } from "../ui.js";
import { viewOf } from "./small-board.js";

/**
 * @param {any} proof
 * @param {import("../dom.js").Signal<string[]>} line  what has been walked from the start of the proof
 * @param {import("../dom.js").Signal<display.Prim[]>} marks  what the board shows over its stones
 * @param {import("../dom.js").Signal<((p: string) => void) | null>} choose  what a press on the board does
 */
export function proofView(proof, line, marks, choose) {
  const here = signal(/** @type {any} */ (null));
  const checked = signal(/** @type {any} */ (null));
  const busy = signal(false);
  let asked = 0;
  effect(() => {
    const mine = ++asked;
    api(`/api/proofs/${proof.id}/at?line=${line.value.join("")}`).then(
      (found) => mine === asked && (here.value = found),
      notifyError,
    );
  });
  const flat = computed(() => viewOf(proof.size, [], { black: proof.black, white: proof.white, side: proof.toMove }));
  effect(() => {
    const now = here.value;
    /** @type {[string, string][]} */
    const labels =
      now?.turn === "attack"
        ? [[now.move, "!"]]
        : now?.turn === "defense"
          ? now.groups.flatMap((/** @type {any} */ group, /** @type {number} */ i) =>
              group.replies.map((/** @type {string} */ p) => [p, letter(i)]),
            )
          : [];
    marks.value = display.labels(flat.value, labels);
  });
  const step = (/** @type {string} */ p) => (line.value = [...line.peek(), p]);
  /** A reply and the attacker's answer to it. @param {string} p @param {string} answer */
  const reply = (p, answer) => (line.value = [...line.peek(), p, answer]);
  choose.value = (p) => {
    const now = here.peek();
    if (now?.turn === "attack")
      return now.move === p ? void step(p) : notify(t("proof.plays", { move: now.move.toUpperCase() }));
    if (now?.turn !== "defense") return;
    const group = now.groups.find((/** @type {any} */ one) => one.replies.includes(p));
    const answer = group?.answer ?? now.default?.answer;
    if (answer && answer !== p) reply(p, answer);
    else step(p);
  };
  const check = async () => {
    busy.value = true;
    try {
      checked.value = await api(`/api/proofs/${proof.id}/check`, { method: "POST" });
    } catch (error) {
      notifyError(error);
    } finally {
      busy.value = false;
    }
  };
  return h(
    "section",
    { class: "card proof", "data-proof-open": proof.id },
    h("h2", null, () => t("proof.title", { who: t(proof.attacker ? "white" : "black"), n: proof.plies })),
    h("p", { class: "hint" }, () => t("proof.size", { n: count(proof.tree) })),
    h(
      "div",
      { class: "row" },
      button(
        { class: "primary", "data-action": "check-proof", disabled: () => busy.value, onclick: check },
        icon("check"),
        () => t(busy.value ? "proof.checking" : "proof.check"),
      ),
      h(
        "a",
        {
          class: "button",
          href: `/api/proofs/${proof.id}/file`,
          download: `${proof.id}.proof`,
          "data-action": "save-proof",
        },
        () => t("proof.save"),
      ),
      h(
        "a",
        {
          class: "button",
          href: `/api/proofs/${proof.id}/sgf`,
          download: `${proof.id}.sgf`,
          "data-action": "save-sgf",
        },
        "SGF",
      ),
    ),
    () => checked.value && verdict(checked.value, proof),
    h("h3", null, () => t("proof.walk")),
    h("ol", { class: "crumbs" }, () => [
      h(
        "li",
        null,
        button({ class: "move", "data-action": "proof-start", onclick: () => (line.value = []) }, t("openings.start")),
      ),
      ...line.value.map((m, i) =>
        h(
          "li",
          null,
          button({ class: "move", onclick: () => (line.value = line.peek().slice(0, i + 1)) }, m.toUpperCase()),
        ),
      ),
    ]),
    () => turnView(here.value, step, reply),
  );
}

/** Letters for groups of replies. @param {number} i */
const letter = (i) => (i < 26 ? "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i] : String(i));

/** What the independent checker says. @param {any} result @param {any} proof */
function verdict(result, proof) {
  if (!result.ok) return h("p", { class: "verdict wrong", role: "alert" }, t("proof.wrong"), " ", result.problem);
  const cells = [
    ["plies", `#${result.plies}`],
    ["moves", count(result.moves)],
    ["turns", count(result.turns)],
    ["replies", count(result.replies)],
    ["bytes", count(result.bytes)],
    ["time", time(result.ms)],
  ];
  return h(
    "div",
    { class: "verdict right", role: "status" },
    h(
      "p",
      null,
      icon("check"),
      h("strong", null, t("proof.right", { who: t(proof.attacker ? "white" : "black"), n: result.plies })),
    ),
    h(
      "dl",
      { class: "numbers" },
      cells.map(([id, value]) =>
        h("div", { "data-number": id }, h("dt", null, t(`proof.${id}`)), h("dd", null, value)),
      ),
    ),
    h("p", { class: "digest" }, h("span", null, "SHA-256 "), h("code", null, result.digest)),
  );
}

/** @param {any} here @param {(p: string) => void} step @param {(p: string, answer: string) => void} reply */
function turnView(here, step, reply) {
  if (!here) return null;
  if (here.turn === "over") return h("p", { class: "empty", "data-turn": "over" }, t("proof.over"));
  if (here.turn === "attack")
    return h(
      "p",
      { class: "row", "data-turn": "attack" },
      button(
        { class: "accent", "data-action": "proof-next", onclick: () => step(here.move) },
        icon("next"),
        t("proof.play", { move: here.move.toUpperCase() }),
      ),
      h("span", { class: "hint" }, t("proof.within", { n: here.plies })),
    );
  const row = (
    /** @type {any} */ name,
    /** @type {any} */ replies,
    /** @type {string} */ answer,
    /** @type {number} */ plies,
  ) =>
    h(
      "tr",
      null,
      h("td", null, name),
      h("td", { class: "replies" }, replies),
      h("td", null, h("b", null, answer.toUpperCase())),
      h("td", { class: "num" }, plies),
    );
  const chips = (/** @type {any} */ group) =>
    group.replies
      .slice(0, 40)
      .map((/** @type {string} */ p) =>
        button({ class: "chip", "data-reply": p, onclick: () => reply(p, group.answer) }, p.toUpperCase()),
      );
  return h(
    "div",
    { "data-turn": "defense" },
    h("p", { class: "hint" }, t("proof.choose")),
    scrollTable(
      t("proof.walk"),
      ["", "reply", "answer", "left"].map((id) => h("th", { scope: "col" }, id && t(`proof.column.${id}`))),
      h(
        "tbody",
        null,
        here.groups.map((/** @type {any} */ group, /** @type {number} */ i) =>
          row(letter(i), chips(group), group.answer, group.plies),
        ),
        here.default &&
          row(
            "",
            here.default.example
              ? button(
                  {
                    class: "chip",
                    "data-reply": "other",
                    onclick: () => reply(here.default.example, here.default.answer),
                  },
                  t("proof.others", { n: here.default.count }),
                )
              : "–",
            here.default.answer,
            here.default.plies,
          ),
      ),
    ),
  );
}
