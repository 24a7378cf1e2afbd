// What stays and what goes in a real browser: hints, overlays, turns, links, analysis that runs and ends, and its bar.
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { act, cell, movesOf, openPage, ready, waitCell, withServer } from "./helpers.js";

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

/** Opens a position with settings. @param {string} hash @param {Record<string, any>} settings */
async function open(hash, settings) {
  const { page } = tab;
  await page.evaluate(
    (chosen) => localStorage.setItem("tengen.settings", JSON.stringify({ v: 2, alg: "engine", ...chosen })),
    settings,
  );
  await page.goto(`${server.url}${hash}`);
  await page.reload();
  await ready(page);
  return page;
}

/** How many points are called candidates. @param {import("playwright-core").Page} page */
const candidates = (page) => page.locator('[role=gridcell][aria-label*="candidate"]').count();

test("a hint is for its game alone, and an overlay of Analyze does not cover the board in Play", async () => {
  const page = await open("#/play?r=freestyle15&m=h8i9", { mode: "analyze", auto: false, think: 300 });
  await page.locator("[data-action=overlay]").selectOption("static");
  await page.locator(".segments [data-value=play]").click();
  await act(page, "hint");
  await page.locator(".candidates tbody tr").first().waitFor({ timeout: 30_000 });
  await page.locator(".pill[data-state=idle]").waitFor({ timeout: 30_000 });
  await page.waitForFunction(() => document.querySelector('[role=gridcell][aria-label*="candidate"]'));
  await act(page, "reset");
  await cell(page, "h8").click();
  await cell(page, "i9").click();
  await waitCell(page, "i9", /white, move 2/);
  assert.equal(await page.locator(".candidates").count(), 0);
  assert.equal(await candidates(page), 0);
});

test("the turn that is shown is the turn on the board", async () => {
  const page = await open("#/play?r=freestyle15&m=h8i9h9", { mode: "play" });
  const turn = () => page.locator(".seat.to-move [data-seat]").getAttribute("data-seat");
  assert.equal(await turn(), "white");
  await act(page, "prev");
  await page.locator(".seat.to-move [data-seat=black]").waitFor();
});

test("analysis begins with its mode, says when it is done, and goes on when asked", async () => {
  const page = await open("#/play?r=freestyle15&m=h8i9", { mode: "play", analysis: 2500 });
  await page.locator(".segments [data-value=analyze]").click();
  await page.locator("[data-analysis=on]").waitFor();
  await page.locator("[data-analysis=done]").getByText("Done").waitFor({ timeout: 30_000 });
  await page.locator(".pill[data-state=idle]").waitFor();
  await act(page, "analyze");
  await page.locator("[data-analysis=on]").waitFor();
  await page.locator("[data-analysis=done]").waitFor({ timeout: 30_000 });
  await page.evaluate(() => /** @type {HTMLElement | null} */ (document.activeElement)?.blur());
  await page.keyboard.press("Space");
  await page.locator("[data-analysis=on]").waitFor();
  await page.locator(".segments [data-value=play]").click();
  await page.evaluate(() => /** @type {HTMLElement | null} */ (document.activeElement)?.blur());
  await page.keyboard.press("Space");
  await page.locator(":is([data-analysis=on], [data-analysis=done])").waitFor();
  await page.locator(".segments [data-value=play]").click();
  await page.locator(".pill[data-state=idle]").waitFor({ timeout: 30_000 });
});

test("a link is shown as it was sent, to two people, and the next game has its players again", async () => {
  const page = await open("#/play?r=freestyle15", { mode: "play" });
  await page.locator("[data-seat=white]").selectOption("random");
  await cell(page, "h8").click();
  await page.getByRole("gridcell", { name: /white, move 2$/ }).waitFor({ timeout: 30_000 });
  await page.evaluate(() => (location.hash = "#/play?r=freestyle15&m=a1b2c3"));
  await waitCell(page, "c3", /black, move 3/);
  await page.waitForTimeout(1500);
  assert.equal(await movesOf(page), "a1b2c3");
  for (const side of ["black", "white"])
    assert.equal(await page.locator(`[data-seat=${side}]`).inputValue(), "human", side);
  await act(page, "reset");
  await waitCell(page, "c3", /empty/);
  assert.equal(await page.locator("[data-seat=white]").inputValue(), "random");
});

