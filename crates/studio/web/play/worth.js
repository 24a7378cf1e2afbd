// Scores and chances as the reader wishes to see them: from one point of view, and that is said.

import { t } from "../i18n.js";
import { claim, percent, score } from "../model/fmt.js";
import { settings } from "../settings.js";
import { toMove } from "./document.js";

/** The view that scores are from, in words. */
export const viewText = () => t(`view.${settings.value.view}`);

/** Whether scores are turned around: the view is Black's unless the settings say otherwise. @param {0 | 1} side */
function flips(side) {
  const { view } = settings.value;
  return view === "mover" ? false : view === "white" ? side === 0 : side === 1;
}

/** A chance of the side to move, from the view that is shown. @param {number | null | undefined} w @param {number} [digits] */
export const chanceText = (w, digits) => percent(typeof w === "number" && flips(toMove.value) ? 1 - w : w, digits);

/**
 * What a score is worth, in a few letters: a claimed win says whose it is, a proved one is `#7`.
 * @param {import("../types").Score | null | undefined} e
 * @param {0 | 1} [side]  the side to move
 * @param {boolean} [proved]
 */
export function worth(e, side = toMove.value, proved = false) {
  const said = claim(e, side);
  if (!said) return score(e, flips(side));
  const who = said.winner ? "white" : "black";
  return proved ? `${t(who)} #${said.n}` : t(`in.${who}`, { n: said.n });
}

/** Who is said to win, and whether that is proved; nothing for an evaluation. @param {any} e @param {boolean} [proved] */
export function claimText(e, proved) {
  const said = claim(e, toMove.value);
  if (!said) return "";
  const who = said.winner ? "white" : "black";
  return proved ? t(`proved.${who}`, { n: said.n }) : t(`claim.${who}`, { n: said.n });
}
