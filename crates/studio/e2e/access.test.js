// Every page in every theme without a violation that axe can find.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { act, openPage, withServer } from "./helpers.js";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const server = withServer();

for (const [theme, safe] of /** @type {[string, boolean][]} */ ([
  ["light", false],
  ["dark", false],
  ["contrast", false],
  ["light", true],
  ["dark", true],
])) {
  test(`no violation in the ${theme} theme${safe ? " with colors for the color-blind" : ""}`, async () => {
    const { page, context, errors } = await openPage(`${server.url}#/play?r=renju15&m=h8i9h9h7i8`);
    await page.evaluate(
      (chosen) => localStorage.setItem("tengen.settings", JSON.stringify({ v: 2, ...chosen, mode: "analyze" })),
      { theme, safe },
    );
    await page.reload();
    await page.locator("html[data-ready=yes]").waitFor();
    const names = await page
      .locator("body > header nav a")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    for (const name of names) {
      await page.locator(`body > header nav a[href="${name}"]`).click();
      await page.locator(`body > header nav a[href="${name}"][aria-current=page]`).waitFor();
      await page.locator("main h1, main .board").first().waitFor();
      const found = await check(page);
      assert.deepEqual(found, [], `${name} in ${theme}`);
    }
    await page.locator('body > header nav a[href="#/play"]').click();
    await page.locator("main .board").waitFor();
    await act(page, "new");
    await page.locator("dialog").waitFor();
    assert.deepEqual(await check(page), [], `dialog in ${theme}`);
    await context.close();
    assert.deepEqual(errors, []);
  });
}

/** @param {import("playwright-core").Page} page @returns {Promise<string[]>} */
async function check(page) {
  const { readFileSync } = await import("node:fs");
  const source = readFileSync(axe, "utf8");
  const client = await page.context().newCDPSession(page);
  // The page's policy allows no foreign script, so axe runs through the debugger.
  await client.send("Runtime.evaluate", { expression: source });
  const { result } = await client.send("Runtime.evaluate", {
    expression:
      'axe.run().then(r => JSON.stringify(r.violations.map(v => v.id + ": " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + " " + (n.any[0]?.message ?? "")).join(" | "))))',
    awaitPromise: true,
    returnByValue: true,
  });
  await client.detach();
  return JSON.parse(result.value);
}
