// Every language has English's keys with the same values to fill in, and every key that the page uses exists.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fill, slots } from "../model/words.js";

const web = new URL("../", import.meta.url);
const codes = readdirSync(new URL("lang/", web))
  .filter((file) => file.endsWith(".js"))
  .map((file) => file.replace(".js", ""));
/** The words of the first page and the others, by language. @type {Record<string, Record<string, string>>[]} */
const parts = [{}, {}];
/** @type {Record<string, Record<string, string>>} */
const all = {};
for (const code of codes) {
  parts[0][code] = (await import(`../lang/${code}.js`)).default;
  parts[1][code] = (await import(`../lang/more/${code}.js`)).default;
  all[code] = { ...parts[0][code], ...parts[1][code] };
}
/** What the server says in English itself: its players, their parameters, and what went wrong. */
const ofServer = (/** @type {string} */ key) => /^(player|param|problem)\./.test(key);

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

test("every language has exactly the same keys and fills in the same values", () => {
  for (const part of parts) {
    for (const code of codes) {
      const pattern =
        code === "en"
          ? part.en
          : {
              ...part.en,
              ...Object.fromEntries(
                Object.keys(part.ru)
                  .filter(ofServer)
                  .map((key) => [key, ""]),
              ),
            };
      assert.deepEqual(
        Object.keys(part[code]).sort(),
        Object.keys(pattern).sort(),
        `${code}: 'npm run i18n' lists what is missing`,
      );
      for (const key of Object.keys(part.en)) {
        assert.deepEqual(slots(part[code][key]), slots(part.en[key]), `${code}: ${key}`);
        assert.ok(part[code][key].trim() || !part.en[key].trim(), `${code}: ${key} is empty`);
      }
    }
  }
  for (const code of codes)
    assert.deepEqual(
      Object.keys(parts[0][code]).filter((key) => key in parts[1][code]),
      [],
      `${code}: in both files`,
    );
});

test("no key is written twice in a file, which would hide one of the texts", () => {
  for (const file of codes.flatMap((code) => [`lang/${code}.js`, `lang/more/${code}.js`])) {
    const text = readFileSync(new URL(file, web), "utf8");
    const written = [...text.matchAll(/(?<=[{,]\s*)("[^"]+"|[\w]+):\s*"/g)].map(([, key]) => key.replaceAll('"', ""));
    const twice = written.filter((key, i) => key in all.ru && written.indexOf(key) !== i);
    assert.deepEqual(twice, [], file);
  }
});

test("a form is chosen by the number, and every language has the forms that it needs", () => {
  assert.equal(fill("{n} {n|one game|other games}", { n: 1 }, "en"), "1 game");
  assert.equal(fill("{n} {n|one game|other games}", { n: 12 }, "en"), "12 games");
  assert.deepEqual(
    [1, 3, 5, 11, 21, 22].map((n) => fill(all.ru["library.count"], { n }, "ru")),
    ["1 партия", "3 партии", "5 партий", "11 партий", "21 партия", "22 партии"],
  );
  assert.equal(fill("{a} of {b}", { a: 1 }, "en"), "1 of {b}", "a value that is missing shows");
  for (const code of codes) {
    const needed = new Intl.PluralRules(code).resolvedOptions().pluralCategories.filter((one) => one !== "many");
    for (const [key, text] of Object.entries(all[code])) {
      for (const [, forms] of text.matchAll(/\{\w+\|([^}]*)\}/g))
        assert.deepEqual(
          forms
            .split("|")
            .map((form) => form.split(" ")[0])
            .sort(),
          [...needed].sort(),
          `${code}: ${key}`,
        );
    }
  }
});

const page = sources(web)
  .map((url) => readFileSync(url, "utf8"))
  .join("\n");

test("every key that is written out in the page exists, and groups have members", () => {
  for (const [, key] of page.matchAll(/\bt\("([^"]+)"/g)) assert.ok(key in all.en, `there are no words for ${key}`);
  for (const [, group] of page.matchAll(/\bt\(`([a-z.-]+\.)\$\{/g))
    assert.ok(
      Object.keys(all.ru).some((key) => key.startsWith(group)),
      group,
    );
});

test("every key is used", () => {
  const literals = new Set([...page.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(([, text]) => text));
  const made = [...page.matchAll(/`([a-z][a-z.-]*\.(?:\$\{[^`}]*\}[a-z.-]*)+)`/g)].map(
    ([, text]) =>
      new RegExp(
        `^${text
          .replace(/\$\{[^}]*\}/g, "*")
          .replaceAll(".", "\\.")
          .replaceAll("*", "[^.]+")}$`,
      ),
  );
  const named = [...page.matchAll(/\bname\("(\w+)"/g)].map(([, group]) => new RegExp(`^${group}\\.[^.]+$`));
  // Built from several parts, where no pattern sees them.
  const known = [/^opening\.(way|how)\.[a-z]+(-\d|-named)?$/];
  const isUsed = (/** @type {string} */ key) =>
    literals.has(key) || [...made, ...named, ...known].some((one) => one.test(key));
  assert.deepEqual(
    Object.keys(all.ru).filter((key) => !isUsed(key)),
    [],
  );
});
