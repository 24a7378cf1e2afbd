// From whose view scores are shown: Black's, White's, or that of the side to move, chosen in the settings.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage, withServer } from "./helpers.js";

const server = withServer();

test("the view that is chosen turns evaluation and chance around, and stands beside them", async () => {
  // White has let Black have the better of it: whoever counts, Black is ahead.
  const { page, context, errors } = await openPage(`${server.url}#/rules`);
  const chosen = JSON.stringify({ v: 2, mode: "analyze", analysis: 500 });
  await page.evaluate((chosen) => localStorage.setItem("tengen.settings", chosen), chosen);
  await page.goto(`${server.url}#/play?r=freestyle15&m=h8i9g9`);
  await page.reload();
  const number = async (/** @type {string} */ id) => {
    const value = page.locator(`[data-number=${id}] dd`);
    await value.filter({ hasText: /\d/ }).waitFor();
    return Number.parseFloat(String(await value.textContent()).replace("−", "-"));
  };
  const look = async (/** @type {string} */ view, /** @type {RegExp} */ words) => {
    await page.evaluate(() => (location.hash = "#/settings"));
    await page.locator("select[name=view]").selectOption(view);
    await page.evaluate(() => (location.hash = "#/play"));
    await page.locator(".evaluation").filter({ hasText: words }).waitFor();
    await page.locator("[data-number=depth] dd").filter({ hasText: /\d/ }).waitFor({ timeout: 30_000 });
    return [await number("eval"), await number("win")];
  };
  const black = await look("black", /Black's view/);
  const white = await look("white", /White's view/);
  const mover = await look("mover", /view of the side to move/);
  assert.ok(black[0] > 0 && black[1] > 50, `for Black: ${black}`);
  assert.ok(white[0] < 0 && white[1] < 50, `for White: ${white}`);
  assert.ok(mover[0] < 0 && mover[1] < 50, `White is to move: ${mover}`);
  await context.close();
  assert.deepEqual(errors, []);
});

test("the values of the position book follow the view", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/settings`);
  const look = async (/** @type {string} */ view) => {
    await page.evaluate(() => (location.hash = "#/settings"));
    await page.locator("select[name=view]").selectOption(view);
    await page.evaluate(() => (location.hash = "#/openings?r=freestyle15&m=h8"));
    const value = page.locator("[data-book-here] span").filter({ hasText: /\d/ });
    await value.waitFor();
    return Number.parseFloat(String(await value.textContent()).replace("−", "-"));
  };
  const black = await look("black");
  assert.notEqual(black, 0);
  assert.equal(await look("white"), -black);
  assert.equal(await look("mover"), -black, "White is to move");
  await context.close();
  assert.deepEqual(errors, []);
});
