// Forms built from the server's declarations of players and their parameters.

import { computed, h } from "../dom.js";
import { has, t } from "../i18n.js";
import { shapeName } from "./shapes.js";
import { defaultText, format, parse } from "../model/spec.js";
import { infoOf, players } from "../schema.js";
import { field, select } from "../ui.js";

/** @typedef {import("../types").Limit} Limit */

/**
 * A form for the parameters of a player, built from the server's declaration.
 * @param {import("../types").PlayerInfo} info
 * @param {string} spec
 * @param {(spec: string) => void} onChange
 */
export function paramForm(info, spec, onChange) {
  const given = parse(spec);
  const values = given.name === info.name ? { ...given.args } : {};
  const set = (/** @type {string} */ name, /** @type {string} */ value) => {
    values[name] = value;
    onChange(format(info, values));
  };
  const box = (/** @type {import("../types").Param} */ param) =>
    field(
      () => paramName(param.name),
      control(param, values[param.name] ?? defaultText(param), (value) => set(param.name, value)),
      () => paramHelp(param),
    );
  const [first, rest] = [
    info.params.filter((param) => MAIN.has(param.name)),
    info.params.filter((param) => !MAIN.has(param.name)),
  ];
  const isTouched = rest.some((param) => values[param.name] !== undefined);
  return h(
    "div",
    null,
    h("div", { class: "form" }, first.map(box)),
    rest.length
      ? h(
          "details",
          {
            class: "more",
            open: isTouched || more,
            ontoggle: (/** @type {any} */ event) => (more = event.target.open),
          },
          h("summary", null, () => t("parameters.more", { n: rest.length })),
          h("div", { class: "form" }, rest.map(box)),
        )
      : null,
  );
}

/** Parameters that are shown at once, whoever has them; the others are folded away. */
const MAIN = new Set(
  "level hash threads nodes depth eval moves optimized range width budget constant rollout forced time player name variety".split(
    " ",
  ),
);
/** Whether the others are folded out, also when the form is made anew. */
let more = false;

/** The name of a parameter: a shape's, a translation, or the server's. @param {string} name */
export function paramName(name) {
  const [, side, n] = /^(own|opp)(\d)$/.exec(name) ?? [];
  if (side) return t(`param.${side}-line`, { n });
  const shape = shapeName((name.startsWith("opp-") ? "Opp's " : "") + name.replace("opp-", "").replaceAll("-", " "));
  return has(`param.${name}`)
    ? t(`param.${name}`)
    : has(`shape.${name.replace("opp-", "").replaceAll("-", " ")}`)
      ? shape
      : name.replaceAll("_", " ");
}

/** What a parameter does. @param {import("../types").Param} param */
export const paramHelp = (param) =>
  has(`param.${param.name}.help`) ? t(`param.${param.name}.help`) : shapeName(param.help);

/** @param {import("../types").Param} param @param {string} value @param {(value: string) => void} set */
function control(param, value, set) {
  const shared = { name: param.name };
  switch (param.kind) {
    case "switch": {
      const box = h("input", {
        ...shared,
        type: "checkbox",
        checked: value === "on" || value === "true" || value === "yes",
        onchange: () => set(box.checked ? "on" : "off"),
      });
      return box;
    }
    case "choice": {
      const box = h(
        "select",
        { ...shared, onchange: () => set(box.value) },
        (param.options ?? []).map((one) =>
          h(
            "option",
            { value: one, selected: one === value },
            has(`param.choice.${one}`) ? t(`param.choice.${one}`) : one,
          ),
        ),
      );
      return box;
    }
    case "component": {
      const list = `list-${param.name}`;
      const box = h("input", {
        ...shared,
        type: "text",
        value,
        list,
        spellcheck: "false",
        onchange: () => set(box.value.trim()),
      });
      return [
        box,
        h(
          "datalist",
          { id: list },
          (param.options ?? []).map((one) => h("option", { value: one })),
        ),
      ];
    }
    default: {
      const box = h("input", {
        ...shared,
        type: "number",
        value,
        min: param.min,
        max: param.max,
        step: param.kind === "real" ? "any" : "1",
        onchange: () => box.reportValidity() && set(box.value),
      });
      return box;
    }
  }
}

/** A choice of player. @param {() => string} spec @param {(spec: string) => void} onChange */
function playerSelect(spec, onChange) {
  const options = () => players.value.map((one) => /** @type {[string, string]} */ ([one.name, one.name]));
  return select(options, () => infoOf(spec())?.name ?? "", onChange, { name: "player" });
}

/** A choice of player with its parameters. @param {() => string} spec @param {(spec: string) => void} onChange */
export function playerForm(spec, onChange) {
  return h(
    "div",
    { class: "player-form" },
    field(() => t("player"), playerSelect(spec, onChange)),
    playerParameters(spec, onChange),
  );
}

/**
 * A player of a run: who, how much it may spend, and its parameters folded away.
 * @param {any} label
 * @param {{ spec: () => string, onSpec: (spec: string) => void, limit: () => Limit, onLimit: (limit: Limit) => void }} player
 * @param {Record<string, any>} [props]
 * @param {any} [after]
 */
export function playerPicker(label, { spec, onSpec, limit, onLimit }, props = {}, after = null) {
  const given = () => (spec() === infoOf(spec())?.name ? "" : spec());
  return h(
    "fieldset",
    { class: "picker", ...props },
    h("legend", null, label),
    h(
      "div",
      { class: "row" },
      field(() => t("player"), playerSelect(spec, onSpec)),
      limitForm(limit, onLimit),
      after,
    ),
    h(
      "details",
      { class: "more" },
      h("summary", null, () => t("parameters"), h("code", { "data-spec": "" }, given)),
      playerParameters(spec, onSpec),
    ),
  );
}

/** What a player is, and its parameters. @param {() => string} spec @param {(spec: string) => void} onChange */
function playerParameters(spec, onChange) {
  const info = computed(() => infoOf(spec()));
  return [
    () =>
      info.value &&
      h(
        "p",
        { class: "hint" },
        has(`player.${info.value.name}`) ? t(`player.${info.value.name}`) : info.value.summary,
        info.value.source ? h("cite", null, ` ${info.value.source}`) : null,
      ),
    () => {
      const now = info.value;
      return now && paramForm(now, spec(), onChange);
    },
  ];
}

/** How much a player may spend on a move. @param {() => Limit} limit @param {(limit: Limit) => void} onChange */
export function limitForm(limit, onChange) {
  const kind = () =>
    Object.keys(limit()).find((key) => limit()[/** @type {keyof Limit} */ (key)] !== undefined) ?? "none";
  const value = () => limit()[/** @type {keyof Limit} */ (kind())] ?? 0;
  const start = /** @type {Record<string, Limit>} */ ({
    none: {},
    depth: { depth: 4 },
    evals: { evals: 50_000 },
    nodes: { nodes: 100_000 },
    ms: { ms: 2000 },
  });
  const number = h("input", {
    type: "number",
    min: 1,
    name: "limit",
    value: () => String(value()),
    hidden: () => kind() === "none",
    "aria-label": () => t("limit"),
    onchange: () => onChange({ [kind()]: Math.max(1, Number(number.value)) }),
  });
  return h(
    "div",
    { class: "row limit" },
    field(
      () => t("limit"),
      select(
        () => ["none", "depth", "evals", "nodes", "ms"].map((one) => [one, t(`limit.${one}`)]),
        kind,
        (one) => onChange(start[one]),
        { name: "limit-kind" },
      ),
    ),
    number,
  );
}
