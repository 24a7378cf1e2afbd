// How much is loaded before the board is there, and before the first move.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

const folder = process.env.TENGEN_SITE;
const packed = (/** @type {string} */ name) => gzipSync(readFileSync(`${folder}/${name}`), { level: 9 }).length;

/** Scripts that a script imports or starts, and theirs; imports in functions come later. @param {string} name @param {Set<string>} found */
function imported(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  const text = readFileSync(`${folder}/${name}`, "utf8");
  for (const [, path] of text.matchAll(/(?:^|;)import [^;"]*"(\.[^"]+)"/gm)) {
    imported(posix.join(posix.dirname(name), path), found);
  }
  return found;
}

test("the first load is small, and so is the engine", () => {
  const page = [...imported("main.js")];
  assert.ok(page.includes("play/page.js") && page.includes("wire.js"));
  for (const language of ["en", "zh-CN", "zh-TW", "ja", "ko", "ru", "vi"]) {
    const files = ["index.html", "style.css", "icon.svg", `lang/${language}.js`, ...page];
    assert.ok(files.every((name) => existsSync(`${folder}/${name}`)));
    const first = files.reduce((sum, name) => sum + packed(name), 0);
    assert.ok(first > 20_000 && first <= 60_000, `first load in ${language}: ${first} bytes`);
  }
  const workers = [...imported("site/hub.js"), "site/hand.js"];
  assert.ok(workers.includes("site/storage.js"));
  const engine = [...workers, "site/tengen.wasm"].reduce((sum, name) => sum + packed(name), 0);
  // The goal is 700,000: the tables of the lower levels and the proved openings are still part of the module.
  assert.ok(engine > 100_000 && engine <= 760_000, `engine: ${engine} bytes`);
});
