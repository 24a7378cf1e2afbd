// The openings page in a real browser: names, sets, what games say, and a start taken into play.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { test } from "node:test";
import { act, cell, movesOf, openPage, waitCell, withServer } from "./helpers.js";

const server = withServer();

test("a named opening is shown, recognized in any symmetry, and played from", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/openings?r=renju15`);
  await page.locator("[data-opening=D4]").click();
  await page.locator("h2[data-opening=Kagetsu]").waitFor();
  await waitCell(page, "h8", /black, move 1/);
  await page.goto(`${server.url}#/openings?r=renju15&m=h8g8g9`);
  await page.locator("h2[data-opening=Kagetsu]").waitFor();
  await act(page, "play-opening");
  await page.locator("main.play").waitFor();
  await waitCell(page, "g9", /black, move 3/);
  assert.equal(await movesOf(page), "h8g8g9");
  await context.close();
  assert.deepEqual(errors, []);
});

test("sets of fair starts are listed, proved wins are marked, and finished games are counted", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/openings?r=freestyle15&m=h8h12`);
  await page
    .locator(".explorer .badge.proved")
    .getByText(/Black wins: proved, ≤ \d+ plies/)
    .waitFor();
  await page.locator("tr[data-move]:has(.badge.proved) button").first().click();
  await page.waitForFunction(() => /m=h8h12[a-o]\d+$/.test(location.hash));
  await page.locator(".explorer .badge.proved").getByText("Black wins").waitFor();
  await page.locator(".segments [data-value=sets]").click();
  await page.locator(".starts button").first().click();
  await page.waitForFunction(() => /m=([a-o]\d+){2,}/.test(location.hash));
  await page.goto(`${server.url}#/play?r=freestyle15`);
  await page.locator("main.play").waitFor();
  for (const place of ["h8", "h9", "i8", "i9", "j8", "j9", "k8", "k9", "l8"]) await cell(page, place).click();
  await page.locator(".status[data-state=over]").waitFor();
  await page.waitForTimeout(300); // the end is written down after it is shown
  await page.waitForFunction(() => localStorage.getItem("tengen.game.unsent") === null);
  await page.goto(`${server.url}#/openings?r=freestyle15&m=h8`);
  await page.locator(".moves-known .here").filter({ hasText: ": 1" }).waitFor();
  await page.locator("tr[data-move] .wdl").first().waitFor();
  await context.close();
  assert.deepEqual(errors, []);
});

test("under three rules the named openings have values, and a main line that can be followed", async () => {
  for (const rule of ["freestyle", "standard", "renju"]) {
    const { page, context, errors } = await openPage(`${server.url}#/openings?r=${rule}15`);
    await page.locator(".names [data-opening=D4] small").filter({ hasText: /\d/ }).waitFor();
    const values = await page.locator(".names [data-opening] small").allTextContents();
    assert.equal(values.filter((one) => /\d/.test(one)).length, 26, rule);
    await page.locator("[data-opening=D4]").click();
    await page.locator("h2[data-opening=Kagetsu]").waitFor();
    const third = page.locator(".main-line [data-n='2']");
    const move = String(await third.textContent()).toLowerCase();
    await third.click();
    await page.waitForFunction((move) => location.hash.endsWith(move), move, { timeout: 10_000 });
    assert.equal((await page.evaluate(() => location.hash)).match(/[a-o]\d+/g)?.slice(-5).length, 5);
    await waitCell(page, move, /black, move 5/);
    await context.close();
    assert.deepEqual(errors, []);
  }
});

test("an opening is analyzed with one press", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/openings?r=freestyle15&m=h8i9`);
  await act(page, "analyze-opening");
  await page.locator("main.mode-analyze").waitFor();
  await page.getByRole("gridcell", { name: "I9 white, move 2" }).waitFor();
  await page.locator(".candidates tbody tr").first().waitFor({ timeout: 30_000 });
  await context.close();
  assert.deepEqual(errors, []);
});

test("the position book is shown move by move, and Liao's 57 styles are listed", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/openings?r=freestyle15&m=h8`);
  await page
    .locator(".moves-known")
    .getByText(/The book holds [1-9][.,\s]?\d{3} /)
    .waitFor();
  await page.locator("td[data-book=searched] span").filter({ hasText: /\d/ }).first().waitFor();
  // The program itself searches a small book, which takes the place of the shipped one; the server sees it without being told.
  mkdirSync(`${server.data}/books`, { recursive: true });
  execFileSync(
    String(process.env.TENGEN_BIN),
    ["book", "build", "--book", `${server.data}/books/small.redb`, "--entries", "8", "--nodes", "2000"],
    { stdio: "ignore" },
  );
  await page.goto(`${server.url}#/rules`);
  await page.goto(`${server.url}#/openings?r=freestyle15&m=h8`);
  await page.locator("td[data-book] span").filter({ hasText: /\d/ }).first().waitFor();
  await page.locator("[data-book-here]").waitFor();
  assert.match(
    (await page.locator("td[data-book=searched] span[title]").first().getAttribute("title")) ?? "",
    /searched, depth \d+, by engine/,
  );
  await page
    .locator(".moves-known")
    .getByText(/The book holds [1-9] /)
    .waitFor();

  await page.goto(`${server.url}#/openings?r=renju15`);
  await page.locator(".segments [data-value=liao]").click();
  await page.locator(".names button").nth(56).waitFor();
  assert.equal(await page.locator(".names button").count(), 57);
  await page.locator(".names button").nth(56).click();
  await page
    .waitForFunction(() => /m=([a-o]\d+){4}$/.test(location.hash), null, { timeout: 5000 })
    .catch(() => assert.match(page.url(), /m=([a-o]\d+){3}/));
  await context.close();
  assert.deepEqual(errors, []);
});
