// The functions of the papers' program that other files do not try, in a real browser, and whole games against a player.
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { act, cell, movesOf, openPage, ready, waitCell, withServer } from "./helpers.js";

const server = withServer();
/** A server that nobody has used. */
const fresh = withServer();
/** @type {Awaited<ReturnType<typeof openPage>>} */
let tab;
beforeEach(async () => {
  tab = await openPage(`${server.url}#/play?r=freestyle15`);
  for (const side of ["black", "white"]) await tab.page.locator(`[data-seat=${side}]`).selectOption("human");
  await act(tab.page, "reset");
});
afterEach(async () => {
  const { errors } = tab;
  await tab.context.close();
  assert.deepEqual(errors, []);
});

/** The stones on the board by color. @param {import("playwright-core").Page} page */
const stones = (page) =>
  page
    .locator("[role=gridcell]")
    .evaluateAll((cells) =>
      Object.fromEntries(
        cells.map((one) => [
          one.getAttribute("data-point"),
          / black/.test(one.ariaLabel ?? "") ? "b" : / white/.test(one.ariaLabel ?? "") ? "w" : "",
        ]),
      ),
    );

/**
 * Plays Black against whoever has White, always at the five that is nearest to being made.
 * @param {import("playwright-core").Page} page
 * @param {(place: string) => Promise<void>} put
 */
async function playToTheEnd(page, put) {
  const fives = [..."abcdefghijklmno"]
    .flatMap((letter, c) =>
      Array.from({ length: 15 }, (_, r) => [
        Array.from({ length: 5 }, (_, i) => `${"abcdefghijklmno"[c + i]}${r + 1}`),
        Array.from({ length: 5 }, (_, i) => `${letter}${r + 1 + i}`),
      ]),
    )
    .flat()
    .filter((five) => five.every((p) => !p.startsWith("undefined") && Number(p.slice(1)) <= 15));
  for (let n = 1; n < 120 && !(await page.locator(".status[data-state=over]").count()); n += 2) {
    const board = await stones(page);
    const worth = (/** @type {string[]} */ five) =>
      five.some((p) => board[p] === "w") ? -1 : five.filter((p) => board[p] === "b").length;
    const best = fives.reduce((a, b) => (worth(b) > worth(a) ? b : a));
    await put(best.find((p) => !board[p]) ?? "");
    await page.waitForFunction(
      (moves) =>
        document.querySelector(".status[data-state=over]") ||
        (/[?&]m=([^&]*)/.exec(location.hash)?.[1].match(/[a-o]\d+/g) ?? []).length > moves,
      n,
      { timeout: 30_000 },
    );
  }
  await page.locator(".status[data-state=over]").waitFor();
}

test("a full game against a player is won, kept and found again", async () => {
  const { page } = tab;
  await page.locator("[data-seat=white]").selectOption("random");
  await playToTheEnd(page, (place) => cell(page, place).click());
  await page.locator(".status[data-state=over]").getByText("Black wins").waitFor();
  const moves = await movesOf(page);
  await page.waitForFunction(() => localStorage.getItem("tengen.game.unsent") === null);
  await page.reload();
  await ready(page);
  assert.equal(await movesOf(page), moves);
  await page.locator('body > header nav a[href="#/library"]').click();
  await page.locator("tr[aria-current=true] [data-result^=B]").waitFor();
});

test("the end of a game offers a rematch, other sides, a review and another level", async () => {
  const { page } = tab;
  await page.locator("[data-seat=white]").selectOption("random");
  await playToTheEnd(page, (place) => cell(page, place).click());
  await page.locator(".end-card").getByText("You won").waitFor();
  await act(page, "rematch");
  await page.locator(".end-card").waitFor({ state: "detached" });
  assert.equal(await movesOf(page), "");
  assert.equal(await page.locator("[data-seat=white]").inputValue(), "random");

  await act(page, "new");
  await page.locator("dialog select[name=white]").selectOption("engine");
  await page.locator("dialog select[name=white-level]").selectOption("2");
  await page.locator("dialog [data-action=start]").click();
  await cell(page, "h8").click();
  await page.getByRole("gridcell", { name: /white, move 2$/ }).waitFor({ timeout: 30_000 });
  await act(page, "resign");
  await page.locator(".end-card").getByText("You lost").waitFor();
  await page.locator("[data-action=level-up]").getByText("3").waitFor();
  await page.locator("[data-action=level-down].accent").click();
  assert.equal(await page.locator("[data-seat=white]").inputValue(), "engine(level=1)");

  await cell(page, "h8").click();
  await page.getByRole("gridcell", { name: /white, move 2$/ }).waitFor({ timeout: 30_000 });
  await act(page, "resign");
  await act(page, "swap-sides");
  assert.equal(await page.locator("[data-seat=black]").inputValue(), "engine(level=1)");
  await page.getByRole("gridcell", { name: /black, move 1$/ }).waitFor({ timeout: 30_000 });
  await act(page, "resign");
  await act(page, "end-review");
  await page.locator("[data-accuracy=black]").waitFor({ timeout: 60_000 });
});

