// The first five minutes: a few boards, each with one thing to do.

import { computed, h, signal } from "../dom.js";
import { t } from "../i18n.js";
import { button, icon } from "../ui.js";
import { smallBoard, viewOf } from "./small-board.js";

/** Black's stones, White's stones and the points that do what is asked; Black is to move. */
const STEPS = [
  ["c5 d5 e5 f5", "c4 d6 e6 f4", "b5 g5"],
  ["c4 d5 e5", "d4 e4 f4 g4", "h4"],
  ["d5 e5 f5", "d6 e4", "c5 g5"],
  ["d4 e6", "d5 e5 f5", "c5 g5"],
  ["b5 c5 d5 e6 e7", "a5 c7 d3 f6", "e5"],
].map((step) => step.map((list) => list.split(" ")));

/** The card with the tutorial. */
export function tutorial() {
  const at = signal(0);
  const tried = signal(/** @type {string | null} */ (null));
  const right = computed(() => Boolean(tried.value && STEPS[at.value][2].includes(tried.value)));
  const view = computed(() => {
    const [black, white] = STEPS[at.value];
    return viewOf(9, right.value && tried.value ? [tried.value] : [], { black, white, side: 0 }, { coords: "none" });
  });
  const go = (/** @type {number} */ to) => {
    tried.value = null;
    at.value = to;
  };
  const isLast = () => at.value === STEPS.length - 1;
  const state = () => (right.value ? "right" : tried.value ? "wrong" : "open");
  return h(
    "section",
    { class: "card prose illustrated tutorial", "data-step": () => String(at.value + 1), "data-tutorial": state },
    h("h2", null, () => t("tutor.title")),
    h(
      "div",
      null,
      h("p", null, () => t(`tutor.${at.value + 1}`)),
      h("p", { class: "score", role: "status" }, () =>
        right.value ? t(isLast() ? "tutor.done" : "tutor.right") : tried.value ? t("tutor.wrong") : "",
      ),
      h(
        "div",
        { class: "row" },
        h("span", { class: "hint" }, () => `${at.value + 1} / ${STEPS.length}`),
        button(
          { "data-action": "tutor-back", disabled: () => at.value === 0, onclick: () => go(at.peek() - 1) },
          icon("prev"),
          () => t("action.prev"),
        ),
        () =>
          isLast()
            ? h("a", { class: "button", href: "#/play" }, t("tutor.play"))
            : button(
                {
                  class: () => (right.value ? "primary" : ""),
                  "data-action": "tutor-next",
                  onclick: () => go(at.peek() + 1),
                },
                () => t("lesson.next"),
                icon("next"),
              ),
      ),
    ),
    smallBoard({
      view: () => view.value,
      name: () => t("board.name", { size: 9 }),
      onPlay: (p) => {
        if (!right.peek() && !view.peek().stones.has(p)) tried.value = p;
      },
    }),
  );
}
