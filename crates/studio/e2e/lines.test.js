// The numbered lines of Xie's static table in a real browser: figures 3 and 4 of the paper, and the keyboard.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cell, openPage, ready, waitCell, withServer } from "./helpers.js";

const server = withServer();

/** The settings of somebody who analyzes with a player. @param {import("playwright-core").Page} page @param {string} alg */
async function analyzeWith(page, alg) {
  await page.evaluate(
    (alg) =>
      localStorage.setItem(
        "tengen.settings",
        JSON.stringify({ v: 2, mode: "analyze", overlay: "static", alg, auto: false }),
      ),
    alg,
  );
  await page.reload();
  await ready(page);
  await page.locator("#tab-breakdown").click();
}

test("a point has its lines with numbers and scores, as the paper's figures have them", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/play?r=freestyle15&s=b:e6,f6,g6,g5,f4_w:d6_b`);
  await analyzeWith(page, "static-table");
  await waitCell(page, "g6", /black/);
  const lines = page.locator(".lines");
  await lines.waitFor();
  await cell(page, "h6").hover();
  await lines.locator("[data-sum='4012']").waitFor();
  const numbers = await lines.locator("[data-line] th").allTextContents();
  assert.deepEqual(numbers.slice(0, 3), ["148", "162", "179"]);
  assert.equal(numbers.length, 20);
  assert.match((await lines.locator("tfoot").textContent()) ?? "", /4,?012.*4,?012\D*12$/);
  // The pointer leaves the board for the table, which stays; a line under it is lit on the board.
  const row = lines.locator("[data-line]").filter({ hasText: "E6–I6" });
  assert.match((await row.textContent()) ?? "", /2,?0000$/);
  const board = page.locator(".board canvas").last();
  const look = () => board.evaluate((one) => /** @type {HTMLCanvasElement} */ (one).toDataURL());
  await row.locator("th").hover();
  const lit = await look();
  await page.locator("#tab-breakdown").hover();
  await page.waitForTimeout(200);
  assert.notEqual(await look(), lit);
  // Without a pointer the point is typed.
  await page.locator("input[name=lines-of]").fill("a1");
  await page.locator("input[name=lines-of]").press("Tab");
  await page.waitForFunction(() => document.querySelectorAll(".lines [data-line]").length === 3);
  await context.close();
  assert.deepEqual(errors, []);
});

test("other players have no such lines", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/play?r=freestyle15&m=h8i9`);
  await analyzeWith(page, "compositions");
  await page.locator(".breakdown table").first().waitFor();
  assert.equal(await page.locator(".lines").isVisible(), false);
  await context.close();
  assert.deepEqual(errors, []);
});