test("a full game on a phone by touch alone", async () => {
  const phone = await openPage(`${server.url}#/play?r=freestyle15`, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  });
  const { page } = phone;
  await page.locator("[data-seat=white]").selectOption("random");
  await page.locator("[data-action=reset]").tap();
  await playToTheEnd(page, async (place) => {
    await cell(page, place).tap();
    await page.locator("[data-action=confirm]").tap();
  });
  await page.locator(".status[data-state=over]").getByText("Black wins").waitFor();
  await page.locator("[data-action=end-close]").tap();
  const height = page.viewportSize()?.height ?? 0;
  for (const wanted of ["[data-action=new-here]", "[data-action=undo-here]", 'nav a[href="#/settings"]']) {
    const box = await page.locator(wanted).boundingBox();
    assert.ok(box && box.y > height / 3 && box.y + box.height <= height && box.x + box.width <= 390, wanted);
  }
  const top = await page.locator(".board").evaluate((board) => board.getBoundingClientRect().top);
  assert.ok(top >= 0, `the board stays in sight, not ${top} px away`);
  await phone.context.close();
  assert.deepEqual(phone.errors, []);
});

test("reset, person or AI, self-play, stop and simulate do what they say", async () => {
  const { page } = tab;
  await cell(page, "h8").click();
  await act(page, "reset");
  await waitCell(page, "h8", /empty/);
  assert.equal(await movesOf(page), "");

  await page.locator("[data-action=algorithm-2]").click();
  await cell(page, "h8").click();
  await act(page, "human-ai"); // White is to move
  await page.getByRole("gridcell", { name: /white, move 2$/ }).waitFor({ timeout: 30_000 });
  assert.notEqual(await page.locator("[data-seat=white]").inputValue(), "human");

  await page.locator("[data-seat=white]").selectOption("human");
  await act(page, "reset");
  await act(page, "self-play");
  await page.getByRole("gridcell", { name: /black, move 3$/ }).waitFor({ timeout: 60_000 });
  await act(page, "stop");
  await page.locator("[data-action=continue]").waitFor();
  await page.locator(".pill[data-state=idle]").waitFor();
  const stopped = await movesOf(page);
  await page.waitForTimeout(500);
  assert.equal(await movesOf(page), stopped, "nobody plays on after the stop");
  await act(page, "continue");
  await page.waitForFunction((before) => location.hash.length > before, page.url().split("#")[1].length + 1, {
    timeout: 60_000,
  });
  await act(page, "stop");

  await act(page, "simulate");
  await page.locator("main.lab").waitFor();
  const offered = await page
    .locator("[data-seat-form] select[name=player]")
    .evaluateAll((all) => all.map((one) => /** @type {HTMLSelectElement} */ (one).value));
  assert.equal(new Set(offered).size, 2, `${offered}: nobody is offered a match against itself`);
});

test("hint, resign, clock and level", async () => {
  const { page } = tab;
  await act(page, "new");
  const dialog = page.locator("dialog");
  await dialog.locator("select[name=black]").selectOption("human");
  await dialog.locator("select[name=white]").selectOption("engine");
  await dialog.locator("select[name=white-level]").selectOption("1");
  await dialog.locator("input[name=minutes]").fill("5");
  await dialog.locator("input[name=minutes]").press("Tab");
  await dialog.locator("[data-action=start]").click();
  assert.equal(await page.locator("[data-seat=white]").inputValue(), "engine(level=1)");
  assert.equal(await page.locator("[data-clock=black]").textContent(), "5:00");
  await cell(page, "h8").click();
  await page.getByRole("gridcell", { name: /white, move 2$/ }).waitFor({ timeout: 30_000 });
  await page.waitForFunction(() => document.querySelector("[data-clock=black]")?.textContent !== "5:00", null, {
    timeout: 10_000,
  });
  assert.equal(await page.locator(".candidates").count(), 0, "nothing is given away while playing");
  await act(page, "hint");
  await page.locator(".candidates tbody tr").first().waitFor({ timeout: 30_000 });
  await page.keyboard.press("Escape");
  await act(page, "resign");
  await page.locator(".status[data-state=over]").getByText("White wins: resignation").waitFor();
});

test("whoever comes for the first time finds an opponent", async () => {
  const { page, context, errors } = await openPage(fresh.url);
  await page.waitForFunction(() =>
    /** @type {HTMLSelectElement} */ (document.querySelector("[data-seat=white]")).value.startsWith("engine"),
  );
  await cell(page, "h8").click();
  await page.getByRole("gridcell", { name: /white, move 2$/ }).waitFor({ timeout: 30_000 });
  await context.close();
  assert.deepEqual(errors, []);
});

test("the server is killed while a player thinks: the game goes on, here and in a second tab", async () => {
  const { page } = tab;
  // A player that thinks as long as it may, on a fast machine too.
  await page.locator("[data-seat=white]").selectOption("fan-yuan-mcts");
  await act(page, "white-parameters");
  await page.locator("dialog select[name=limit-kind]").selectOption("ms");
  await page.locator("dialog input[name=limit]").fill("5000");
  await page.locator("dialog input[name=limit]").press("Tab");
  await act(page, "apply");
  await cell(page, "h8").click();
  await page.locator(".pill[data-state=thinking]").waitFor();
  await page.waitForFunction(() => localStorage.getItem("tengen.game.unsent") === null);
  await server.kill();
  await page.locator(".banner").waitFor();
  await server.restart();
  const other = await openPage(server.url);
  await waitCell(other.page, "h8", /black, move 1/);
  await page.getByRole("gridcell", { name: /white, move 2$/ }).waitFor({ timeout: 60_000 });
  await other.page.getByRole("gridcell", { name: /white, move 2$/ }).waitFor({ timeout: 30_000 });
  assert.equal(await movesOf(other.page), await movesOf(page), "both tabs show the same game");
  await other.context.close();
});
