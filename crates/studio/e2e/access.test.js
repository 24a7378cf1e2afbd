// Every page in every theme without a violation that axe can find.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { act, cell, openPage, ready, withServer } from "./helpers.js";

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
      (chosen) =>
        localStorage.setItem("tengen.settings", JSON.stringify({ v: 2, ...chosen, mode: "analyze", second: "greedy" })),
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
      if (name === "#/puzzles") await page.locator("[data-action=puzzle-hint]:enabled").click();
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

for (const theme of ["light", "dark"]) {
  test(`no violation in what comes and goes, in the ${theme} theme`, async () => {
    const { page, context, errors } = await openPage(`${server.url}#/rules`);
    const open = async (/** @type {any} */ settings, /** @type {string} */ moves) => {
      await page.evaluate(
        (chosen) =>
          localStorage.setItem("tengen.settings", JSON.stringify({ v: 2, alg: "engine", auto: false, ...chosen })),
        { theme, ...settings },
      );
      await page.goto(`${server.url}#/play?r=freestyle15&m=${moves}`);
      await page.reload();
      await ready(page);
    };
    const clean = async (/** @type {string} */ what) => assert.deepEqual(await check(page), [], `${what} in ${theme}`);

    await open({ mode: "analyze", sweep: 50, forms: { every: true, picture: true } }, "h8e5d5f5h6g5h4h5o15");
    await act(page, "analyze-game");
    await page.locator("[data-accuracy=black]").waitFor({ timeout: 120_000 });
    await page.locator(".faults .plies").first().waitFor();
    await clean("review");
    await page.locator("[data-action^=learn-]:visible").first().click();
    await page.locator("[data-lesson]").waitFor();
    await clean("lesson");
    await act(page, "lesson-end");
    await page.locator("#tab-moves").click();
    await page.locator(".tree-picture").waitFor();
    await clean("picture of the tree");

    await open({ mode: "play", teacher: true }, "h8e5d5f5h6g5h4h5");
    await page.locator("[data-seat=white]").selectOption("greedy");
    await cell(page, "o15").click();
    await page.locator("[data-teacher]").waitFor({ timeout: 60_000 });
    await clean("teacher");
    await act(page, "teacher-back");

    await open({ mode: "play" }, "h8h9");
    await act(page, "resign");
    await page.locator(".end-card").waitFor();
    await clean("end card");

    await page.goto(`${server.url}#/library`);
    await page.locator(".library [data-value=bin]").click();
    await page.locator(".library .hint").getByText("30 days").waitFor();
    await clean("bin");

    await page.goto(`${server.url}#/lab`);
    await page.locator(".segments [data-value=round-robin]").click();
    while ((await page.locator("[data-seat-form]").count()) < 3) await act(page, "add-player");
    for (const [i, player] of ["greedy", "random", "static-table"].entries())
      await page.locator(`[data-seat-form="${i}"] select[name=player]`).selectOption(player);
    await page.locator("input[name=games]").fill("2");
    await page.locator("input[name=games]").press("Tab");
    await act(page, "run");
    await page.locator("[data-state=done] .cross").waitFor({ timeout: 60_000 });
    await clean("cross table");
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
