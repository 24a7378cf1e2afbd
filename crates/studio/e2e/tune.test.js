// The tune page in a real browser: a run watched, killed with the server, gone on with, and its report.
import assert from "node:assert/strict";
import { test } from "node:test";
import { act, openPage, withServer } from "./helpers.js";

const server = withServer();

/** @param {import("playwright-core").Page} page @param {Record<string, string>} values */
async function form(page, values) {
  await page.locator("[data-tune-player] select[name=player]").selectOption("greedy");
  const boxes = page.locator(".params input[type=checkbox]");
  await boxes.first().waitFor();
  if (!(await boxes.first().isChecked())) await boxes.first().check();
  await page.locator("select[name=method]").selectOption("spsa");
  await page.locator("main.tune .card > details.more summary").click();
  for (const [name, value] of Object.entries(values)) {
    await page.locator(`input[name=${name}]`).fill(value);
    await page.locator(`input[name=${name}]`).press("Tab");
  }
  await act(page, "tune");
}

test("a tuning run is watched to its report", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/tune`);
  await form(page, { generations: "3", games: "2", snapshot_games: "2", test_games: "4" });
  await page.locator("[data-state=done]").waitFor({ timeout: 120_000 });
  assert.match((await page.locator(".score").textContent()) ?? "", /3 of 3 generations finished/);
  const [report] = await Promise.all([page.waitForEvent("download"), page.locator("a[download='report.md']").click()]);
  assert.equal(report.suggestedFilename(), "report.md");
  await act(page, "tuned-to-lab");
  await page.locator("main.lab").waitFor();
  await context.close();
  assert.deepEqual(errors, []);
});

test("a run says how long it will take and how many are bred, and its bar stands when it is stopped", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/tune`);
  await page.locator("[data-tune-player] select[name=player]").selectOption("greedy");
  const boxes = page.locator(".params input[type=checkbox]");
  await boxes.first().waitFor();
  if (!(await boxes.first().isChecked())) await boxes.first().check();
  await page.locator("select[name=method]").selectOption("de");
  await page.locator("main.tune .card > details.more summary").click();
  const values = { population: "6", generations: "3000", games: "2", snapshot_games: "0" };
  for (const [name, value] of Object.entries(values)) {
    await page.locator(`input[name=${name}]`).fill(value);
    await page.locator(`input[name=${name}]`).press("Tab");
  }
  await act(page, "tune");
  const head = page.locator(".headline");
  await head.getByText("population of 6").waitFor({ timeout: 60_000 });
  await head.getByText(/ left/).waitFor({ timeout: 60_000 });
  await act(page, "stop-tune");
  await page.locator(".badge.stopped").waitFor({ timeout: 60_000 });
  const place = () => head.locator("progress").evaluate((bar) => /** @type {HTMLProgressElement} */ (bar).position);
  assert.ok((await place()) >= 0, "it does not slide");
  await context.close();
  assert.deepEqual(errors, []);
});

test("a tuning run goes on after the server was killed, and a second tab shows the same", async () => {
  const { page, context } = await openPage(`${server.url}#/tune`);
  await form(page, { generations: "5000", games: "2", snapshot_games: "0", test_games: "0" });
  await page
    .locator(".score")
    .getByText(/^[1-9]\d* of 5000 generations finished/)
    .waitFor({ timeout: 60_000 });
  await page
    .locator("[data-run][aria-pressed=true] small")
    .getByText(/^[1-9]\d*\/5000/)
    .waitFor({ timeout: 30_000 });
  await server.kill();
  await page.locator(".banner").waitFor();
  await server.restart();
  await page.reload();
  await page.locator(".badge.running").waitFor({ timeout: 30_000 });
  const second = await openPage(`${server.url}#/tune`);
  await second.page.locator(".badge.running").waitFor({ timeout: 30_000 });
  await act(page, "stop-tune");
  await page.locator(".badge.stopped").waitFor({ timeout: 30_000 });
  await second.page.locator(".badge.stopped").waitFor({ timeout: 30_000 });
  await page.locator("[data-action=resume-tune]").waitFor();
  await second.context.close();
  await context.close();
});