test("after the end the bar stands with the winner, and the threat of the other side is shown on demand", async () => {
  const page = await open("#/play?r=freestyle15&m=h8a1h9a2h10a3h11a4h12", { mode: "analyze", think: 500 });
  await page.waitForFunction(() => /100/.test(document.querySelector(".eval-bar")?.getAttribute("aria-label") ?? ""));
  await act(page, "prev");
  await act(page, "prev");
  const over = page.locator(".play .board canvas").nth(2);
  await act(page, "analyze");
  await page.locator(".pill[data-state=idle]").waitFor({ timeout: 30_000 });
  await page.locator("[data-action=overlay]").selectOption("none");
  const before = await over.evaluate((board) => /** @type {HTMLCanvasElement} */ (board).toDataURL());
  await act(page, "threat");
  await page.locator("[data-action=threat][aria-pressed=true]").waitFor({ timeout: 30_000 });
  assert.notEqual(await over.evaluate((board) => /** @type {HTMLCanvasElement} */ (board).toDataURL()), before);
});

test("the board is one key away, and nothing is cut at 1024", async () => {
  const page = await open("#/play?r=freestyle15&m=h8i9", { mode: "analyze", auto: false });
  await page.evaluate(() => /** @type {HTMLElement | null} */ (document.activeElement)?.blur());
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("role")), "gridcell");

  await page.setViewportSize({ width: 1024, height: 768 });
  const cut = await page.locator(".rail button:visible, [role=tab], .toolbar button, header nav a").evaluateAll((all) =>
    all
      .filter((one) => {
        const box = one.getBoundingClientRect();
        const outer = (one.closest(".panels, .stage, .rail, header") ?? document.body).getBoundingClientRect();
        return one.scrollWidth > one.clientWidth + 1 || box.right > outer.right + 1 || box.bottom > innerHeight;
      })
      .map((one) => one.textContent),
  );
  assert.deepEqual(cut, []);
  assert.ok(await page.locator(".rail [data-action=undo] span").isVisible(), "labels stay");
});

test("neither toasts nor the word that the server is gone cover anything, at any width", async () => {
  const page = await open("#/play?r=freestyle15&m=h8i9", { mode: "analyze", auto: false });
  const parts = [".board-box", ".toolbar", ".legend-line", ".panels", ".rail", "header nav", ".pill", "header .plain"];
  /** What a message covers, or how it leaves the header. @param {string} message */
  const covered = (message) =>
    page.evaluate(([message, parts]) => {
      const box = (/** @type {string} */ name) => document.querySelector(name)?.getBoundingClientRect();
      const [one, header] = [box(message), box("body > header")];
      if (!one || !header || !one.width || one.top < header.top || one.bottom > header.bottom) return ["header"];
      const meets = (/** @type {DOMRect | undefined} */ other) =>
        other && one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
      return parts.filter((name) => meets(box(name)));
    }, /** @type {[string, string[]]} */ ([message, parts]));
  const legend = () => page.locator(".legend-line").evaluate((one) => one.getBoundingClientRect().bottom - innerHeight);
  const sizes = [
    [1280, 720],
    [1024, 768],
    [390, 844],
  ];
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    for (let i = 0; i < 3; i++) await page.keyboard.press("Control+y");
    await page.locator(".notices p.note:visible").waitFor();
    assert.equal(await page.locator(".notices p:visible").count(), 1, "one at a time");
    assert.deepEqual(await covered(".notices p:last-child"), [], `a toast at ${width}`);
    await page.locator(".notices p.note").first().waitFor({ state: "detached" });
  }
  await server.kill();
  await page.locator(".banner").waitFor();
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    assert.deepEqual(await covered(".banner"), [], `offline at ${width}`);
    if (width > 900) assert.ok((await legend()) <= 0, "the legend is whole");
  }
  await server.restart();
  await page.locator(".banner").waitFor({ state: "hidden", timeout: 30_000 });
});

test("whoever gives up after a reload gets the card, which has the focus and goes with Escape", async () => {
  const page = await open("#/play?r=freestyle15", { mode: "play" });
  await cell(page, "h8").click();
  await page.waitForFunction(() => localStorage.getItem("tengen.game.unsent") === null);
  await page.reload();
  await ready(page);
  await act(page, "resign");
  const card = page.getByRole("dialog");
  await card.getByText("resignation").waitFor();
  await page.waitForFunction(() => document.activeElement?.classList.contains("end-card"));
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("role")), "gridcell");
});
