// Signals and an element helper: all the framework this page has.
//
// A signal holds a value; whoever reads `.value` inside an effect or a computed is run again when it
// changes. `h` makes an element; a function given as a property or child is an effect of its own, so
// a change touches exactly the text or attribute that shows it.

/** @typedef {{ stale(): void, deps: Set<Source> }} Reader */
/** @typedef {{ readers: Set<Reader> }} Source */
/** @template T @typedef {{ value: T, peek(): T }} Signal */
/** @template T @typedef {{ readonly value: T, peek(): T }} ReadSignal */

/** @type {Reader | null} */
let reader = null;
/** @type {(() => void)[] | null} */
let owned = null;
let batches = 0;
/** @type {Set<Effect>} */
const waiting = new Set();

/** @param {Source} source */
function track(source) {
  if (reader) {
    source.readers.add(reader);
    reader.deps.add(source);
  }
}

/** @param {Source} source */
function changed(source) {
  for (const one of [...source.readers]) one.stale();
  if (batches === 0) flush();
}

function flush() {
  for (let round = 0; waiting.size > 0; round++) {
    if (round > 100) throw new Error("effects keep waking each other");
    const now = [...waiting];
    waiting.clear();
    for (const effect of now) effect.run();
  }
}

/** @param {Reader} one */
function forget(one) {
  for (const source of one.deps) source.readers.delete(one);
  one.deps.clear();
}

/**
 * A value that can be watched.
 * @template T
 * @param {T} value
 * @returns {Signal<T>}
 */
export function signal(value) {
  const source = { readers: new Set() };
  return {
    get value() {
      track(source);
      return value;
    },
    set value(next) {
      if (Object.is(value, next)) return;
      value = next;
      changed(source);
    },
    peek: () => value,
  };
}

/**
 * A value worked out from others, when it is asked for.
 * @template T
 * @param {() => T} work
 * @returns {ReadSignal<T>}
 */
export function computed(work) {
  /** @type {any} */
  let value;
  let dirty = true;
  /** @type {Reader & Source} */
  const self = {
    readers: new Set(),
    deps: new Set(),
    stale() {
      if (dirty) return;
      dirty = true;
      for (const one of [...self.readers]) one.stale();
    },
  };
  const read = () => {
    if (dirty) {
      forget(self);
      const outer = reader;
      reader = self;
      try {
        value = work();
        dirty = false;
      } finally {
        reader = outer;
      }
    }
    return value;
  };
  return {
    get value() {
      track(self);
      return read();
    },
    peek: read,
  };
}

/**
 * A value worked out from others that wakes its readers only when it differs.
 * @template T
 * @param {() => T} work
 * @returns {ReadSignal<T>}
 */
export function distinct(work) {
  const held = signal(/** @type {any} */ (undefined));
  effect(() => {
    held.value = work();
  });
  return held;
}

class Effect {
  /** @param {() => void | (() => void)} work */
  constructor(work) {
    this.work = work;
    /** @type {Set<Source>} */
    this.deps = new Set();
    /** @type {(() => void)[]} */
    this.inner = [];
    this.alive = true;
  }
  stale() {
    waiting.add(this);
  }
  run() {
    if (!this.alive) return;
    this.clear();
    const [outerReader, outerOwned] = [reader, owned];
    reader = this;
    owned = this.inner;
    try {
      const undo = this.work();
      if (typeof undo === "function") this.inner.push(undo);
    } finally {
      reader = outerReader;
      owned = outerOwned;
    }
  }
  clear() {
    forget(this);
    for (const undo of this.inner.splice(0).reverse()) undo();
  }
  dispose() {
    this.alive = false;
    waiting.delete(this);
    this.clear();
  }
}

/**
 * Runs now and whenever something it read changes; returns a function that ends it.
 * @param {() => void | (() => void)} work
 */
export function effect(work) {
  const one = new Effect(work);
  const end = () => one.dispose();
  owned?.push(end);
  one.run();
  return end;
}

/**
 * Collects the effects made inside, so that they can be ended together.
 * @template T
 * @param {() => T} work
 * @returns {[T, () => void]}
 */
export function scope(work) {
  const [outerReader, outerOwned] = [reader, owned];
  /** @type {(() => void)[]} */
  const mine = [];
  reader = null;
  owned = mine;
  try {
    return [
      work(),
      () =>
        mine
          .splice(0)
          .reverse()
          .forEach((undo) => undo()),
    ];
  } finally {
    reader = outerReader;
    owned = outerOwned;
  }
}

