// Studying a position in a real browser: lines, overlays, whole games, the search tree, set-up, pictures and files.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, test } from "node:test";
import { act, cell, movesOf, openPage, ready, waitCell, withServer } from "./helpers.js";

const GAME = "h8i9h9h7i8g8j7g10";
const server = withServer();
/** @type {Awaited<ReturnType<typeof openPage>>} */
let tab;
beforeEach(async () => {
  tab = await openPage(`${server.url}#/rules`);
  await tab.page.evaluate(() =>
    localStorage.setItem(
      "tengen.settings",
      JSON.stringify({
        v: 2,
        mode: "analyze",
        alg: "alpha-beta",
        think: 1500,
        analysis: 1500,
        sweep: 100,
        auto: false,
      }),
    ),
  );
  await tab.page.goto(`${server.url}#/play?r=freestyle15&m=${GAME}`);
  await tab.page.reload();
  await ready(tab.page);
});
afterEach(async () => {
  const { errors } = tab;
  await tab.context.close();
  assert.deepEqual(errors, []);
});

/** What is drawn over the stones: a sum that changes with the picture. @param {import("playwright-core").Page} page */
const picture = (page) =>
  page
    .locator(".play .board canvas")
    .nth(2)
    .evaluate((canvas) => {
      const board = /** @type {HTMLCanvasElement} */ (canvas);
      const { data } = /** @type {CanvasRenderingContext2D} */ (board.getContext("2d")).getImageData(
        0,
        0,
        board.width,
        board.height,
      );
      return data.reduce((sum, value, i) => (sum + value * (1 + (i % 997))) % 1_000_003, 0);
    });

test("analysis gives lines; the pointer shows one on the board, a digit another, and a press plays it", async () => {
  const { page } = tab;
  await act(page, "analyze");
  await page.locator(".candidates tbody tr").first().waitFor({ timeout: 30_000 });
  await page.locator(".pill[data-state=idle]").waitFor({ timeout: 30_000 });
  for (const id of ["eval", "win", "depth", "evals", "nodes", "time"])
    assert.match((await page.locator(`[data-number=${id}] dd`).textContent()) ?? "", /\d/, id);
  const calm = await picture(page);
  const row = page.locator(".candidates tbody tr").first();
  const line = page.locator(".candidates .pv").first();
  await line.locator("[data-n='1']").hover();
  const shown = await picture(page);
  assert.notEqual(shown, calm, "the line is on the board");
  await page.mouse.move(5, 5);
  assert.equal(await picture(page), calm);
  await page.keyboard.down("1");
  assert.notEqual(await picture(page), calm);
  await page.keyboard.up("1");
  assert.equal(await picture(page), calm);
  const move = await row.getAttribute("data-move");
  await row.locator("button.move").click();
  await waitCell(page, String(move), /black, move 9/);
  await page.keyboard.press("Control+z");
  await waitCell(page, String(move), /empty/);
});

test("lines stand whole under their candidates, wrapped and in letters, and a press on a move goes there", async () => {
  const { page } = tab;
  await page.setViewportSize({ width: 1280, height: 900 });
  await act(page, "analyze");
  await page.locator(".pill[data-state=idle]").waitFor({ timeout: 30_000 });
  const moves = page.locator(".candidates .pv").first().locator("[data-n]");
  const [n, cut] = [
    await moves.count(),
    await page
      .locator(".candidates .pv")
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length),
  ];
  assert.ok(n >= 3, `${n} moves`);
  assert.equal(cut, 0, "no line is cut off");
  const third = (await moves.nth(2).textContent())?.toLowerCase() ?? "";
  await moves.nth(2).click();
  await waitCell(page, third, /black, move 11/);
  await act(page, "lines-more");
  await page.locator("[data-lines]").getByText("4 lines").waitFor();
});

test("a whole game is analyzed into a graph that can be pressed, with a bar", async () => {
  const { page } = tab;
  await act(page, "analyze-game");
  await page.locator("[data-action=analyze-game]:not([disabled])").waitFor({ timeout: 60_000 });
  await page.locator("#tab-review").click();
  const graph = page.locator(".graphs .chart").first();
  await graph.waitFor();
  await graph.click({ position: { x: 60, y: 40 } });
  await page.waitForFunction((all) => !location.hash.endsWith(all), GAME);
  assert.match((await page.locator(".eval-bar").getAttribute("aria-label")) ?? "", /\d/);
});

