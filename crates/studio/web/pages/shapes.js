// The shapes that players count, in the reader's words.

import { has, t } from "../i18n.js";

/**
 * The name of a shape or rule in an evaluation, which may have a picture (`live four 011110`), an owner or counts.
 * @param {string} text
 * @returns {string}
 */
export function shapeName(text) {
  const [, rule, opp, run, open, phrase, picture] =
    /^(rule: )?(Opp's )?(?:(\d) in a row(?:, (\d) open)?|(.*?)(?:, each)?)( [012]{4,})?$/.exec(text) ?? [];
  if (rule) return t("shape.rule", { shape: shapeName(text.slice(rule.length)) });
  if (opp) return t("shape.opp", { shape: shapeName(text.slice(opp.length)) });
  if (run) return t(open ? "shape.run-open" : "shape.run", { n: run, open: open ?? 0 });
  const key = `shape.${phrase?.toLowerCase()}`;
  return has(key) ? t(key) + (picture ?? "") : text;
}
