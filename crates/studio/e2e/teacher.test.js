// The teacher in a real browser: a blunder is not answered before the person has chosen; and the level that is advised.
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { act, cell, openPage, ready, waitCell, withServer } from "./helpers.js";

const server = withServer();
/** @type {Awaited<ReturnType<typeof openPage>>} */
let tab;
beforeEach(async () => {
  tab = await openPage(`${server.url}#/rules`);
});
afterEach(async () => {
  const { errors } = tab;
  await tab.context.close();
  assert.deepEqual(errors, []);
});

/** @param {any} settings @param {string} moves */
async function play(settings, moves) {
  const { page } = tab;
  await page.evaluate(
    (more) => localStorage.setItem("tengen.settings", JSON.stringify({ v: 2, mode: "play", alg: "engine", ...more })),
    settings,
  );
  await page.goto(`${server.url}#/play?r=freestyle15&m=${moves}`);
  await page.reload();
  await ready(page);
  await page.locator("[data-seat=white]").selectOption("greedy");
  return page;
}

/** @param {import("playwright-core").Page} page */
const nodes = (page) => page.evaluate(() => JSON.parse(localStorage.getItem("tengen.game") ?? "{}").nodes.length);

test("a blunder stops the game: it is explained, taken back, or played on", async () => {
  // White has a four, and nothing is decided once it is stopped at I5.
  const page = await play({ teacher: true }, "h8e5d5f5h6g5h4h5");
  await cell(page, "o15").click();
  const card = page.locator("[data-teacher]");
  await card.waitFor({ timeout: 60_000 });
  assert.match((await card.textContent()) ?? "", /After O15 the other side wins in 1 ply/);
  assert.equal(await nodes(page), 10, "nobody has answered");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-action")), "teacher-back");
  await act(page, "teacher-why");
  await act(page, "teacher-back");
  await card.waitFor({ state: "detached" });
  await waitCell(page, "o15", /empty/);
  await cell(page, "o15").click();
  await card.waitFor({ timeout: 60_000 });
  await act(page, "teacher-on");
  await card.waitFor({ state: "detached" });
  await page.getByRole("gridcell", { name: /white, move 10/ }).waitFor({ timeout: 30_000 });
});

test("a good move is answered, and without a teacher so is a bad one", async () => {
  let page = await play({ teacher: true }, "h8e5i7f5g10g5");
  await cell(page, "h5").click();
  await page.getByRole("gridcell", { name: /white, move 8/ }).waitFor({ timeout: 60_000 });
  assert.equal(await page.locator("[data-teacher]").count(), 0);
  page = await play({ teacher: false }, "h8e5i7f5g10g5");
  await cell(page, "o15").click();
  await page.getByRole("gridcell", { name: /white, move 8/ }).waitFor({ timeout: 30_000 });
  await act(page, "teacher");
  assert.equal(await page.locator("[data-action=teacher]").getAttribute("aria-pressed"), "true");
});

test("results are kept once for each game, and a new game advises a level", async () => {
  const page = await play({}, "");
  await act(page, "new");
  await page.locator("dialog select[name=white]").selectOption("engine");
  await page.locator("dialog select[name=white-level]").selectOption("3");
  await page.locator("dialog [data-action=start]").click();
  await cell(page, "h8").click();
  await page.getByRole("gridcell", { name: /white, move 2/ }).waitFor({ timeout: 30_000 });
  await act(page, "resign");
  await page.locator(".end-card").waitFor();
  assert.match((await page.locator(".end-card .accent").textContent()) ?? "", /Level 2/);
  await act(page, "end-close");
  await act(page, "new");
  await page.locator("dialog").getByText("From your results: level 2").waitFor();
  const results = await page.evaluate(() => JSON.parse(localStorage.getItem("tengen.settings") ?? "{}").forms.results);
  assert.deepEqual(
    results.map((/** @type {any[]} */ one) => one.slice(1)),
    [[3, 0]],
  );
});
