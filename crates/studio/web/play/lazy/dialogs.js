// Dialogs of the play page: a new game, the parameters of a player, files, the address.

import { h, signal } from "../../dom.js";
import { name, t } from "../../i18n.js";
import { defaultText, format, parse, short } from "../../model/spec.js";
import { advised } from "../../model/levels.js";
import { infoOf, players, schema } from "../../schema.js";
import { choose, settings } from "../../settings.js";
import { button, dialog, field, select } from "../../ui.js";
import { limitForm, paramHelp, paramName, playerForm } from "../../pages/forms.js";
import { algorithm, doc, lastSeats, newGame, setAlgorithm, setSeat } from "../document.js";

const PROTOCOLS = ["free", "swap1", "swap", "swap2", "pro", "long-pro", "rif", "soosyrv-8", "taraguchi-10"];

/** The player of a side and its parameters. @param {0 | 1} side */
export function seatDialog(side) {
  const seat = doc.peek().seats[side];
  const spec = signal(seat.spec ?? algorithm.peek());
  const limit = signal(seat.limit ?? {});
  dialog(
    () => t(side ? "seat.white" : "seat.black"),
    (close) => [
      playerForm(
        () => spec.value,
        (next) => (spec.value = next),
      ),
      limitForm(
        () => limit.value,
        (next) => (limit.value = next),
      ),
      h("code", { class: "spec" }, () => spec.value),
      h(
        "footer",
        null,
        button({ onclick: () => (setSeat(side, { who: "human" }), close()) }, () => t("human")),
        button(
          {
            class: "primary",
            "data-action": "apply",
            onclick: () => (setSeat(side, { who: "player", spec: spec.peek(), limit: limit.peek() }), close()),
          },
          () => t("apply"),
        ),
      ),
    ],
  );
}

/** The parameters of the algorithm that analyzes. @param {number} [slot] */
export function algorithmDialog(slot = -1) {
  const spec = signal(slot >= 0 ? settings.peek().algs[slot] : algorithm.peek());
  dialog(
    () => t("algorithm"),
    (close) => [
      playerForm(
        () => spec.value,
        (next) => (spec.value = next),
      ),
      h("code", { class: "spec" }, () => spec.value),
      h(
        "footer",
        null,
        button(
          {
            class: "primary",
            "data-action": "apply",
            onclick: () => {
              if (slot >= 0) choose({ algs: settings.peek().algs.map((one, i) => (i === slot ? spec.peek() : one)) });
              setAlgorithm(spec.peek());
              close();
            },
          },
          () => t("apply"),
        ),
      ),
    ],
  );
}

