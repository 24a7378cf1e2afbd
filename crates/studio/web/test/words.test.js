// Every language has every key, and every key that the page uses exists.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const web = new URL("../", import.meta.url);
const codes = readdirSync(new URL("lang/", web)).map((file) => file.replace(".js", ""));
/** @type {Record<string, Record<string, string>>} */
const all = {};
for (const code of codes) all[code] = (await import(`../lang/${code}.js`)).default;

/** @param {URL} folder @returns {URL[]} */
function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const url = new URL(entry.name + (entry.isDirectory() ? "/" : ""), folder);
    if (entry.isDirectory()) return ["test", "lang"].includes(entry.name) ? [] : sources(url);
    return entry.name.endsWith(".js") ? [url] : [];
  });
}

test("every language has the same keys and fills in the same values", () => {
  const keys = Object.keys(all.en).sort();
  for (const code of codes) {
    assert.deepEqual(Object.keys(all[code]).sort(), keys, code);
    for (const key of keys) {
      const slots = (/** @type {string} */ text) => (text.match(/\{\w+\}/g) ?? []).sort();
      assert.deepEqual(slots(all[code][key]), slots(all.en[key]), `${code}: ${key}`);
      assert.ok(all[code][key].trim() || !all.en[key].trim(), `${code}: ${key} is empty`);
    }
  }
});

test("every key that is written out in the page exists, and groups have members", () => {
  const text = sources(web).map((url) => readFileSync(url, "utf8")).join("\n");
  for (const [, key] of text.matchAll(/\bt\("([^"]+)"/g)) assert.ok(key in all.en, `there are no words for ${key}`);
  for (const [, group] of text.matchAll(/\bt\(`([a-z.-]+\.)\$\{/g)) assert.ok(Object.keys(all.en).some((key) => key.startsWith(group)), group);
});
