// A small search as a tree: windows, values and what was cut, as in the papers' figures.

import { computed, h, s, signal } from "../../dom.js";
import { t } from "../../i18n.js";
import { plain } from "../../model/fmt.js";
import { layout } from "../../model/trace.js";
import { parse, format, short } from "../../model/spec.js";
import { infoOf, players } from "../../schema.js";
import { settings } from "../../settings.js";
import { button, dialog, field, select } from "../../ui.js";
import { algorithm, doc } from "../document.js";
import { think } from "../thinking.js";
import { line } from "../board-view.js";

/** Opens the viewer and searches the position shown. */
export function traceDialog() {
  const depth = signal(2);
  const width = signal(4);
  /** @type {import("../../dom.js").Signal<import("../../types").Trace | null>} */
  const trace = signal(/** @type {import("../../types").Trace | null} */ (null));
  const state = signal("");
  /** Nodes that are folded out. @type {import("../../dom.js").Signal<Set<number>>} */
  const open = signal(new Set([0]));
  const player = signal(algorithm.peek());
  /** @param {string[]} [others]  asked in turn if this one keeps its tree to itself */
  const run = (others = []) => {
    const info = infoOf(player.peek());
    if (!info) return;
    const args = { ...parse(player.peek()).args };
    if (info.params.some((param) => param.name === "depth")) args.depth = String(depth.peek());
    state.value = t("state.thinking");
    think("trace", doc.peek().at, format(info, args), { trace: true, limits: { depth: depth.peek() } }, (best) => {
      const [next, ...rest] = others;
      if (!best.trace && next) {
        player.value = next;
        return run(rest);
      }
      trace.value = best.trace ?? null;
      state.value = best.trace
        ? t("trace.count", { n: best.trace.nodes.length, evals: best.evals, cut: best.cutoffs })
        : t("trace.none");
      open.value = new Set([0]);
    });
  };
  const picture = computed(() => trace.value && layout(trace.value, open.value, width.value));
  dialog(
    () => t("action.trace"),
    () => [
      h("p", { class: "hint" }, () => t("trace.help")),
      h(
        "div",
        { class: "row ends" },
        field(
          () => t("player"),
          select(
            () =>
              [...new Set([player.value, ...settings.value.algs, ...players.value.map((one) => one.name)])].map(
                (one) => [one, short(one)],
              ),
            () => player.value,
            (one) => ((player.value = one), run()),
            { name: "tracer" },
          ),
        ),
        field(() => t("number.depth"), number(depth, 1, 4)),
        field(() => t("trace.width"), number(width, 1, 40)),
        button({ class: "primary", "data-action": "trace-run", onclick: () => run() }, () => t("trace.run")),
        h("span", { role: "status" }, () => state.value),
      ),
      h(
        "div",
        { class: "trace scroll", tabindex: 0, role: "region", "aria-label": () => t("action.trace") },
        () => picture.value && drawing(picture.value, open),
      ),
    ],
    { wide: true, onClose: () => (line.value = null) },
  );
  run(settings.peek().algs.filter((one) => one !== algorithm.peek()));
}

/** @param {import("../../dom.js").Signal<number>} held @param {number} min @param {number} max */
function number(held, min, max) {
  const box = h("input", {
    type: "number",
    min,
    max,
    value: String(held.peek()),
    onchange: () => (held.value = Math.min(max, Math.max(min, Number(box.value) || min))),
  });
  return box;
}

/** @param {ReturnType<typeof layout>} picture @param {import("../../dom.js").Signal<Set<number>>} open */
function drawing(picture, open) {
  const toggle = (/** @type {number} */ id) => {
    const next = new Set(open.peek());
    if (!next.delete(id)) next.add(id);
    open.value = next;
    // The picture is drawn anew; whoever is at a node stays there.
    /** @type {SVGElement | null} */ (document.querySelector(`.trace [data-node="${id}"]`))?.focus();
  };
  return s(
    "svg",
    {
      viewBox: `0 0 ${picture.width} ${picture.height}`,
      width: picture.width,
      height: picture.height,
      role: "group",
      "aria-label": t("action.trace"),
    },
    picture.links.map(([x1, y1, x2, y2]) =>
      s("path", { class: "link", d: `M${x1} ${y1}C${x1} ${(y1 + y2) / 2} ${x2} ${(y1 + y2) / 2} ${x2} ${y2}` }),
    ),
    picture.boxes.map((box) =>
      s(
        "g",
        {
          class: `node ${box.max ? "max" : "min"} ${box.best ? "best" : ""}`,
          transform: `translate(${box.x} ${box.y})`,
          "data-node": box.id,
          tabindex: 0,
          role: "button",
          "aria-expanded": box.folded === 0 ? "false" : String(open.peek().has(box.id)),
          "aria-label": t("trace.node", {
            move: box.move.toUpperCase() || "–",
            value: box.value === null ? "–" : plain(box.value),
            window: box.window,
            cut: box.cut,
          }),
          onclick: () => toggle(box.id),
          onpointerenter: () => (line.value = box.path),
          onpointerleave: () => (line.value = null),
          onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && toggle(box.id),
        },
        s("rect", { x: -44, y: -22, width: 88, height: 44, rx: 8 }),
        s("text", { y: -8 }, `${box.move.toUpperCase() || "●"}  ${box.value === null ? "" : plain(box.value)}`),
        s("text", { class: "small", y: 8 }, box.window),
        box.cut
          ? s("text", { class: "cut", y: 32 }, `✂ ${box.cut}`)
          : box.folded
            ? s("text", { class: "small", y: 32 }, `+${box.folded}`)
            : null,
      ),
    ),
  );
}