test("every overlay draws its own picture, and the static table one for each side", async () => {
  const { page } = tab;
  await page.locator("[data-action=overlay]").selectOption("static");
  await page.locator(".legend-line").getByText("does not rate single points").waitFor();
  await page.evaluate(() =>
    localStorage.setItem("tengen.settings", JSON.stringify({ v: 2, mode: "analyze", alg: "static-table" })),
  );
  await page.reload();
  await ready(page);
  await page.locator(".candidates tbody tr").first().waitFor();
  const seen = new Map();
  for (const overlay of ["candidates", "values", "order", "static", "threats", "none"]) {
    await page.locator("[data-action=overlay]").selectOption(overlay);
    seen.set(overlay, await picture(page));
  }
  assert.equal(new Set(seen.values()).size, 6, JSON.stringify([...seen]));
  await page.locator("[data-action=overlay]").selectOption("static");
  const sides = new Set();
  for (const side of ["max", "black", "white"]) {
    await page.locator("select[data-action=side]").selectOption(side);
    sides.add(await picture(page));
  }
  assert.equal(sides.size, 3);
  await page.locator("#tab-breakdown").click();
  await page.locator(".breakdown tbody tr").first().waitFor();
});

test("the search tree of a small search has windows and cuts, and folds out", async () => {
  const { page } = tab;
  await act(page, "trace");
  await page.locator("dialog [data-action=trace-run]").click();
  await page.locator("dialog .trace .node").first().waitFor({ timeout: 60_000 });
  const before = await page.locator("dialog .trace .node").count();
  assert.ok(before > 3, `${before} nodes`);
  assert.match(await page.locator("dialog").innerText(), /\d+ (cut|cuts)/);
  await page.keyboard.press("Escape");
});

test("a position is set up, turned, mirrored, and any side moves", async () => {
  const { page } = tab;
  await act(page, "reset");
  await act(page, "edit");
  await cell(page, "a1").click();
  await page.locator(".edit-bar [data-value=white]").click();
  await cell(page, "b1").click();
  await act(page, "flip");
  await waitCell(page, "o1", /black/);
  await act(page, "rotate");
  await page.waitForFunction(() => document.querySelectorAll('[role=gridcell][aria-label$="white"]').length === 1);
  await page.locator(".edit-bar [data-value=erase]").click();
  await page.locator('[role=gridcell][aria-label$="white"]').click();
  await page.waitForFunction(() => document.querySelectorAll('[role=gridcell][aria-label$="white"]').length === 0);
  const before = await page.locator(".status").textContent();
  await page.locator(".edit-bar [data-action=side]").click();
  await page.waitForFunction((text) => document.querySelector(".status")?.textContent !== text, before);
  await act(page, "edit-done");
});

