// Small parts that every page uses: icons, buttons, dialogs, messages, forms from declarations.

import { effect, h, onEnd, s, scope, signal } from "./dom.js";
import { t } from "./i18n.js";

/** Icons as paths on a grid of 24, drawn with a line of 1.8. @type {Record<string, string>} */
const ICONS = {
  new: "M12 5v14M5 12h14",
  reset: "M4 12a8 8 0 1 0 2.6-5.9M4 4v4.5h4.5",
  undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 0 12",
  human: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c1-4 4-5.5 7.5-5.5s6.500 1.500 7.500 5.500",
  robot: "M12 4v3M5 8h14v11H5zM9 12.500v2M15 12.500v2M2.500 12v4M21.500 12v4",
  play: "M8 5v14l11-7Z",
  stop: "M7 7h10v10H7z",
  pause: "M8 5v14M16 5v14",
  test: "M9 3h6M10 3v6l-5.500 9.500A1.500 1.500 0 0 0 5.800 21h12.400a1.500 1.500 0 0 0 1.300-2.500L14 9V3",
  open: "M3 7a2 2 0 0 1 2-2h4l2 2.500h8a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2Z",
  save: "M12 4v11m-4.500-4L12 15.500 16.500 11M4 19.500h16",
  simulate: "M4 20V10M10 20V4M16 20v-7M21 20H3",
  first: "M6 5v14M19 5 9 12l10 7Z",
  prev: "M16 5 7 12l9 7Z",
  next: "M8 5l9 7-9 7Z",
  last: "M18 5v14M5 5l10 7-10 7Z",
  gear: "M12 15.200a3.200 3.200 0 1 0 0-6.400 3.200 3.200 0 0 0 0 6.400ZM19 12a7 7 0 0 0-.1-1.300l2-1.500-2-3.400-2.300 1a7 7 0 0 0-2.300-1.300L14 3h-4l-.3 2.500a7 7 0 0 0-2.300 1.300l-2.300-1-2 3.400 2 1.500a7 7 0 0 0 0 2.600l-2 1.500 2 3.400 2.300-1a7 7 0 0 0 2.300 1.300L10 21h4l.3-2.500a7 7 0 0 0 2.300-1.300l2.300 1 2-3.400-2-1.500c.1-.4.1-.9.100-1.300Z",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 12.500l4.500 4.500L19 7.500",
  help: "M9 9.200a3 3 0 1 1 4.300 2.700c-.9.4-1.300 1-1.300 2.100M12 17.500v.1",
  share: "M12 15V4m-4 3.500L12 3.500l4 4M5 12v7h14v-7",
  edit: "M4 20h4L19.500 8.500a2 2 0 0 0-3-3L5 17ZM14 8l3 3",
  rotate: "M20 12a8 8 0 1 1-2.600-5.900M20 4v4.500h-4.500",
  flip: "M12 3v18M9 7 4 17h5ZM15 7l5 10h-5Z",
  hint: "M9.500 18h5M10.500 21h3M8 13.500a6 6 0 1 1 8 0c-1 .9-1.500 1.500-1.500 2.500h-5c0-1-.5-1.600-1.500-2.500Z",
  flag: "M6 21V4M6 5h11l-2.500 4L17 13H6",
  more: "M5 12h.1M12 12h.1M19 12h.1",
  up: "M6 15l6-6 6 6",
  down: "M6 9l6 6 6-6",
  trash: "M5 7h14M10 7V4.500h4V7M7 7l1 13h8l1-13",
  tree: "M6 4v16M6 8h6M6 16h6M15 8h4M15 16h4",
  chart: "M4 4v16h16M7.500 15l3.500-4 3 2.500L19 7.500",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M5.300 18.700l1.400-1.400M17.300 6.700l1.400-1.400",
  moon: "M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500Z",
  eye: "M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12ZM12 14.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z",
  image: "M4 5h16v14H4zM4 16l4.500-4.500 4 4 2.500-2.500 5 5M15.500 9.500h.1",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  teacher: "M2.500 9.500 12 5l9.500 4.500L12 14ZM6.500 12v4.500c3 2.500 8 2.500 11 0V12M21.500 9.500v5",
  compare: "M4 6h6v12H4zM14 6h6v12h-6z",
  library: "M5 4v16M9.500 4v16M14 4.500l4.500 15",
  scale: "M12 4v16M7 20h10M5 7h14M5 7l-2.500 6h5ZM19 7l-2.500 6h5Z",
};

/** @param {string} name */
export function icon(name) {
  return s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d: ICONS[name] ?? "" }));
}