/** A new game: rule, board, sides, clock. */
export function newGameDialog() {
  const now = doc.peek();
  const rule = signal(now.rule);
  const size = signal(now.size);
  const seats = signal(lastSeats());
  const protocol = signal(now.opening?.protocol ?? "free");
  const minutes = signal(now.clock ? now.clock.base / 60_000 : 0);
  const seconds = signal(now.clock ? now.clock.inc / 1000 : 0);
  const who = (/** @type {0 | 1} */ side) =>
    select(
      () =>
        [
          ["human", t("human")],
          ...new Set([
            ...(seats.value[side].spec ? [seats.value[side].spec ?? ""] : []),
            ...players.value.map((one) => one.name),
          ]),
        ].map((one) => (Array.isArray(one) ? /** @type {[string, string]} */ (one) : [one, short(one)])),
      () => (seats.value[side].who === "human" ? "human" : (seats.value[side].spec ?? "")),
      (value) => {
        const next = /** @type {[import("../../types").Seat, import("../../types").Seat]} */ ([...seats.peek()]);
        next[side] = value === "human" ? { who: "human" } : { who: "player", spec: value };
        seats.value = next;
      },
      { "aria-label": () => t(side ? "seat.white" : "seat.black"), name: side ? "white" : "black" },
    );
  /** How strong a player is that has levels. @param {0 | 1} side */
  const level = (side) => () => {
    const spec = seats.value[side].who === "player" ? (seats.value[side].spec ?? "") : "";
    const info = infoOf(spec);
    const param = info?.params.find((one) => one.name === "level");
    if (!info || !param) return null;
    const args = parse(spec).args;
    const steps = Array.from({ length: (param.max ?? 1) - (param.min ?? 1) + 1 }, (_, i) =>
      String(i + (param.min ?? 1)),
    );
    const advice = advised(settings.value.forms.results ?? [], param.min ?? 1, param.max ?? 1);
    return field(
      () =>
        [
          `${paramName("level")} (${t(side ? "seat.white" : "seat.black")})`,
          advice === null ? "" : t("level.advised", { n: advice }),
        ]
          .filter(Boolean)
          .join(" · "),
      select(
        () => steps.map((one) => [one, one]),
        () => args.level ?? defaultText(param),
        (value) => {
          const next = /** @type {[import("../../types").Seat, import("../../types").Seat]} */ ([...seats.peek()]);
          next[side] = { ...next[side], spec: format(info, { ...args, level: value }) };
          seats.value = next;
        },
        { name: side ? "white-level" : "black-level" },
      ),
      () => paramHelp(param),
    );
  };
  const sizeBox = h("input", {
    type: "number",
    name: "size",
    min: 5,
    max: 22,
    value: String(now.size),
    onchange: () => sizeBox.reportValidity() && (size.value = Number(sizeBox.value)),
  });
  const timeBox = (/** @type {import("../../dom.js").Signal<number>} */ held, /** @type {string} */ id) =>
    h("input", {
      type: "number",
      name: id,
      min: 0,
      step: "any",
      value: String(held.peek()),
      onchange: (/** @type {Event} */ event) =>
        (held.value = Math.max(0, Number(/** @type {HTMLInputElement} */ (event.target).value))),
    });
  dialog(
    () => t("new-game"),
    (close) => [
      h(
        "div",
        { class: "form" },
        field(
          () => t("rule"),
          select(
            () => (schema.value?.rules ?? []).map((one) => [one, name("rule", one)]),
            () => rule.value,
            (next) => (rule.value = next),
            { name: "rule" },
          ),
        ),
        field(() => t("size"), sizeBox),
        field(() => t("seat.black"), who(0)),
        field(() => t("seat.white"), who(1)),
        level(0),
        level(1),
        field(
          () => t("opening.protocol"),
          select(
            () => PROTOCOLS.map((one) => [one, t(`protocol.${one}`)]),
            () => protocol.value,
            (next) => (protocol.value = next),
            { name: "protocol" },
          ),
        ),
        field(() => t("clock.minutes"), timeBox(minutes, "minutes")),
        field(() => t("clock.increment"), timeBox(seconds, "increment")),
      ),
      field(
        () => `${t("teacher")}: ${t("teacher.help")}`,
        h("input", {
          type: "checkbox",
          name: "teacher",
          checked: () => settings.value.teacher,
          onchange: (/** @type {Event} */ event) =>
            choose({ teacher: /** @type {HTMLInputElement} */ (event.target).checked }),
        }),
      ),
      h("p", { class: "hint" }, () => t(`rule.${rule.value}.text`)),
      h("p", { class: "hint" }, () => t(`protocol.${protocol.value}.text`)),
      h(
        "footer",
        null,
        button(
          {
            class: "primary",
            "data-action": "start",
            onclick: () => {
              const base = minutes.peek() * 60_000;
              const opening =
                protocol.peek() === "free" ? null : { protocol: protocol.peek(), actions: [], seats: seats.peek() };
              newGame({
                rule: rule.peek(),
                size: size.peek(),
                seats: seats.peek(),
                opening,
                clock: base ? { base, left: [base, base], inc: seconds.peek() * 1000 } : null,
              });
              close();
            },
          },
          () => t("start"),
        ),
      ),
    ],
  );
}