test("the game is written in every format and as a picture, and read back", async () => {
  const { page } = tab;
  for (const [format, opened] of [
    ["psq", true],
    ["lib", true],
    ["pos-bytes", true],
    ["sgf", true],
    ["rec", true],
    ["sav", true],
    ["pos", false],
  ]) {
    await act(page, "save");
    await page.locator("dialog select[name=format]").selectOption(String(format));
    const [download] = await Promise.all([page.waitForEvent("download"), act(page, "download")]);
    const buffer = readFileSync(await download.path());
    assert.ok(buffer.length > 8, String(format));
    if (!opened) continue;
    await act(page, "reset");
    await page.waitForFunction(() => !/m=\w/.test(location.hash));
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), act(page, "open")]);
    await chooser.setFiles({ name: download.suggestedFilename(), mimeType: "application/octet-stream", buffer });
    await page
      .waitForFunction((moves) => location.hash.includes(`m=${moves}`), GAME, { timeout: 10_000 })
      .catch(async () => assert.fail(`${format}: ${await movesOf(page)}`));
  }
  await act(page, "save");
  const [png] = await Promise.all([page.waitForEvent("download"), act(page, "png")]);
  assert.equal(
    readFileSync(await png.path())
      .subarray(1, 4)
      .toString(),
    "PNG",
  );
  const [svg] = await Promise.all([page.waitForEvent("download"), act(page, "svg")]);
  assert.equal((readFileSync(await svg.path(), "utf8").match(/url\(#[bw]\)/g) ?? []).length, 8, "eight stones");
  const address = await page.locator("dialog input[readonly]").first().inputValue();
  await page.keyboard.press("Escape");
  const other = await openPage(address);
  await waitCell(other.page, "g10", /white, move 8/);
  await other.context.close();
});

test("the sheet of keys names every key that works, and a key can be changed", async () => {
  const { page } = tab;
  await page.keyboard.press("?");
  await page.locator("dialog .keys").waitFor();
  const rows = await page.locator("dialog .keys dl > div").count();
  assert.ok(rows >= 29, `${rows} keys`);
  await page.keyboard.press("Escape");
  await page.locator("dialog .keys").waitFor({ state: "hidden" });
  // In a list of choices a letter is the list's, so nothing may have the focus.
  await page.evaluate(() => /** @type {HTMLElement | null} */ (document.activeElement)?.blur());
  await page.keyboard.press("x");
  await page.waitForFunction(
    () => /** @type {HTMLSelectElement} */ (document.querySelector("[data-action=overlay]")).value === "threats",
  );
  await page.keyboard.press("m");
  await page.locator("main.mode-play").waitFor();
  await page.keyboard.press("Home");
  await page.waitForFunction(() => !location.hash.includes("m="));
});

test("the tree is a picture in which a press goes to a move", async () => {
  const { page } = tab;
  await page.keyboard.press("ArrowLeft");
  await cell(page, "k10").click();
  await waitCell(page, "k10", /white, move 8/);
  await act(page, "tree-picture");
  const stones = page.locator(".tree-picture g:not(.root)");
  await stones.first().waitFor();
  assert.equal(await stones.count(), 9, "eight moves and one that was tried");
  await stones.nth(2).locator("circle").click();
  await page.waitForFunction(() => location.hash.endsWith("m=h8i9h9"));
  await page.locator(".tree-picture g.here").waitFor();
  assert.equal(await page.locator(".tree-picture g.here text").textContent(), "3");
});

test("the rules teach with boards that say right and wrong", async () => {
  const { page } = tab;
  await page.locator('body > header nav a[href="#/rules"]').click();
  const card = page.locator(".tutorial");
  const press = (/** @type {string} */ place) => card.locator(`[data-point=${place}]`).click();
  await card.waitFor();
  await press("a1");
  await page.locator("[data-tutorial=wrong]").waitFor();
  for (const [i, place] of ["g5", "h4", "c5", "g5", "e5"].entries()) {
    await page.locator(`.tutorial[data-step="${i + 1}"]`).waitFor();
    await press(place);
    await page.locator("[data-tutorial=right]").waitFor();
    if (i < 4) await act(page, "tutor-next");
  }
  await card.getByText("Play a game").click();
  await page.locator("main.play").waitFor();
});

test("settings are kept, and the rules are shown", async () => {
  const { page } = tab;
  await page.locator('body > header nav a[href="#/settings"]').click();
  await page.locator("select[name=board]").selectOption("slate");
  await page.locator("select[name=theme]").selectOption("contrast");
  await page.locator("input[name=sound]").check();
  await page.reload();
  await ready(page);
  assert.equal(await page.locator("html").getAttribute("data-theme"), "contrast");
  assert.equal(await page.locator("select[name=board]").inputValue(), "slate");
  assert.ok(await page.locator("input[name=sound]").isChecked());
  await act(page, "reset-settings");
  await page.waitForFunction(() => document.documentElement.dataset.theme !== "contrast");
  await page.locator('body > header nav a[href="#/rules"]').click();
  await page.locator(".rules-list dt").nth(4).waitFor();
  assert.equal(await page.locator(".rules-list dt").count(), 5);
  assert.equal(await page.locator(".example").count(), 5);
});
