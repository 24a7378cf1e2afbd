// A game that was played, judged in a real browser: what is a mistake and what is not, and lessons from those that are.
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { act, cell, openPage, ready, withServer } from "./helpers.js";

const server = withServer();
/** @type {Awaited<ReturnType<typeof openPage>>} */
let tab;
beforeEach(async () => {
  tab = await openPage(`${server.url}#/rules`);
  await tab.page.evaluate(() =>
    localStorage.setItem(
      "tengen.settings",
      JSON.stringify({ v: 2, mode: "analyze", alg: "engine", sweep: 300, auto: false }),
    ),
  );
});
afterEach(async () => {
  const { errors } = tab;
  await tab.context.close();
  assert.deepEqual(errors, []);
});

/** Opens a game and has it reviewed. @param {string} moves */
async function review(moves) {
  const { page } = tab;
  await page.goto(`${server.url}#/play?r=freestyle15&m=${moves}`);
  await page.reload();
  await ready(page);
  await act(page, "analyze-game");
  await page.locator("[data-accuracy=black]").waitFor({ timeout: 120_000 });
  return page;
}

/** What is written on the last node of the game. @param {import("playwright-core").Page} page @param {number} ply */
const node = (page, ply) => page.evaluate((n) => JSON.parse(localStorage.getItem("tengen.game") ?? "{}").nodes[n], ply);

test("a forced reply is no mistake, and is worth what the position after it is worth", async () => {
  const page = await review("h8i9h7g9h9h6i8g8j7k6g10f11");
  const [before, after] = [await node(page, 11), await node(page, 12)];
  assert.equal(after.r.k, "only");
  assert.ok(Math.abs(before.a.w + after.a.w - 1) < 0.001, `${before.a.w} ${after.a.w}`);
  assert.ok(before.a.d > 1, "it is not judged by a glance");
  await page.locator("#tab-moves").click();
  const last = page.locator(".moves a").last();
  assert.equal(await last.textContent(), "F11");
  assert.equal(await last.getAttribute("class"), "");
});

test("a deeper analysis is not replaced by a shallower one", async () => {
  const { page } = tab;
  await page.goto(`${server.url}#/play?r=freestyle15&m=h8i9h9h7i8`);
  await page.reload();
  await ready(page);
  await act(page, "analyze");
  const depth = () => node(page, 5).then((one) => one.a?.d ?? 0);
  await page.waitForFunction(
    () => /1\d/.test(document.querySelector("[data-number=depth] dd")?.textContent ?? ""),
    null,
    {
      timeout: 60_000,
    },
  );
  await act(page, "analyze");
  await page.locator(".pill[data-state=idle]").waitFor({ timeout: 30_000 });
  let deep = 0;
  for (let i = 0; i < 100 && deep < 10; i++) {
    await page.waitForTimeout(100);
    deep = await depth();
  }
  assert.ok(deep >= 10, `${deep}`);
  await page.evaluate(() => {
    const now = JSON.parse(localStorage.getItem("tengen.settings") ?? "{}");
    localStorage.setItem("tengen.settings", JSON.stringify({ ...now, sweep: 50 }));
  });
  await page.reload();
  await ready(page);
  await act(page, "analyze-game");
  await page.locator("[data-accuracy=black]").waitFor({ timeout: 120_000 });
  assert.ok((await depth()) >= deep, `${await depth()} after ${deep}`);
});

test("a mistake is found, shown on the graph's list, and mended in a lesson", async () => {
  const page = await review("h8h9j8a1i8");
  const faults = page.locator(".faults [data-fault]");
  await faults.first().waitFor();
  assert.match((await faults.filter({ hasText: "A1" }).textContent()) ?? "", /4\. A1.*(Allowed a win|Blunder)/);
  assert.match((await page.locator("[data-accuracy=white]").textContent()) ?? "", /\d+%/);
  await act(page, "learn-white");
  const lesson = page.locator("[data-lesson]");
  while (!/A1/.test((await lesson.textContent()) ?? "")) await act(page, "lesson-next");
  await cell(page, "o15").click();
  await page.locator("[data-lesson=wrong]").waitFor({ timeout: 60_000 });
  const best = (await node(page, 3)).a.cand[0].m;
  await cell(page, best).click();
  await page.locator("[data-lesson=right]").waitFor({ timeout: 60_000 });
  await act(page, "lesson-solution");
  await page.locator("[data-lesson=shown]").waitFor();
  await act(page, "lesson-end");
  await page.locator("[data-accuracy=white]").waitFor();
  assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem("tengen.game") ?? "{}").nodes.length), 6);
});
