// Opening protocols in a real browser: person against person, and against a player.
import assert from "node:assert/strict";
import { test } from "node:test";
import { act, cell, movesOf, openPage, waitCell, withServer } from "./helpers.js";

const server = withServer();

/** @param {import("playwright-core").Page} page @param {string} protocol @param {string} rule @param {string} white */
async function begin(page, protocol, rule, white = "human") {
  await act(page, "new");
  const dialog = page.locator("dialog");
  await dialog.locator("select[name=rule]").selectOption(rule);
  await dialog.locator("select[name=black]").selectOption("human");
  await dialog.locator("select[name=white]").selectOption(white);
  await dialog.locator("select[name=protocol]").selectOption(protocol);
  await dialog.locator("[data-action=start]").click();
  // Until the server has said who is asked, nothing can be answered.
  await page.locator(`[data-protocol="${protocol}"]:not([data-asked=""])`).waitFor();
}

test("a swap2 opening is played through to the game, with two more stones and a swap", async () => {
  const { page, context, errors } = await openPage(server.url);
  await begin(page, "swap2", "freestyle");
  await page.locator("[data-asked='0']").waitFor();
  for (const place of ["h8", "i9", "k8"]) await cell(page, place).click();
  await act(page, "opening-done");
  await page.locator("[data-asked='1']").waitFor();
  await page.locator(".protocol .segments [data-value='1']").click();
  for (const place of ["g7", "j6"]) await cell(page, place).click();
  await act(page, "opening-done");
  await page.locator("[data-asked='0']").waitFor();
  await act(page, "opening-swap");
  await page.locator(".protocol").waitFor({ state: "detached" });
  assert.equal(await movesOf(page), "h8i9k8g7j6");
  await cell(page, "h10").click();
  await waitCell(page, "h10", /white, move 6/);
  await context.close();
  assert.deepEqual(errors, []);
});

test("after swap2 the names go with the people, not with the colors", async () => {
  const { page, context, errors } = await openPage(server.url);
  await act(page, "new");
  const dialog = page.locator("dialog");
  await dialog.locator("select[name=rule]").selectOption("freestyle");
  await dialog.locator("select[name=black]").selectOption("human");
  await dialog.locator("select[name=white]").selectOption("greedy");
  await dialog.locator("select[name=protocol]").selectOption("swap2");
  await dialog.locator("[data-action=start]").click();
  await page.locator("[data-protocol=swap2]:not([data-asked=''])").waitFor();
  // Three stones that are as good as won for Black: whoever chooses takes Black.
  for (const place of ["h8", "a1", "i8"]) await cell(page, place).click();
  await act(page, "opening-done");
  await page.locator(".protocol").waitFor({ state: "detached", timeout: 30_000 });
  const seats = await Promise.all(["black", "white"].map((side) => page.locator(`[data-seat=${side}]`).inputValue()));
  const saved = await page.waitForFunction(() => {
    const game = JSON.parse(localStorage.getItem("tengen.game") ?? "{}");
    return localStorage.getItem("tengen.game.unsent") === null && !game.opening && game;
  });
  const game = await saved.jsonValue();
  assert.deepEqual(
    game.names.map((/** @type {string} */ name, /** @type {number} */ i) =>
      game.seats[i].who === "player" ? name : "human",
    ),
    seats,
  );
  assert.ok(seats.includes("greedy") && seats.includes("human"), String(seats));
  await context.close();
  assert.deepEqual(errors, []);
});

test("a player answers in swap2 and then plays its side", async () => {
  const { page, context, errors } = await openPage(server.url);
  await begin(page, "swap2", "freestyle", "greedy");
  for (const place of ["h8", "h9", "i8"]) await cell(page, place).click();
  await act(page, "opening-done");
  await page.locator(".protocol").waitFor({ state: "detached", timeout: 30_000 });
  // White is behind, so the player takes Black, or stays and plays the fourth stone.
  const black = await page.locator("[data-seat=black]").inputValue();
  if (black === "human") await page.getByRole("gridcell", { name: /move 4$/ }).waitFor({ timeout: 30_000 });
  else await cell(page, "a1").click();
  await page.getByRole("gridcell", { name: /move 4$/ }).waitFor({ timeout: 30_000 });
  await context.close();
  assert.deepEqual(errors, []);
});

test("Soosyrv-8 goes through its declaration, offers and pick", async () => {
  const { page, context, errors } = await openPage(server.url);
  await begin(page, "soosyrv-8", "renju");
  for (const place of ["h8", "h9", "i9"]) await cell(page, place).click();
  await act(page, "opening-done");
  await page.locator("[data-asked='1']").waitFor();
  await page.locator("input[name=declare]").fill("2");
  await cell(page, "g10").click();
  await act(page, "opening-done");
  await page.locator("[data-asked='0']").waitFor();
  for (const place of ["i7", "k10"]) await cell(page, place).click();
  await act(page, "opening-done");
  await page.locator("[data-asked='1']").waitFor();
  await cell(page, "k10").click();
  await cell(page, "i8").click();
  await act(page, "opening-done");
  await page.locator(".protocol").waitFor({ state: "detached" });
  assert.equal(await movesOf(page), "h8h9i9g10k10i8");
  await context.close();
  assert.deepEqual(errors, []);
});

test("Taraguchi-10 goes through its squares and swaps to the game", async () => {
  const { page, context, errors } = await openPage(server.url);
  await begin(page, "taraguchi-10", "renju");
  for (const [i, place] of ["h8", "h9", "i9", "g10", "i7"].entries()) {
    await page.waitForFunction(
      (n) => (/[?&]m=([^&]*)/.exec(location.hash)?.[1].match(/[a-o]\d+/g) ?? []).length === n,
      i,
    );
    if (await page.locator(".protocol .segments").count())
      await page.locator(".protocol .segments [data-value='0']").click();
    if (i === 1) await act(page, "opening-swap");
    await cell(page, place).click();
  }
  await waitCell(page, "i7", /black, move 5/);
  for (let i = 0; i < 3 && (await page.locator(".protocol").count()); i++) {
    await cell(page, "j8").click();
    await page.waitForTimeout(400);
  }
  await page.locator(".protocol").waitFor({ state: "detached" });
  assert.match(await movesOf(page), /^h8h9i9g10i7/);
  await context.close();
  assert.deepEqual(errors, []);
});
