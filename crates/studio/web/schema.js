// What the server offers: players with their parameters, rules, sizes.

import { computed, signal } from "./dom.js";
import { api } from "./net.js";
import { choose, settings } from "./settings.js";
import { parse } from "./model/spec.js";

/** @type {import("./dom.js").Signal<import("./types").Schema | null>} */
export const schema = signal(/** @type {import("./types").Schema | null} */ (null));

export const players = computed(() => schema.value?.players ?? []);

/** The declaration of the player that a spec names. @param {string | undefined} spec */
export const infoOf = (spec) => players.value.find((one) => one.name === parse(spec ?? "").name);

export async function loadSchema() {
  schema.value = await api("/api/schema");
  const names = players.peek().map((one) => one.name);
  const { alg, algs } = settings.peek();
  const isKnown = (/** @type {string} */ spec) => names.includes(parse(spec).name);
  const slots = algs.filter(isKnown);
  for (const one of favorites(names)) if (slots.length < 3 && !slots.includes(one)) slots.push(one);
  choose({ algs: slots, alg: isKnown(alg) ? alg : (slots[0] ?? "") });
}

/** Three players to begin with: the strongest first, then others spread over the list. @param {string[]} names */
function favorites(names) {
  const wanted = ["engine", "new-heuristic", "alpha-beta", "minimax", "greedy"];
  return [...wanted.filter((one) => names.includes(one)), ...names];
}
