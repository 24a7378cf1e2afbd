// Playing against the proof in a real browser: the map, a game to its end, taking back, the keyboard.
import assert from "node:assert/strict";
import { test } from "node:test";
import { act, cell, openPage, withServer } from "./helpers.js";

const server = withServer();

const leftOf = (/** @type {any} */ page) =>
  page.locator(".against [data-left]").evaluate((/** @type {any} */ one) => one.dataset.left);

test("the map shows every second move, and the open ones cannot be played", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/solve?against=1`);
  await page.locator("[data-second]").first().waitFor();
  assert.equal(await page.locator("[data-second]").count(), 35);
  const first = await page.locator("[data-second]").first().textContent();
  assert.match(first ?? "", /open/);
  await page.locator("[data-second=m14]").getByText("61").waitFor();
  // A screen reader hears the length of the win at each point.
  await page.getByRole("gridcell", { name: /^O15, empty, 47 plies|^O15.*47 plies/ }).waitFor();
  await page.getByRole("gridcell", { name: /^I9.*open/ }).waitFor();
  await cell(page, "i9").click();
  await page.getByText(/Nothing is proved after I9/).waitFor();
  assert.equal(await leftOf(page), "");
  await context.close();
  assert.deepEqual(errors, []);
});

test("a game is won within the plies that the board says", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/solve?against=1`);
  await page.locator("[data-second=o15] button").click();
  await page.getByText(/Black wins within 46 plies/).waitFor();
  // Replies that block nothing: the game ends soon.
  let left = 46;
  for (const p of ["a1", "a2", "b4", "a5", "c6", "a7", "b9", "a10", "c12", "a13", "o1", "n2", "o4", "n5", "o7"]) {
    if (left === 0) break;
    const at = page.locator(`.against [data-point=${p}]`);
    if (!/empty/.test((await at.getAttribute("aria-label")) ?? "")) continue;
    await at.click();
    await page.waitForFunction(
      (n) => {
        const now = document.querySelector(".against [data-left]")?.getAttribute("data-left");
        return now !== "" && Number(now) < n;
      },
      left,
      { timeout: 30_000 },
    );
    left = Number(await leftOf(page));
  }
  assert.equal(left, 0);
  await page.getByText(/Black has won\. Go back/).waitFor();
  await act(page, "against-back");
  await page.waitForFunction(
    () => Number(document.querySelector(".against [data-left]")?.getAttribute("data-left")) > 0,
  );
  // What is left can be proved and walked through.
  await act(page, "against-proof");
  await page.locator("input[name=position]").waitFor();
  assert.match(await page.locator("input[name=position]").inputValue(), /^h8o15g9/);
  await context.close();
  assert.deepEqual(errors, []);
});

test("the keyboard plays too", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/solve?against=1`);
  await page.locator("[data-second]").first().waitFor();
  await cell(page, "h8").focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.getByText(/Black wins within 44 plies/).waitFor();
  await context.close();
  assert.deepEqual(errors, []);
});
