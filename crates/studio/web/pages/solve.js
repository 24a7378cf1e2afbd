// Solving: a position in, one of three answers out, the proof walked and checked.

import { computed, each, effect, h, onEnd, signal } from "../dom.js";
import { name, t } from "../i18n.js";
import { readMoves } from "../model/coords.js";
import { count, time } from "../model/fmt.js";
import { parseHash } from "../model/share.js";
import * as tree from "../model/tree.js";
import { api, on, post } from "../net.js";
import { doc, openDoc } from "../play/document.js";
import { schema } from "../schema.js";
import { button, field, icon, notify, notifyError, segments, select } from "../ui.js";
import { againstView } from "./against.js";
import { proofView } from "./proof.js";
import { smallBoard, viewOf } from "./small-board.js";

/** @typedef {{ rule: string, size: number, setup: import("../types").Setup | null, moves: string[] }} Place */

/** The position that an address names, or the one on the play page. @returns {Place} */
function placeNow() {
  const { values } = parseHash(location.hash);
  const found = /^([a-z-]+?)(\d+)$/.exec(values.get("r") ?? "");
  if (!found)
    return { rule: doc.peek().rule, size: doc.peek().size, setup: doc.peek().setup, moves: tree.moves(doc.peek()) };
  const size = Number(found[2]);
  const setup = values.has("s") ? tree.readSetup((values.get("s") ?? "").replaceAll("_", " "), size) : null;
  return { rule: found[1], size, setup, moves: readMoves(values.get("m") ?? "", size) ?? [] };
}

/** @param {Place} place */
function hashOf(place) {
  const setup = tree.setupText(place.setup);
  return `#/solve?r=${place.rule}${place.size}${setup ? `&s=${setup.replaceAll(" ", "_")}` : ""}${place.moves.length ? `&m=${place.moves.join("")}` : ""}`;
}

/** A position as one would type it. @param {Place} place */
const textOf = (place) =>
  place.setup ? [tree.setupText(place.setup), place.moves.join("")].filter(Boolean).join(" + ") : place.moves.join("");

export function solvePage() {
  const { values } = parseHash(location.hash);
  const tab = signal(values.has("against") ? "against" : "solve");
  const prove = (/** @type {string} */ hash) => {
    location.hash = hash;
    tab.value = "solve";
  };
  return h(
    "main",
    { class: "page solve" },
    h(
      "div",
      { class: "inner wide" },
      h(
        "div",
        { class: "row" },
        h("h1", null, () => t("page.solve")),
        h("span", { class: "gap" }),
        segments(
          () => t("page.solve"),
          () => [
            ["solve", t("solve.prove")],
            ["against", t("against.tab")],
          ],
          () => tab.value,
          (next) => (tab.value = next),
        ),
      ),
      () => (tab.value === "against" ? againstView(prove) : proving()),
    ),
  );
}

