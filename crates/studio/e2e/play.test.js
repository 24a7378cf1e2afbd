// The play page in a real browser: games, self-play, stopping, undoing, files, tabs and crashes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, test } from "node:test";
import { act, cell, movesOf, openPage, ready, waitCell, withServer } from "./helpers.js";

const server = withServer();
/** @type {Awaited<ReturnType<typeof openPage>>} */
let tab;

beforeEach(async () => {
  tab = await openPage(server.url);
  await act(tab.page, "reset");
  for (const side of ["black", "white"]) await tab.page.locator(`[data-seat=${side}]`).selectOption("human");
  await act(tab.page, "reset");
});
afterEach(async () => {
  const { errors } = tab;
  await tab.context.close();
  assert.deepEqual(errors, []);
});

test("a person plays a person to five in a row", async () => {
  const { page } = tab;
  for (const place of ["h8", "h9", "i8", "i9", "j8", "j9", "k8", "k9"]) await cell(page, place).click();
  await waitCell(page, "k9", /white, move 8/);
  await cell(page, "l8").click();
  await page.locator(".status[data-state=over]").getByText("Black wins").waitFor();
  await cell(page, "a1").click();
  assert.equal(await movesOf(page), "h8h9i8i9j8j9k8k9l8", "nothing is played after the end");
});

test("an algorithm answers, and undo takes both moves back without losing them", async () => {
  const { page } = tab;
  await page.locator("[data-seat=white]").selectOption("greedy");
  await cell(page, "h8").click();
  await page.getByRole("gridcell", { name: /white, move 2/ }).waitFor();
  const played = await movesOf(page);
  await act(page, "undo");
  await waitCell(page, "h8", /empty/);
  assert.equal(await movesOf(page), "");
  await page.locator("[data-action=end]").click();
  await page.getByRole("gridcell", { name: /white, move 2/ }).waitFor();
  assert.equal(await movesOf(page), played);
});

test("an algorithm plays itself to the end", async () => {
  const { page } = tab;
  await page.locator("[data-seat=black]").selectOption("greedy");
  await page.locator("[data-seat=white]").selectOption("greedy");
  await page.locator(".status[data-state=over]").waitFor({ timeout: 60_000 });
  assert.match(await movesOf(page), /^([a-o]\d+){9,}/);
});

test("a long search is stopped at once and the game can go on", async () => {
  const { page } = tab;
  await page.locator("[data-seat=white]").selectOption("minimax");
  await act(page, "white-parameters");
  await page.locator("dialog input[name=depth]").fill("8");
  await page.locator("dialog input[name=depth]").press("Tab");
  await act(page, "apply");
  await cell(page, "h8").click();
  await page.locator(".pill[data-state=thinking]").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".pill[data-state=idle]").waitFor();
  assert.equal(await movesOf(page), "h8", "a stopped player does not move");
  await act(page, "continue");
  await page.locator(".pill[data-state=thinking]").waitFor();
  await act(page, "stop");
  await page.locator(".pill[data-state=idle]").waitFor();
});

test("a changed parameter changes what is shown", async () => {
  const { page } = tab;
  await cell(page, "h8").click();
  await cell(page, "h9").click();
  await page.locator(".segments [data-value=analyze]").click();
  await page.locator("[data-seat=black]").waitFor();
  const rows = page.locator(".candidates tr[data-move]");
  const set = async (/** @type {string} */ moves) => {
    const slot = page.locator("[data-action=algorithm-3]");
    if ((await slot.getAttribute("aria-pressed")) !== "true") await slot.click();
    await slot.and(page.locator("[aria-pressed=true]")).click();
    await page.locator("dialog select[name=player]").selectOption("greedy");
    await page.locator("dialog input[name=moves]").fill(moves);
    await page.locator("dialog input[name=moves]").press("Tab");
    await act(page, "apply");
  };
  await set("near(1)|top(2)");
  await page.waitForFunction(() => document.querySelectorAll(".candidates tr[data-move]").length === 2);
  await set("near(1)|top(5)");
  await page.waitForFunction(() => document.querySelectorAll(".candidates tr[data-move]").length === 5);
  assert.equal(await rows.count(), 5);
  await page.locator(".segments [data-value=play]").click();
});

test("another move makes a variation, which can be promoted, deleted and brought back", async () => {
  const { page } = tab;
  for (const place of ["h8", "i9", "h9"]) await cell(page, place).click();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await cell(page, "j10").click();
  await waitCell(page, "j10", /white, move 2/);
  const links = page.locator(".moves a");
  assert.deepEqual(await links.allTextContents(), ["H8", "I9", "J10", "H9"]);
  await act(page, "promote");
  assert.deepEqual(await links.allTextContents(), ["H8", "J10", "I9", "H9"]);
  await act(page, "delete-branch");
  assert.deepEqual(await links.allTextContents(), ["H8", "I9", "H9"]);
  await page.keyboard.press("Control+z");
  assert.deepEqual(await links.allTextContents(), ["H8", "J10", "I9", "H9"]);
});