/** @param {Record<string, any>} props @param {...any} children */
export const button = (props, ...children) => h("button", { type: "button", ...props }, ...children);

/** @typedef {{ id: number, text: string, kind: string, undo?: () => void }} Notice */
/** Messages at the foot of the page. @type {import("./dom.js").Signal<Notice[]>} */
export const notices = signal(/** @type {Notice[]} */ ([]));
let noticeId = 0;

/** Tells something for a few seconds. @param {string} text @param {"note" | "error"} [kind] @param {() => void} [undo] */
export function notify(text, kind = "note", undo) {
  const id = ++noticeId;
  const end = () => (notices.value = notices.peek().filter((one) => one.id !== id));
  notices.value = [...notices.peek().slice(-2), { id, text, kind, undo: undo && (() => (end(), undo())) }];
  setTimeout(end, undo || kind === "error" ? 8000 : 4000);
}

/** Tells what went wrong. @param {unknown} error */
export const notifyError = (error) => notify(error instanceof Error ? error.message : String(error), "error");

/** What a screen reader is told, politely. */
export const spoken = signal("");

/**
 * Shows a dialog; the content gets a function that closes it.
 * @param {() => string} title
 * @param {(close: () => void) => any} content
 * @param {{ wide?: boolean, onClose?: () => void }} [options]
 */
export function dialog(title, content, options = {}) {
  let end = () => {};
  const close = () => box.close();
  const box = /** @type {HTMLDialogElement} */ (
    h("dialog", { class: options.wide ? "wide" : "", "aria-labelledby": "dialog-title" })
  );
  const [inner, dispose] = scope(() => [
    h(
      "header",
      null,
      h("h2", { id: "dialog-title" }, title),
      button(
        { class: "plain", "aria-label": () => t("close"), title: () => t("close"), onclick: close },
        icon("close"),
      ),
    ),
    h("div", { class: "dialog-body" }, content(close)),
  ]);
  end = dispose;
  box.append(...inner);
  box.addEventListener("close", () => {
    end();
    box.remove();
    options.onClose?.();
  });
  box.addEventListener("click", (event) => {
    if (event.target === box) close();
  });
  document.body.append(box);
  box.showModal();
  return close;
}

/**
 * A labeled control.
 * @param {() => string} label
 * @param {any} control
 * @param {(() => string) | null} [help]
 */
export function field(label, control, help) {
  return h("label", { class: "field", title: help ?? false }, h("span", null, label), control);
}

/**
 * A choice from a list.
 * @param {() => [string, string][]} options  value and words
 * @param {() => string} value
 * @param {(value: string) => void} onChange
 * @param {Record<string, any>} [props]
 */
export function select(options, value, onChange, props = {}) {
  const box = h("select", { ...props, onchange: () => onChange(box.value) });
  effect(() => {
    const now = value();
    box.replaceChildren(...options().map(([key, text]) => h("option", { value: key, selected: key === now }, text)));
    box.value = now;
  });
  return box;
}

/**
 * Buttons of which one is chosen.
 * @param {() => string} label
 * @param {() => [string, string][]} options
 * @param {() => string} value
 * @param {(value: string) => void} onChange
 */
export function segments(label, options, value, onChange) {
  return h("div", { class: "segments", role: "group", "aria-label": label }, () =>
    options().map(([key, text]) =>
      button({ "aria-pressed": () => String(value() === key), "data-value": key, onclick: () => onChange(key) }, text),
    ),
  );
}

/**
 * A table that scrolls sideways where it has no room.
 * @param {any} label
 * @param {any} heads  the cells of its first row
 * @param {any} body
 * @param {Record<string, any>} [props]
 */
export function scrollTable(label, heads, body, props = {}) {
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": label, ...props },
    h("table", null, h("thead", null, h("tr", null, heads)), body),
  );
}

/** Gives the reader a file. @param {string} name @param {Blob} blob */
export function download(name, blob) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * A place for something whose module is loaded when it is first wanted.
 * @template T
 * @param {Promise<T>} module
 * @param {(module: T) => Node} make
 */
export function lazyPlace(module, make) {
  const place = h("div", { class: "lazy" });
  let gone = false;
  let end = () => {};
  module.then((loaded) => {
    if (gone) return;
    const [node, dispose] = scope(() => make(loaded));
    place.replaceWith(node);
    // Whoever made the place knows it, not what came instead.
    end = () => {
      dispose();
      node.parentNode?.removeChild(node);
    };
  });
  onEnd(() => {
    gone = true;
    end();
  });
  return place;
}