function proving() {
  const place = signal(placeNow());
  const jobs = signal(/** @type {any[]} */ ([]));
  const proofs = signal(/** @type {any[]} */ ([]));
  const open = signal(/** @type {any} */ (null));
  const shown = signal(/** @type {any} */ (null));
  const line = signal(/** @type {string[]} */ ([]));
  const listProofs = () => api("/api/proofs").then((all) => (proofs.value = all), notifyError);
  listProofs();
  api("/api/solve").then((all) => {
    jobs.value = all;
    const mine = all.find((/** @type {any} */ one) => one.state === "running") ?? null;
    if (mine) show(mine);
  }, notifyError);
  const show = (/** @type {any} */ job) => {
    shown.value = job;
    if (job.asked)
      place.value = { ...job.asked, setup: job.asked.setup ? tree.readSetup(job.asked.setup, job.asked.size) : null };
    open.value = job.proof ? { ...job.about, id: job.proof } : null;
    line.value = [];
  };
  onEnd(
    on("solve", (news) => {
      jobs.value = [news, ...jobs.peek().filter((one) => one.id !== news.id)];
      if (news.state !== "running") listProofs();
      if (shown.peek()?.id === news.id) {
        if (news.state === "running") shown.value = news;
        else show(news);
      }
    }),
  );
  effect(() => {
    const hash = hashOf(place.value);
    if (parseHash(location.hash).page === "solve" && location.hash !== hash) history.replaceState(null, "", hash);
  });
  const onHash = () => {
    if (parseHash(location.hash).page === "solve" && parseHash(location.hash).values.has("r")) change(placeNow());
  };
  const change = (/** @type {Place} */ next) => {
    place.value = next;
    open.value = null;
    shown.value = null;
    line.value = [];
  };
  addEventListener("hashchange", onHash);
  onEnd(() => removeEventListener("hashchange", onHash));
  const load = (/** @type {any} */ one) => {
    place.value = {
      rule: one.rule,
      size: one.size,
      setup: { black: one.black, white: one.white, side: one.toMove },
      moves: [],
    };
    shown.value = null;
    open.value = one;
    line.value = [];
  };
  // The proof is walked from the position as it was asked, so its moves come after those.
  const view = computed(() => viewOf(place.value.size, [...place.value.moves, ...line.value], place.value.setup));
  const turn = () =>
    /** @type {0 | 1} */ (((place.value.setup?.side ?? 0) + place.value.moves.length + line.value.length) % 2);
  const marks = signal(/** @type {import("../model/display.js").Prim[]} */ ([]));
  const choose = signal(/** @type {((p: string) => void) | null} */ (null));
  return h(
    "div",
    { class: "solve-grid" },
    h(
      "div",
      { class: "column" },
      questionCard(place, change, shown, show),
      listsCard(proofs, jobs, load, show, listProofs),
    ),
    h(
      "section",
      { class: "card explorer" },
      smallBoard({
        view: () => view.value,
        name: () => t("board.name", { size: place.value.size }),
        toMove: turn,
        over: () => marks.value,
        onPlay: (p) => {
          if (open.peek()) return void choose.peek()?.(p);
          if (!view.peek().stones.has(p)) change({ ...place.peek(), moves: [...place.peek().moves, p] });
        },
        onBack: () =>
          open.peek()
            ? (line.value = line.peek().slice(0, -1))
            : change({ ...place.peek(), moves: place.peek().moves.slice(0, -1) }),
      }),
      h(
        "div",
        { class: "row" },
        button(
          {
            "data-action": "solve-back",
            disabled: () => (open.value ? !line.value.length : !place.value.moves.length),
            onclick: () =>
              open.peek()
                ? (line.value = line.peek().slice(0, -1))
                : change({ ...place.peek(), moves: place.peek().moves.slice(0, -1) }),
          },
          icon("prev"),
          () => t("action.prev"),
        ),
        h(
          "span",
          { class: "turn" },
          () =>
            `${t(turn() ? "to-move.white" : "to-move.black")} · ${name("rule", place.value.rule)} ${place.value.size}×${place.value.size}`,
        ),
        h("span", { class: "gap" }),
        button({ "data-action": "solve-to-play", onclick: () => toPlay(place.peek(), line.peek()) }, icon("eye"), () =>
          t("solve.to-play"),
        ),
      ),
    ),
    h(
      "div",
      { class: "column" },
      () => shown.value && answerCard(shown),
      () => open.value && proofView(open.value, line, marks, choose),
    ),
  );
}

/** Opens the position with the walked line on the play page. @param {Place} place @param {string[]} line */
function toPlay(place, line) {
  const [game, at] = tree.playLine(tree.create({ rule: place.rule, size: place.size, setup: place.setup }), 0, [
    ...place.moves,
    ...line,
  ]);
  openDoc({ ...game, at, tip: at });
  location.hash = "#/play";
}

/**
 * The position, what may be played, and how long to try.
 * @param {import("../dom.js").Signal<Place>} place @param {(next: Place) => void} change
 * @param {import("../dom.js").Signal<any>} shown @param {(job: any) => void} show
 */
