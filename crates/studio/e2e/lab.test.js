// The lab in a real browser: from the form to the report, a crash in between, a game opened.
import assert from "node:assert/strict";
import { test } from "node:test";
import { act, openPage, withServer } from "./helpers.js";

const server = withServer();

/** @param {import("playwright-core").Page} page @param {number} i @param {string} player */
async function choosePlayer(page, i, player) {
  await page.locator(`[data-seat-form="${i}"] select[name=player]`).selectOption(player);
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
  const bottom = await page.locator("[data-action=run]").evaluate((one) => one.getBoundingClientRect().bottom);
  assert.ok(bottom <= 720, "the button is in sight");
  await page.locator("input[name=name]").fill("Жадный & <b>случай</b>");
  await run(page, 8);
  await page.locator("[data-state=done]").waitFor({ timeout: 60_000 });
  const score = (await page.locator(".score").textContent()) ?? "";
  assert.match(score, /8 – 0 – 0/, "greedy beats chance");
  // Whoever scores 63 % wins eight in a row one time in forty.
  assert.match(score, /≥ \+93 Elo/, "a bound that can be read");
  await page.locator(".ratings td").getByText("≥ +46").waitFor();
  await page
    .locator(".ratings td")
    .getByText(/≤ [−-]46/)
    .waitFor();
  assert.equal(await page.locator(".games td.won").count(), 8, "won games look won");
  assert.equal(await page.locator(".games td.lost").count(), 0);
  assert.match((await page.locator("[data-run]").first().textContent()) ?? "", /Жадный & <b>случай<\/b>/);
  const [tab] = await Promise.all([context.waitForEvent("page"), act(page, "open-report")]);
  await tab.getByRole("heading", { name: "Жадный & <b>случай</b>", exact: true }).waitFor();
  assert.ok(await tab.getByText("≥ +92.9").count(), "the report has the same bound");
  await tab.close();
  const [html] = await Promise.all([page.waitForEvent("download"), page.locator("a[download='report.html']").click()]);
  assert.equal(html.suggestedFilename(), "report.html");
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

test("round robin and gauntlet have a cross table, and losses are a player's own", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/lab`);
  await page.locator("[data-seat-form]").first().waitFor();
  for (const [kind, games, meetings] of /** @type {[string, number, number][]} */ ([
    ["round-robin", 6, 3],
    ["gauntlet", 4, 2],
  ])) {
    await page.locator(`.segments [data-value=${kind}]`).click();
    while ((await page.locator("[data-seat-form]").count()) < 3) await act(page, "add-player");
    for (const [i, player] of ["greedy", "random", "static-table"].entries()) await choosePlayer(page, i, player);
    const before = await page.locator("[data-run]").count();
    await run(page, 2);
    await page.waitForFunction((n) => document.querySelectorAll("[data-run]").length > n, before);
    await page.locator("[data-state=done]").waitFor({ timeout: 60_000 });
    await page.locator(".score").getByText(`${games}/${games}`).waitFor();
    const cells = page.locator(".cross tbody td.num").filter({ hasText: /^\d+–\d+–\d+$/ });
    assert.equal(await cells.count(), 2 * meetings, kind);
    const rows = page.locator(".games tbody tr");
    assert.equal(await rows.count(), games);
    for (const row of await rows.all()) {
      const [black, white] = await row.locator("td").evaluateAll((all) => all.slice(1, 3).map((td) => td.textContent));
      assert.ok(black && white && black !== white, `${black} – ${white}`);
    }
    const only = page.locator(".row select").last();
    await only.selectOption({ label: "Losses of random" });
    for (const row of await rows.all()) assert.match((await row.textContent()) ?? "", /random/);
    await only.selectOption("all");
  }
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
