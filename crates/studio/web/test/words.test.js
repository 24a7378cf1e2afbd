// Every language has English's keys with the same values to fill in, and every key that the page uses exists.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { LATIN, NATIVE, openingName } from "../model/opening-names.js";
import { fill, slots } from "../model/words.js";

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

test("the page speaks seven languages", () => {
  assert.deepEqual(codes.sort(), ["en", "ja", "ko", "ru", "vi", "zh-CN", "zh-TW"]);
});

test("every language has the same keys and fills in the same values", () => {
  const keys = Object.keys(all.en).sort();
  for (const code of codes) {
    assert.deepEqual(keys.filter((key) => !(key in all[code])), [], `${code}: 'npm run i18n' lists what is missing`);
    for (const key of keys) {
      assert.deepEqual(slots(all[code][key]), slots(all.en[key]), `${code}: ${key}`);
      assert.ok(all[code][key].trim() || !all.en[key].trim(), `${code}: ${key} is empty`);
    }
  }
});

test("no key is written twice in a file, which would hide one of the texts", () => {
  for (const code of codes) {
    const text = readFileSync(new URL(`lang/${code}.js`, web), "utf8");
    const written = [...text.matchAll(/(?<=[{,]\s*)("[^"]+"|[\w]+):\s*"/g)].map(([, key]) => key.replaceAll('"', ""));
    const twice = written.filter((key, i) => key in all.en && written.indexOf(key) !== i);
    assert.deepEqual(twice, [], code);
  }
});

test("a form is chosen by the number, and every language has the forms that it needs", () => {
  assert.equal(fill("{n} {n|one game|other games}", { n: 1 }, "en"), "1 game");
  assert.equal(fill("{n} {n|one game|other games}", { n: 12 }, "en"), "12 games");
  assert.deepEqual([1, 3, 5, 11, 21, 22].map((n) => fill(all.ru["library.count"], { n }, "ru")), ["1 партия", "3 партии", "5 партий", "11 партий", "21 партия", "22 партии"]);
  assert.equal(fill("{a} of {b}", { a: 1 }, "en"), "1 of {b}", "a value that is missing shows");
  for (const code of codes) {
    const needed = new Intl.PluralRules(code).resolvedOptions().pluralCategories.filter((one) => one !== "many");
    for (const [key, text] of Object.entries(all[code])) {
      for (const [, forms] of text.matchAll(/\{\w+\|([^}]*)\}/g)) assert.deepEqual(forms.split("|").map((form) => form.split(" ")[0]).sort(), [...needed].sort(), `${code}: ${key}`);
    }
  }
});

test("every key that is written out in the page exists, and groups have members", () => {
  const text = sources(web).map((url) => readFileSync(url, "utf8")).join("\n");
  for (const [, key] of text.matchAll(/\bt\("([^"]+)"/g)) assert.ok(key in all.en, `there are no words for ${key}`);
  for (const [, group] of text.matchAll(/\bt\(`([a-z.-]+\.)\$\{/g)) assert.ok(Object.keys(all.en).some((key) => key.startsWith(group)), group);
});

test("every named opening has its name, and no two share one", () => {
  for (const [code, names] of Object.entries(NATIVE)) {
    assert.equal(names.length, LATIN.length, code);
    assert.equal(new Set(names).size, 26, code);
  }
  assert.equal(openingName("zh-CN", "Ungetsu"), "云月");
  assert.equal(openingName("vi", "Ungetsu"), "Ungetsu");
  const server = readFileSync(new URL("../../../gomoku/src/opening/named.rs", import.meta.url), "utf8");
  const rows = [...server.matchAll(/"[DI]\d+" "(\w+)" "(\S+)" -?\d/g)];
  assert.deepEqual(rows.map(([, latin]) => latin), LATIN);
  assert.deepEqual(rows.map(([, , kanji]) => kanji), NATIVE.ja);
});