test("a saved game opens as the same tree", async () => {
  const { page } = tab;
  for (const place of ["h8", "i9", "h9"]) await cell(page, place).click();
  await page.keyboard.press("ArrowLeft");
  await cell(page, "j10").click();
  await page.locator("textarea").fill("a ] tricky \\ comment");
  await page.locator("textarea").press("Tab");
  const before = await page.locator(".moves").innerText();
  await act(page, "save");
  const [download] = await Promise.all([page.waitForEvent("download"), act(page, "download")]);
  const file = await download.path();
  assert.match(readFileSync(file, "utf8"), /^\(;/);
  await act(page, "reset");
  await page.locator(".moves .empty").waitFor();
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), act(page, "open")]);
  await chooser.setFiles({ name: "game.sgf", mimeType: "text/plain", buffer: readFileSync(file) });
  await page.locator(".moves a").first().waitFor();
  assert.equal(await page.locator(".moves").innerText(), before);
});

test("the address, a reload and a second tab show the same game", async () => {
  const { page, context } = tab;
  for (const place of ["h8", "i9", "h9"]) await cell(page, place).click();
  await waitCell(page, "h9", /black, move 3/);
  const other = await context.newPage();
  await other.goto(server.url);
  await waitCell(other, "h9", /black, move 3/);
  await cell(other, "i10").click();
  await waitCell(page, "i10", /white, move 4/);
  await page.reload();
  await ready(page);
  await waitCell(page, "i10", /white, move 4/);
});

test("a killed server comes back with the game", async () => {
  const { page } = tab;
  for (const place of ["h8", "i9"]) await cell(page, place).click();
  await page.waitForFunction(() => localStorage.getItem("tengen.game.unsent") === null);
  await server.kill();
  await page.locator(".banner").waitFor();
  await cell(page, "h9").click();
  await server.restart();
  await page.locator(".pill[data-state=idle]").waitFor({ timeout: 20_000 });
  await page.waitForFunction(() => localStorage.getItem("tengen.game.unsent") === null);
  const fresh = await openPage(server.url);
  await waitCell(fresh.page, "h9", /black, move 3/);
  await fresh.context.close();
});

test("a forbidden point is marked, said and refused", async () => {
  const { page } = tab;
  await page.goto(`${server.url}#/play?r=renju15&m=g8a1i8c1h7e1h9g1`);
  await waitCell(page, "h8", /forbidden/);
  await cell(page, "h8").click();
  await page.getByRole("alert").getByText("double three").waitFor();
  assert.equal(await movesOf(page), "g8a1i8c1h7e1h9g1");
});

test("a whole game by keyboard alone", async () => {
  const { page } = tab;
  await cell(page, "h8").focus();
  const go = async (/** @type {string} */ keys) => {
    for (const key of keys.split(" ")) await page.keyboard.press(key);
  };
  await go("Enter ArrowUp Enter ArrowDown");
  for (let i = 0; i < 3; i++) await go("ArrowRight Enter ArrowUp Enter ArrowDown");
  await go("ArrowRight Enter");
  await page.locator(".status[data-state=over]").getByText("Black wins").waitFor();
});

test("a phone plays by touch with a confirmation", async () => {
  const phone = await openPage(server.url, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  });
  const { page } = phone;
  await act(page, "reset");
  await cell(page, "h8").tap();
  await page.locator("[data-action=confirm]").waitFor();
  assert.equal(await movesOf(page), "", "one tap plays nothing");
  await page.locator("[data-action=confirm]").tap();
  await waitCell(page, "h8", /black, move 1/);
  await cell(page, "i9").tap();
  await cell(page, "i9").tap();
  await waitCell(page, "i9", /white, move 2/);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `the page is ${wide} wide`);
  await phone.context.close();
  assert.deepEqual(phone.errors, []);
});

test("the data test counts shapes for any stones that are put down", async () => {
  const { page } = tab;
  await page.locator("[data-action=algorithm-3]").click();
  await act(page, "data-test");
  await page.locator(".edit-bar").waitFor();
  const sum = () =>
    page
      .locator(".breakdown tbody tr")
      .evaluateAll((rows) =>
        rows.reduce((all, row) => all + Number(row.querySelector("td")?.textContent?.replace("·", "0")), 0),
      );
  for (const place of ["h8", "i8", "j8"]) await cell(page, place).click();
  await waitCell(page, "j8", /black/);
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".breakdown tbody tr td:first-of-type")].some((one) => Number(one.textContent) > 0),
  );
  assert.ok((await sum()) > 0, "three stones in a row are a shape");
  await act(page, "edit-done");
  await page.locator(".segments [data-value=play]").click();
});
