// Every language that is offered has its words: a reader whose browser asks for it must get a page.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const source = readFileSync(new URL("../i18n.js", import.meta.url), "utf8");
const offered = [...(/LANGUAGES = \{([^}]*)\}/.exec(source)?.[1] ?? "").matchAll(/"?([\w-]+)"?:/g)].map(
  (found) => found[1],
);

test("every language that is offered has its words", () => {
  assert.ok(offered.includes("en"));
  for (const code of offered) {
    assert.ok(existsSync(new URL(`../lang/${code}.js`, import.meta.url)), `${code} has no file`);
    assert.ok(existsSync(new URL(`../lang/more/${code}.js`, import.meta.url)), `${code} has no second file`);
  }
});
