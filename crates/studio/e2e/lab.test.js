// The lab in a real browser: from the form to the report, a crash in between, a game opened.
import assert from "node:assert/strict";
import { test } from "node:test";
import { act, openPage, withServer } from "./helpers.js";

const server = withServer();

/** @param {import("playwright-core").Page} page @param {number} i @param {string} player */
async function choosePlayer(page, i, player) {
  const form = page.locator(`[data-seat-form="${i}"]`);
  await form.locator("summary").first().click();
  await form.locator("select[name=player]").selectOption(player);
  await form.locator("summary").first().click();
}

/** @param {import("playwright-core").Page} page @param {number} games */
async function run(page, games) {
  await page.locator("input[name=games]").fill(String(games));
  await page.locator("input[name=games]").press("Tab");
  await act(page, "run");
}

test("a simulation goes from the form to the report, and its games open on the board", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/lab`);
  await choosePlayer(page, 0, "greedy");
  await choosePlayer(page, 1, "random");
  await run(page, 8);
  await page.locator("[data-state=done]").waitFor({ timeout: 60_000 });
  assert.match((await page.locator(".score").textContent()) ?? "", /8 – 0 – 0/, "greedy beats chance");
  const [report] = await Promise.all([page.waitForEvent("download"), page.locator("a[download='report.md']").click()]);
  assert.equal(report.suggestedFilename(), "report.md");
  await page.locator(".ratings tbody th").getByText("greedy").waitFor();
  await page.locator("[data-action=open-game]").first().click();
  await page.getByRole("gridcell", { name: /black, move 1$/ }).waitFor();
  await page.locator('body > header nav a[href="#/library"]').click();
  await page.locator("tr[aria-current=true] :is([data-result^=B], [data-result^=W])").waitFor();
  await context.close();
  assert.deepEqual(errors, []);
});

test("a run goes on after the server was killed", async () => {
  const { page, context } = await openPage(`${server.url}#/lab`);
  // Long enough not to end before it is killed, on a fast machine too.
  await choosePlayer(page, 0, "minimax");
  await choosePlayer(page, 1, "random");
  await run(page, 2_000);
  await page
    .locator(".score")
    .getByText(/\/2000/)
    .waitFor({ timeout: 60_000 });
  await page.locator("body > header .tray a").waitFor();
  const played = (/** @type {import("playwright-core").Page} */ one) =>
    one.locator(".headline progress").evaluate((bar) => /** @type {HTMLProgressElement} */ (bar).value);
  const listed = () =>
    page
      .locator("[data-run][aria-pressed=true] small")
      .textContent()
      .then((text) => parseInt(text ?? "", 10));
  const start = await listed();
  await page.waitForFunction(
    (n) => parseInt(document.querySelector("[data-run][aria-pressed=true] small")?.textContent ?? "", 10) > n,
    start,
    { timeout: 30_000 },
  );
  const before = await played(page);
  assert.ok((await listed()) >= 2 * before, "the list counts along with the run");
  await server.kill();
  await page.locator(".banner").waitFor();
  await server.restart();
  await page.reload();
  await page.locator(".badge.running").waitFor({ timeout: 30_000 });
  await page.waitForFunction(
    (n) => Number(/** @type {HTMLProgressElement} */ (document.querySelector(".headline progress")).value) >= n,
    before,
    { timeout: 30_000 },
  );
  const second = await openPage(`${server.url}#/lab`);
  await second.page.locator(".badge.running").waitFor({ timeout: 30_000 });
  assert.ok((await played(second.page)) >= before, "a second tab shows the same run");
  await act(page, "stop-run");
  await page.locator(".badge.stopped").waitFor({ timeout: 30_000 });
  await page.locator("[data-action=resume-run]").waitFor();
  await second.page.locator(".badge.stopped").waitFor({ timeout: 30_000 });
  await second.context.close();
  await context.close();
});