function questionCard(place, change, shown, show) {
  const mode = signal("any");
  const quiet = signal(0);
  const seconds = signal(60);
  const nodes = signal(0);
  const shortest = signal(false);
  const box = h("input", {
    type: "text",
    name: "position",
    spellcheck: "false",
    value: () => textOf(place.value),
    onchange: () => read(box.value),
  });
  const read = (/** @type {string} */ text) => {
    const { rule, size } = place.peek();
    const setup = tree.readSetup(text.trim().replace(/\s+/g, " "), size);
    const moves = setup ? [] : readMoves(text, size);
    if (!setup && !moves) return notify(t("solve.no-position"), "error");
    change({ rule, size, setup, moves: moves ?? [] });
  };
  const number = (
    /** @type {import("../dom.js").Signal<number>} */ held,
    /** @type {string} */ id,
    /** @type {any} */ props,
  ) =>
    h("input", {
      type: "number",
      name: id,
      value: String(held.peek()),
      ...props,
      onchange: (/** @type {any} */ event) => (held.value = Math.max(0, Number(event.target.value))),
    });
  // News come many times a second; the button must not be made anew under the pointer.
  const going = signal(false);
  effect(() => {
    going.value = shown.value?.state === "running";
  });
  const start = async () => {
    try {
      const { rule, size, setup, moves } = place.peek();
      const form = {
        position: { rule, size, setup: tree.setupText(setup), moves },
        mode: mode.peek(),
        quiet: mode.peek() === "any" ? quiet.peek() : 0,
        shortest: shortest.peek() && mode.peek() !== "any",
        nodes: nodes.peek() || null,
        ms: seconds.peek() ? seconds.peek() * 1000 : null,
      };
      const { id } = await post("/api/solve", form);
      show(await api(`/api/solve/${id}`));
    } catch (error) {
      notifyError(error);
    }
  };
  const check = h("input", { type: "checkbox", name: "shortest", onchange: () => (shortest.value = check.checked) });
  return h(
    "section",
    { class: "card" },
    h("h2", null, () => t("solve.question")),
    h(
      "div",
      { class: "form" },
      h(
        "div",
        { class: "whole" },
        field(
          () => t("solve.position"),
          box,
          () => t("solve.position.help"),
        ),
      ),
      h(
        "div",
        { class: "whole" },
        field(
          () => t("solve.mode"),
          select(
            () => ["vcf", "vct", "any"].map((one) => [one, t(`solve.mode.${one}`)]),
            () => mode.value,
            (next) => (mode.value = next),
            { name: "mode" },
          ),
          () => t("solve.mode.help"),
        ),
      ),
      field(
        () => t("rule"),
        select(
          () => (schema.value?.rules ?? []).map((one) => [one, name("rule", one)]),
          () => place.value.rule,
          (rule) => change({ ...place.peek(), rule }),
          { name: "rule" },
        ),
      ),
      field(() => t("solve.seconds"), number(seconds, "seconds", { min: 0, max: 86400 })),
      field(() => t("solve.nodes"), number(nodes, "nodes", { min: 0, step: 1000 })),
      () =>
        mode.value === "any"
          ? field(
              () => t("solve.quiet"),
              number(quiet, "quiet", { min: 0, max: 20 }),
              () => t("solve.quiet.help"),
            )
          : field(() => t("solve.shortest"), check),
    ),
    h(
      "footer",
      { class: "row" },
      () =>
        going.value
          ? button(
              {
                class: "stop",
                "data-action": "stop-solve",
                onclick: () => post(`/api/solve/${shown.peek().id}/stop`, {}).catch(notifyError),
              },
              icon("stop"),
              () => t("action.stop"),
            )
          : button({ class: "primary", "data-action": "solve", onclick: start }, icon("play"), () => t("solve.start")),
      button(
        {
          "data-action": "from-play",
          onclick: () =>
            change({
              rule: doc.peek().rule,
              size: doc.peek().size,
              setup: doc.peek().setup,
              moves: tree.moves(doc.peek()),
            }),
        },
        () => t("solve.from-play"),
      ),
      h("span", { class: "gap" }),
      button({ "data-action": "clear", onclick: () => change({ ...place.peek(), setup: null, moves: [] }) }, () =>
        t("solve.clear"),
      ),
    ),
  );
}

