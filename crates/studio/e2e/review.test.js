// A game that was played, judged in a real browser: what is a mistake and what is not, and lessons from those that are.
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { act, cell, openPage, ready, waitCell, withServer } from "./helpers.js";

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

/** What is written on a node of the game. @param {import("playwright-core").Page} page @param {number} ply */
const node = (page, ply) => page.evaluate((n) => JSON.parse(localStorage.getItem("tengen.game") ?? "{}").nodes[n], ply);

/**
 * The same, once it has an analysis or a verdict: what is shown is saved a moment later.
 * @param {import("playwright-core").Page} page @param {number} ply @param {"a" | "r"} what
 */
async function saved(page, ply, what) {
  const has = (/** @type {{ ply: number, what: string }} */ { ply, what }) =>
    JSON.parse(localStorage.getItem("tengen.game") ?? "{}").nodes?.[ply]?.[what];
  await page.waitForFunction(has, { ply, what });
  return node(page, ply);
}

test("a forced reply is no mistake, and is worth what the position after it is worth", async () => {
  const page = await review("h8i9h7g9h9h6i8g8j7k6g10f11");
  const [before, after] = [await saved(page, 11, "a"), await saved(page, 12, "r")];
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
  const best = (await saved(page, 3, "a")).a.cand[0].m;
  await cell(page, best).click();
  await page.locator("[data-lesson=right]").waitFor({ timeout: 60_000 });
  await act(page, "lesson-solution");
  await page.locator("[data-lesson=shown]").waitFor();
  await act(page, "lesson-end");
  await page.locator("[data-accuracy=white]").waitFor();
  await page.locator("main.play.mode-analyze").waitFor();
  assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem("tengen.game") ?? "{}").nodes.length), 6);
});

test("scores that are no chances are not drawn as chances", async () => {
  const { page } = tab;
  await page.goto(`${server.url}#/play?r=freestyle15&m=h8i9h9h7`);
  await page.reload();
  await ready(page);
  /** What the graph looks like with the engine's value of the third node, and greedy's of the two before or not. @param {boolean} both */
  const graph = async (both) => {
    // What the page was about to keep may come after what is written here.
    do {
      await keep(both);
      await page.reload();
      await ready(page);
    } while ((await node(page, 3)).a?.w !== 0.6 || Boolean((await node(page, 1)).a) !== both);
    await page.locator("#tab-review").click();
    await page.locator(".graphs .chart canvas").first().waitFor();
    if (both) await page.locator("[data-silent=greedy]").getByText("are no chances").waitFor();
    else assert.equal(await page.locator("[data-silent]").count(), 0);
    return drawn();
  };
  const keep = (/** @type {boolean} */ both) =>
    page.evaluate((both) => {
      const game = JSON.parse(localStorage.getItem("tengen.game") ?? "{}");
      const of = (/** @type {string} */ by, /** @type {any} */ e, /** @type {number | null} */ w) => ({
        by,
        d: 1,
        e,
        w,
        evals: 1,
        nodes: 1,
        ms: 1,
        cand: [],
      });
      game.nodes[1].a = both ? of("greedy", { v: 9 }, null) : undefined;
      game.nodes[2].a = both ? of("greedy", { win: 3 }, 1) : undefined;
      game.nodes[3].a = of("engine", { v: 20 }, 0.6);
      localStorage.setItem("tengen.game", JSON.stringify({ ...game, id: `${game.id}-${Number(both)}`, seq: 1 }));
      localStorage.setItem("tengen.game.unsent", "1");
    }, both);
  /** The picture, once it no longer changes. */
  const drawn = async () => {
    const canvas = page.locator(".graphs .chart canvas").first();
    const picture = () => canvas.evaluate((canvas) => /** @type {HTMLCanvasElement} */ (canvas).toDataURL());
    for (let last = await picture(); ;) {
      await page.waitForTimeout(500);
      const next = await picture();
      if (next === last) return next;
      last = next;
    }
  };
  const alone = await graph(false);
  assert.equal(await page.locator(".graphs canvas").first().isVisible(), true);
  assert.equal(await graph(true), alone, "the engine's value alone is drawn");
});

test("every move has its loss, a forced line can be walked, and a game played on is to be reviewed again", async () => {
  // White has a four, and Black plays elsewhere.
  const page = await review("h8e5d5f5h6g5h4h5o15");
  await page.locator(".every summary").click();
  const losses = page.locator(".every li");
  assert.equal(await losses.count(), 9);
  assert.ok(Number(await losses.nth(8).getAttribute("data-loss")) >= 10, "what the fault gave away");
  await losses.nth(1).locator("button").click();
  await waitCell(page, "o15", /empty/);

  await page.locator(".faults li").filter({ hasText: "O15" }).locator(".plies [data-n]").first().focus();
  await page.keyboard.press("Enter");
  await waitCell(page, "i5", /white, move 10/);
  assert.equal(await page.locator("[data-old]").count(), 0, "a line that is looked at is not the game");
  assert.equal(await losses.count(), 9, "and the review stays in sight");

  await act(page, "prev");
  await cell(page, "a1").click();
  await page.locator("[data-old]").waitFor();
  await act(page, "review");
  await page.locator("[data-old]").waitFor({ state: "detached", timeout: 120_000 });
});

test("a player whose scores are no chances says who can review instead", async () => {
  const { page } = tab;
  await page.evaluate(() =>
    localStorage.setItem("tengen.settings", JSON.stringify({ v: 2, mode: "analyze", alg: "random", sweep: 50 })),
  );
  await page.goto(`${server.url}#/play?r=freestyle15&m=h8h9`);
  await page.reload();
  await ready(page);
  await act(page, "analyze-game");
  await page.locator("[data-unfit=random]").getByText("no chances").waitFor();
  assert.equal(await page.locator(".notices p:visible").count(), 0);
  await act(page, "review-with");
  await page.locator("[data-accuracy=black]").waitFor({ timeout: 120_000 });
  assert.equal(await page.locator("[data-unfit]").count(), 0);
});
