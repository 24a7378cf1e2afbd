// Keys: one table for the handlers, the sheet that `?` opens, and the hints in tooltips.

import { settings } from "./settings.js";

/** @typedef {{ id: string, keys: string[], group: string }} Binding */

/** Every action that has a key. @type {Binding[]} */
export const BINDINGS = [
  { id: "prev", keys: ["ArrowLeft"], group: "move" },
  { id: "next", keys: ["ArrowRight"], group: "move" },
  { id: "up", keys: ["ArrowUp"], group: "move" },
  { id: "down", keys: ["ArrowDown"], group: "move" },
  { id: "start", keys: ["Home"], group: "move" },
  { id: "end", keys: ["End"], group: "move" },
  { id: "fork-prev", keys: ["Shift+ArrowLeft"], group: "move" },
  { id: "fork-next", keys: ["Shift+ArrowRight"], group: "move" },
  { id: "back10", keys: ["Ctrl+ArrowLeft"], group: "move" },
  { id: "on10", keys: ["Ctrl+ArrowRight"], group: "move" },
  { id: "mistake-next", keys: ["n"], group: "move" },
  { id: "mistake-prev", keys: ["Shift+N"], group: "move" },
  { id: "analyze", keys: [" "], group: "think" },
  { id: "best", keys: ["Enter"], group: "think" },
  { id: "stop", keys: ["Escape"], group: "think" },
  { id: "hint", keys: ["h"], group: "think" },
  { id: "balance1", keys: ["b"], group: "think" },
  { id: "balance2", keys: ["Shift+B"], group: "think" },
  { id: "threat", keys: ["t"], group: "think" },
  { id: "speak", keys: ["c"], group: "think" },
  { id: "threats", keys: ["x"], group: "show" },
  { id: "hide", keys: ["z"], group: "show" },
  { id: "line", keys: [..."123456789"], group: "show" },
  { id: "mode", keys: ["m"], group: "show" },
  { id: "undo-edit", keys: ["Ctrl+z"], group: "edit" },
  { id: "redo-edit", keys: ["Ctrl+y"], group: "edit" },
  { id: "copy", keys: ["Ctrl+c"], group: "edit" },
  { id: "paste", keys: ["Ctrl+v"], group: "edit" },
  { id: "open", keys: ["Ctrl+o"], group: "edit" },
  { id: "save", keys: ["Ctrl+s"], group: "edit" },
  { id: "help", keys: ["?"], group: "show" },
];

/** The keys of an action, as chosen or as given. @param {string} id */
export function keysOf(id) {
  const chosen = settings.value.keys[id];
  return chosen ? [chosen] : (BINDINGS.find((one) => one.id === id)?.keys ?? []);
}

/** A key press as the table writes it. @param {KeyboardEvent} event */
export function pressed(event) {
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push("Ctrl");
  if (event.altKey) parts.push("Alt");
  // A shifted sign such as ? is its own key; letters and arrows keep the word.
  if (event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key))) parts.push("Shift");
  parts.push(
    event.shiftKey && event.key.length === 1
      ? event.key.toUpperCase()
      : event.key.length === 1 && parts.length
        ? event.key.toLowerCase()
        : event.key,
  );
  return parts.join("+");
}

/** The action of a key press. @param {KeyboardEvent} event */
export function actionOf(event) {
  const key = pressed(event);
  return BINDINGS.find((one) => keysOf(one.id).includes(key))?.id ?? null;
}

/** A key as people read it. @param {string} key */
export function showKey(key) {
  return key
    .replace("Arrow", "")
    .replace("Left", "←")
    .replace("Right", "→")
    .replace("Up", "↑")
    .replace("Down", "↓")
    .replace("Escape", "Esc")
    .replace(/^ $/, "Space")
    .replace(/^([a-z])$/, (letter) => letter.toUpperCase())
    .replace(/\+([a-z])$/, (_, letter) => "+" + letter.toUpperCase());
}

/** A tooltip: what a control does, and its key. @param {string} text @param {string} id */
export function withKey(text, id) {
  const keys = keysOf(id);
  return keys.length ? `${text} (${showKey(keys[0])})` : text;
}
