// Puzzles in a real browser: right and wrong look different, hints, the row, the puzzle of the day, what is kept.
import assert from "node:assert/strict";
import { test } from "node:test";
import { act, cell, openPage, ready, withServer } from "./helpers.js";

const server = withServer();

/** @typedef {{ id: string, theme: string, goal: string, level: number, keys: string[], setup: string, rule: string, size: number }} Puzzle */
/** @returns {Promise<Puzzle[]>} */
const all = async () => (await fetch(`${server.url}api/puzzles`)).json();
/** A point in a corner without a stone that is no solution. @param {Puzzle} one */
const corner = (one) =>
  ["a1", "o15", "a15", "o1"].find((p) => !one.keys.includes(p) && !one.setup.match(new RegExp(`\\b${p}\\b`))) ?? "a1";
/** @param {import("playwright-core").Page} page */
const kept = (page) => page.evaluate(() => JSON.parse(localStorage.getItem("tengen.settings") ?? "{}").forms.puzzles);
/** @param {import("playwright-core").Page} page @param {string} state */
const state = (page, state) => page.locator(`[data-puzzle=${state}]`).waitFor({ timeout: 30_000 });
/** @param {import("playwright-core").Page} page @param {Puzzle} one */
async function open(page, one) {
  await page.goto(`${server.url}#/puzzles?p=${one.id}`);
  await page.reload();
  await ready(page);
  await page.locator(`[data-id="${one.id}"][data-puzzle=open]`).waitFor();
}

test("there are many puzzles of every theme, and the first can be solved with one stone", async () => {
  const puzzles = await all();
  assert.ok(puzzles.length >= 500, String(puzzles.length));
  const { page, context, errors } = await openPage(`${server.url}#/puzzles`);
  assert.equal(await page.locator("[data-theme-of]").count(), 7);
  const id = await page.locator("[data-id]").getAttribute("data-id");
  const first = /** @type {Puzzle} */ (puzzles.find((one) => one.id === id));
  assert.equal(first.theme, "first");
  await cell(page, first.keys[0]).focus();
  await page.keyboard.press("Enter");
  await state(page, "solved");
  assert.deepEqual((await kept(page)).solved, { [first.id]: 2 });
  assert.equal((await kept(page)).row, 1);
  await act(page, "puzzle-next");
  await state(page, "open");
  assert.notEqual(await page.locator("[data-id]").getAttribute("data-id"), id);
  await page.reload();
  await ready(page);
  await page.locator(".puzzle-list .solved").first().waitFor();
  await context.close();
  assert.deepEqual(errors, []);
});

test("a wrong move is shown as wrong and ends the row; a win is played to its end", async () => {
  const one = /** @type {Puzzle} */ ((await all()).find((puzzle) => puzzle.theme === "four-three"));
  const { page, context, errors } = await openPage(`${server.url}#/puzzles`);
  await page.evaluate(() =>
    localStorage.setItem("tengen.settings", JSON.stringify({ v: 2, forms: { puzzles: { row: 3, best: 3 } } })),
  );
  await open(page, one);
  const picture = () =>
    page
      .locator(".puzzles canvas")
      .nth(2)
      .evaluate((board) => /** @type {HTMLCanvasElement} */ (board).toDataURL());
  const calm = await picture();
  await cell(page, corner(one)).click();
  await state(page, "wrong");
  await page.mouse.move(5, 5);
  assert.notEqual(await picture(), calm, "the wrong move is marked");
  const wrong = await page.locator(".puzzle .said").evaluate((said) => getComputedStyle(said).color);
  assert.deepEqual([(await kept(page)).row, (await kept(page)).best], [0, 3]);
  // Two hints: words, then the point.
  await act(page, "puzzle-hint");
  await page.getByText("One stone can make a four").waitFor();
  await act(page, "puzzle-hint");
  await page.getByText(`Play ${one.keys[0].toUpperCase()}.`).waitFor();
  await cell(page, one.keys[0]).click();
  await page.locator("[data-puzzle=right], [data-puzzle=solved]").waitFor({ timeout: 30_000 });
  const right = await page.locator(".puzzle .said").evaluate((said) => getComputedStyle(said).color);
  assert.notEqual(right, wrong);
  // From here the page shows how it goes on.
  for (let i = 0; i < 12 && !(await page.locator("[data-puzzle=shown]").count()); i++) {
    await act(page, "puzzle-solution");
    await page.locator("[data-puzzle=right], [data-puzzle=shown]").waitFor({ timeout: 30_000 });
  }
  await state(page, "shown");
  assert.deepEqual((await kept(page)).solved, {}, "what was shown is not solved");
  await context.close();
  assert.deepEqual(errors, []);
});

test("in a defense every move that loses is refuted on the board, and one that holds solves it", async () => {
  const one = /** @type {Puzzle} */ ((await all()).find((puzzle) => puzzle.theme === "defense"));
  const { page, context, errors } = await openPage(`${server.url}#/puzzles`);
  await open(page, one);
  await page.getByText("find the move that does not lose").waitFor();
  await cell(page, corner(one)).click();
  await state(page, "wrong");
  await page.getByText("as the board shows").waitFor();
  await cell(page, one.keys[0]).click();
  await state(page, "solved");
  assert.deepEqual((await kept(page)).solved, { [one.id]: 1 }, "not at once");
  await context.close();
  assert.deepEqual(errors, []);
});

test("every day has its puzzle, the same wherever it is opened", async () => {
  const ids = [];
  for (const locale of ["en-US", "ja"]) {
    const { page, context } = await openPage(`${server.url}#/puzzles`, { locale });
    await page.locator("[data-theme-of=daily]").click();
    await page.locator("[data-theme-of=daily][aria-pressed=true]").waitFor();
    ids.push(await page.locator("[data-id]").getAttribute("data-id"));
    await context.close();
  }
  assert.ok(ids[0] && ids[0] === ids[1], ids.join());
});
