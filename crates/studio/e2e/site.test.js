// The site without a server: static files, a network that is cut off, and nothing asked outside the folder.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { act, cell, closeBrowser, movesOf, openPage, ready } from "./helpers.js";

const folder = process.env.TENGEN_SITE;
if (!folder) throw new Error("TENGEN_SITE names the folder that 'cargo xtask site' has made");

/** Any path will do. */
const PATH = "/some/where/";
/** @type {Record<string, string>} */
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};
const server = createServer(async ({ url = "" }, response) => {
  const name = url.slice(PATH.length) || "index.html";
  try {
    if (!url.startsWith(PATH)) throw new Error("outside");
    const bytes = await readFile(join(folder, name));
    response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
let address = "";

before(async () => {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(null)));
  address = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}${PATH}`;
});
after(async () => {
  await closeBrowser();
  server.closeAllConnections();
  server.close();
});

/** Opens the site, and notes what is asked of anyone but its folder. @param {string} [hash] */
async function openSite(hash = "") {
  /** @type {string[]} */
  const outside = [];
  const opened = await openPage(`${address}${hash}`);
  opened.context.on("request", (request) => {
    if (!request.url().startsWith(address) && !/^(blob|data):/.test(request.url())) outside.push(request.url());
  });
  return { ...opened, outside };
}

/** Waits until everything is there to go on without a network. @param {import("playwright-core").Page} page */
const filled = (page) =>
  page.evaluate(async () => {
    const worker = (await navigator.serviceWorker.ready).active;
    await new Promise((resolve) => {
      navigator.serviceWorker.addEventListener("message", resolve);
      navigator.serviceWorker.startMessages();
      worker?.postMessage("fill");
    });
  });

/** @param {import("playwright-core").Page} page @param {string} path */
const go = async (page, path) => {
  await page.goto(`${address}${path}`);
  await page.reload();
  await ready(page);
};

test("the first move comes before everything is fetched, and the game is there after a reload", async () => {
  const { page, context, errors, outside } = await openSite();
  await cell(page, "h8").click();
  await page.getByRole("gridcell", { name: /white, move 2$/ }).waitFor();
  const absent = page.locator('body > header nav :is([href="#/lab"], [href="#/tune"])');
  assert.equal(await absent.count(), 0, "what does not work here is not shown");
  const moves = await movesOf(page);
  await page.reload();
  await ready(page);
  await page.getByRole("gridcell", { name: /white, move 2$/ }).waitFor();
  assert.equal(await movesOf(page), moves);
  // What the browser keeps of the page itself may go: the desk has the game.
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${address}#/play`);
  await page.reload();
  await ready(page);
  await page.getByRole("gridcell", { name: /white, move 2$/ }).waitFor();
  await context.close();
  assert.deepEqual([errors, outside], [[], []]);
});

test("a stopped search says what it has found, with and without shared memory", async () => {
  const { page, context, errors } = await openSite("#/play?r=freestyle15&m=h8h9j8j9");
  assert.equal(await page.evaluate(() => crossOriginIsolated), false, "the first visit has none");
  for (const isIsolated of [false, true]) {
    await page.locator(".segments [data-value=analyze]").click();
    await page.locator(".candidates tr[data-move]").nth(2).waitFor();
    await page.locator(".pill[data-state=thinking]").click();
    await page.locator(".pill[data-state=idle]").waitFor();
    assert.equal((await page.locator(".candidates tr[data-move]").count()) > 0, true, String(isIsolated));
    if (isIsolated) break;
    await page.locator(".segments [data-value=play]").click();
    await page.reload();
    await ready(page);
    assert.equal(await page.evaluate(() => crossOriginIsolated), true);
  }
  await context.close();
  assert.deepEqual(errors, []);
});

test("without a network: a game, three lines, a review, a proof found and checked", async () => {
  const { page, context, errors, outside } = await openSite();
  await filled(page);
  await context.setOffline(true);
  server.closeAllConnections();
  await page.reload();
  await ready(page);
  assert.equal(await page.evaluate(() => crossOriginIsolated), true);
  await cell(page, "h8").click();
  await page.getByRole("gridcell", { name: /white, move 2$/ }).waitFor();
  await go(page, "#/play?r=freestyle15&m=h8i9h7g9h9h6");
  await page.locator(".segments [data-value=analyze]").click();
  await page.locator(".candidates tr[data-move]").nth(2).waitFor();
  await page.evaluate(() => {
    const settings = JSON.parse(localStorage.getItem("tengen.settings") ?? "{}");
    localStorage.setItem("tengen.settings", JSON.stringify({ ...settings, sweep: 50 }));
  });
  await go(page, "#/play?r=freestyle15&m=h8i9h7g9h9h6");
  await act(page, "analyze-game");
  await page.locator("[data-accuracy=black]").waitFor({ timeout: 60_000 });
  await go(page, "#/solve?r=freestyle15&s=b:h8,i8,g9_w:a1,c1,e1_b");
  await act(page, "solve");
  await page.locator(".answer[data-state=win]").waitFor({ timeout: 60_000 });
  await act(page, "check-proof");
  await page.locator(".verdict.right").waitFor({ timeout: 60_000 });
  const [saved] = await Promise.all([page.waitForEvent("download"), act(page, "save-proof")]);
  assert.equal((await readFile(await saved.path())).subarray(0, 8).toString(), "TENGENPF");
  await context.close();
  assert.deepEqual([errors, outside], [[], []]);
});

test("a question goes on after a reload, and is stopped at once", async () => {
  const { page, context, errors } = await openSite("#/solve?r=freestyle15&s=b:h8,g9,j10_w:h9,g8,i9_b");
  await page.locator("input[name=quiet]").fill("8");
  await page.locator("input[name=quiet]").press("Tab");
  await act(page, "solve");
  await page.locator(".answer[data-state=running]").waitFor();
  await page.reload();
  await page.locator(".answer[data-state=running]").waitFor();
  await act(page, "stop-solve");
  await page.locator(".answer[data-state=stopped]").waitFor();
  await context.close();
  assert.deepEqual(errors, []);
});

test("two tabs have one desk, and the second goes on when the first is closed", async () => {
  const { page, context, errors } = await openSite("#/play?r=freestyle15&m=h8i9");
  const second = await context.newPage();
  await second.goto(address);
  await ready(second);
  await second.getByRole("gridcell", { name: /white, move 2$/ }).waitFor();
  await cell(page, "j10").click();
  await second.getByRole("gridcell", { name: /black, move 3$/ }).waitFor();
  await page.close();
  await cell(second, "b2").click();
  await second.getByRole("gridcell", { name: /white, move 4$/ }).waitFor();
  await second.waitForFunction(() => localStorage.getItem("tengen.game.unsent") === null);
  await second.reload();
  await ready(second);
  await second.getByRole("gridcell", { name: /white, move 4$/ }).waitFor();
  await context.close();
  assert.deepEqual(errors, []);
});