/** Has something done when the surrounding effect or scope ends. @param {() => void} undo */
export function onEnd(undo) {
  owned?.push(undo);
}

/**
 * Changes several signals and wakes their readers once.
 * @template T
 * @param {() => T} work
 */
export function batch(work) {
  batches++;
  try {
    return work();
  } finally {
    if (--batches === 0) flush();
  }
}

/**
 * Reads signals without watching them.
 * @template T
 * @param {() => T} work
 */
export function untracked(work) {
  const outer = reader;
  reader = null;
  try {
    return work();
  } finally {
    reader = outer;
  }
}

/** Does something once the browser has painted what has just changed. @param {() => void} work */
export function afterPaint(work) {
  requestAnimationFrame(() => setTimeout(work));
}

/** @typedef {any} Child */
/** @typedef {Record<string, any> | null} Props */

/**
 * Makes an element.
 * @param {string} tag
 * @param {Props} [props]
 * @param {...Child} children
 * @returns {any}
 */
export function h(tag, props, ...children) {
  return build(document.createElement(tag), props, children);
}

/**
 * Makes an SVG element.
 * @param {string} tag
 * @param {Props} [props]
 * @param {...Child} children
 * @returns {any}
 */
export function s(tag, props, ...children) {
  return build(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}

/**
 * @param {any} element
 * @param {Props | undefined} props
 * @param {Child[]} children
 */
function build(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (name === "ref") value(element);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (typeof value === "function") effect(() => set(element, name, value()));
    else set(element, name, value);
  }
  append(element, children);
  return element;
}

/**
 * @param {any} element
 * @param {string} name
 * @param {any} value
 */
function set(element, name, value) {
  if (name === "style") {
    for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
  } else if (name === "value" && element.tagName === "OPTION") {
    // An option without the attribute has its words for a value, even when the value is empty.
    element.setAttribute(name, value);
  } else if (["value", "checked", "disabled", "hidden", "selected", "open", "indeterminate"].includes(name)) {
    if (element[name] !== value) element[name] = value;
  } else if (value === null || value === undefined || value === false) {
    element.removeAttribute(name);
  } else {
    const text = value === true ? "" : String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/**
 * @param {Node} parent
 * @param {Child} child
 */
export function append(parent, child) {
  if (Array.isArray(child)) child.forEach((one) => append(parent, one));
  else if (child === null || child === undefined || child === false) return;
  else if (typeof child === "function") region(parent, child);
  else parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
}

/**
 * A part of the parent that is made anew when what it reads changes; a lone text is changed in place.
 * @param {Node} parent
 * @param {() => Child} make
 */
function region(parent, make) {
  const end = parent.appendChild(document.createComment(""));
  /** @type {ChildNode[]} */
  let shown = [];
  effect(() => {
    const made = make();
    const only = shown[0];
    if ((typeof made === "string" || typeof made === "number") && shown.length === 1 && only instanceof Text) {
      if (only.data !== String(made)) only.data = String(made);
      return;
    }
    const part = document.createDocumentFragment();
    append(part, made);
    shown.forEach((node) => node.remove());
    shown = /** @type {ChildNode[]} */ ([...part.childNodes]);
    end.parentNode?.insertBefore(part, end);
  });
  onEnd(() => shown.forEach((node) => node.remove()));
}

/**
 * A list whose elements are kept while their key stays; `render` gets a signal of the item.
 * @template T
 * @param {() => readonly T[]} items
 * @param {(item: T, index: number) => string | number} key
 * @param {(item: Signal<T>) => Node} render
 * @param {Element} parent
 */
export function each(parent, items, key, render) {
  /** @type {Map<string | number, { item: Signal<T>, node: Node, end: () => void }>} */
  let rows = new Map();
  effect(() => {
    const now = items();
    const next = new Map();
    let at = parent.firstChild;
    now.forEach((item, index) => {
      const name = key(item, index);
      let row = rows.get(name);
      if (row) {
        rows.delete(name);
        row.item.value = item;
      } else {
        const held = signal(item);
        const [node, end] = scope(() => render(held));
        row = { item: held, node, end };
      }
      next.set(name, row);
      if (row.node === at) at = at.nextSibling;
      else parent.insertBefore(row.node, at);
    });
    for (const row of rows.values()) {
      row.end();
      row.node.parentNode?.removeChild(row.node);
    }
    rows = next;
  });
  onEnd(() => rows.forEach((row) => row.end()));
  return parent;
}