/** The answer in words: three that must not be mixed up. @param {import("../dom.js").Signal<any>} shown */
function answerCard(shown) {
  const now = signal(Date.now());
  const began = Date.now() - (shown.peek()?.ms ?? 0);
  effect(() => {
    if (shown.value?.state !== "running") return;
    const timer = setInterval(() => (now.value = Date.now()), 250);
    return () => clearInterval(timer);
  });
  const job = () => shown.value ?? {};
  const who = () => t(job().attacker ? "white" : "black");
  const words = () => {
    const one = job();
    const kind = t(`solve.by.${one.asked?.mode ?? "any"}`);
    if (one.state === "win") return t("solve.win", { who: who(), n: one.about?.plies ?? 0 });
    return t(`solve.state.${one.state}`, { who: who(), kind });
  };
  const cost = () => {
    const one = job();
    const ms = one.state === "running" ? Math.max(one.ms ?? 0, now.value - began) : one.ms;
    return [
      `${count(one.nodes ?? 0)} ${t("number.nodes")}`,
      time(ms ?? 0),
      one.state === "running" && one.step ? t("solve.trying", { step: one.step.toUpperCase() }) : "",
    ]
      .filter(Boolean)
      .join(" · ");
  };
  const share = () =>
    Math.min(
      1,
      Math.max(
        job().limit?.nodes ? job().nodes / job().limit.nodes : 0,
        job().limit?.ms ? (now.value - began) / job().limit.ms : 0,
      ),
    );
  return h(
    "section",
    { class: "card answer", "data-state": () => job().state },
    h("p", { class: "score", role: "status" }, words),
    () =>
      job().state === "running" ? h("progress", { max: 1, value: share, "aria-label": () => t("lab.progress") }) : null,
    h("p", { class: "hint" }, cost, () => (job().isShortest ? ` · ${t("solve.is-shortest")}` : "")),
    () => job().error && h("p", { class: "error-text", role: "alert" }, job().error),
    () => (job().state === "win" ? h("p", { class: "hint" }, t("solve.unchecked")) : null),
  );
}

/**
 * Proofs that are kept, and questions of this session.
 * @param {import("../dom.js").Signal<any[]>} proofs @param {import("../dom.js").Signal<any[]>} jobs
 * @param {(proof: any) => void} load @param {(job: any) => void} show @param {() => void} reload
 */
function listsCard(proofs, jobs, load, show, reload) {
  const take = () => {
    const input = h("input", {
      type: "file",
      accept: ".proof",
      "aria-label": t("solve.load"),
      onchange: async () => {
        const file = input.files?.[0];
        if (!file) return;
        try {
          load(await api(`/api/proofs?${new URLSearchParams({ name: file.name })}`, { method: "POST", body: file }));
          reload();
        } catch (error) {
          notifyError(error);
        }
      },
    });
    input.click();
  };
  const words = (/** @type {any} */ one) =>
    one.name || `${name("rule", one.rule)} · ${t("solve.stones", { n: one.black.length + one.white.length })}`;
  const list = h("ul", { class: "list" });
  each(
    list,
    () => proofs.value.slice(0, 100),
    (one) => one.id,
    (row) =>
      h(
        "li",
        { class: "row" },
        button(
          { "data-proof": () => row.value.id, onclick: () => load(row.peek()) },
          h("i", { class: () => `stone small ${row.value.attacker ? "white" : "black"}` }),
          h("span", null, () => words(row.value)),
          h("small", null, () => t("solve.plies", { n: row.value.plies })),
        ),
        button(
          {
            class: "plain",
            "aria-label": () => t("delete"),
            title: () => t("delete"),
            onclick: () => api(`/api/proofs/${row.peek().id}`, { method: "DELETE" }).then(reload, notifyError),
          },
          icon("trash"),
        ),
      ),
  );
  return h(
    "section",
    { class: "card" },
    h("h2", null, () => t("solve.proofs")),
    list,
    () => (proofs.value.length ? null : h("p", { class: "empty" }, t("solve.no-proofs"))),
    () =>
      jobs.value
        .filter((one) => one.state === "running")
        .map((one) =>
          button(
            { "data-job": one.id, onclick: () => show(one) },
            h("i", { class: "dot running" }),
            t("solve.state.running", { who: t(one.attacker ? "white" : "black"), kind: "" }),
          ),
        ),
    h(
      "footer",
      { class: "row" },
      button({ "data-action": "load-proof", onclick: take }, icon("open"), () => t("solve.load")),
    ),
  );
}
