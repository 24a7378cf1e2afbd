// The library in a real browser: games are found, opened, saved and deleted; and analysis leaves no rubbish behind.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { act, cell, movesOf, openPage, ready, startServer, waitCell, withServer } from "./helpers.js";

const server = withServer();

test("games are searched, opened, saved and deleted", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/play?r=freestyle15`);
  for (const rule of ["freestyle", "renju", "caro"]) {
    await act(page, "new");
    await page.locator("dialog select[name=rule]").selectOption(rule);
    for (const side of ["black", "white"]) await page.locator(`dialog select[name=${side}]`).selectOption("human");
    await page.locator("dialog [data-action=start]").click();
    for (const place of ["h8", "i9", "j7"]) await cell(page, place).click();
    await page.waitForFunction(() => localStorage.getItem("tengen.game.unsent") === null);
  }
  await page.locator('body > header nav a[href="#/library"]').click();
  const rows = page.locator(".library tbody tr");
  await page.waitForFunction(() => document.querySelectorAll(".library tbody tr").length === 3);
  await page.locator(".library input[type=search]").fill("renju");
  await page.waitForFunction(() => document.querySelectorAll(".library tbody tr").length === 1);
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    rows.first().locator("[data-action=export-game]").click(),
  ]);
  assert.match(readFileSync(await saved.path(), "utf8"), /^\(;/);
  await rows.first().locator("button.move").click();
  await page.locator("main.play").waitFor();
  await waitCell(page, "j7", /black, move 3/);
  assert.match(page.url(), /r=renju15/);
  assert.equal(await movesOf(page), "h8i9j7");
  await page.locator('body > header nav a[href="#/library"]').click();
  await page.locator(".library input[type=search]").fill("caro");
  await page.waitForFunction(() => document.querySelectorAll(".library tbody tr").length === 1);
  await rows.first().locator("[data-action=delete-game]").click();
  await page.locator(".library .empty").waitFor();
  await page.locator(".library input[type=search]").fill("");
  const count = (/** @type {number} */ n) =>
    page.waitForFunction((all) => document.querySelectorAll(".library tbody tr").length === all, n);
  await count(2);
  await act(page, "undo-notice");
  await count(3);
  await page.locator(".library select[name=rule]").selectOption("caro");
  await count(1);
  await page.locator(".library select[name=rule]").selectOption("");
  for (const box of await page.locator(".library tbody input[type=checkbox]").all()) await box.check();
  await act(page, "delete-chosen");
  await count(1);
  await page.reload();
  await ready(page);
  await page.locator(".library [data-value=bin]").click();
  await count(2);
  await act(page, "restore-game");
  await count(1);
  await page.locator(".library [data-value=games]").click();
  await count(2);
  await context.close();
  assert.deepEqual(errors, []);
});

test("names and triangles of a file are shown, and written again", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/play?r=freestyle15`);
  const sgf = "(;GM[4]FF[4]SZ[15]PB[Ann]PW[Bob];B[hh]TR[hh][aa];W[ii])";
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), act(page, "open")]);
  await chooser.setFiles({ name: "game.sgf", mimeType: "application/x-go-sgf", buffer: Buffer.from(sgf) });
  await waitCell(page, "i7", /white, move 2/);
  const name = (/** @type {string} */ side) =>
    page.locator(`[data-seat=${side}] option:checked`).evaluate((option) => option.textContent);
  assert.deepEqual([await name("black"), await name("white")], ["Ann", "Bob"]);
  const marks = await page.evaluate(() => JSON.parse(localStorage.getItem("tengen.game") ?? "{}").nodes[1].x);
  assert.deepEqual(
    marks.map((/** @type {string[]} */ one) => one[1]),
    ["△", "△"],
  );
  await act(page, "save");
  const [saved] = await Promise.all([page.waitForEvent("download"), act(page, "download")]);
  const text = readFileSync(await saved.path(), "utf8");
  for (const part of [/PB\[Ann\]/, /PW\[Bob\]/, /TR\[/]) assert.match(text, part);
  await context.close();
  assert.deepEqual(errors, []);
});

test("minutes of analysis in seconds: thousands of updates leave the heap and the page as they were", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/play?r=freestyle15&m=h8i9h9h7i8g8`);
  await page.evaluate(() =>
    localStorage.setItem(
      "tengen.settings",
      JSON.stringify({ v: 2, mode: "analyze", most: 40, think: 3_600_000, auto: false }),
    ),
  );
  /** @type {{ send: (text: string) => void } | null} */
  let link = null;
  /** @type {any} */
  let asked = null;
  await page.routeWebSocket("**/ws", (socket) => {
    const real = socket.connectToServer();
    link = socket;
    socket.onMessage((text) => {
      const message = JSON.parse(String(text));
      if (message.t === "think") asked = message;
      else real.send(text);
    });
    real.onMessage((text) => socket.send(text));
  });
  await page.reload();
  await ready(page);
  await act(page, "analyze");
  for (let i = 0; i < 200 && !asked; i++) await page.waitForTimeout(50);
  const client = await context.newCDPSession(page);
  await client.send("Performance.enable");
  const measure = async () => {
    await client.send("HeapProfiler.collectGarbage");
    const { metrics } = await client.send("Performance.getMetrics");
    const of = (/** @type {string} */ name) => metrics.find((one) => one.name === name)?.value ?? 0;
    return { heap: of("JSHeapUsedSize") / 1e6, nodes: of("Nodes"), listeners: of("JSEventListeners") };
  };
  let n = 0;
  const updates = async (/** @type {number} */ count) => {
    for (const end = n + count; n < end; n++) {
      const cand = [..."abcdefghijklmno"].flatMap((c, k) =>
        [1, 2].map((r) => ({
          m: `${c}${r}`,
          p: 1 / (2 + ((k + n) % 30)),
          e: { v: n % 100 },
          w: 0.5,
          d: 8,
          sd: 12,
          n,
          pv: [`${c}${r}`, "o15", "o14"],
        })),
      );
      // @ts-ignore the socket is there once the page has asked
      link.send(
        JSON.stringify({
          t: "info",
          id: asked.id,
          rev: asked.rev,
          seq: n + 1,
          depth: 8,
          seldepth: 12,
          nodes: 1000 * n,
          evals: 500 * n,
          nps: 100000,
          ms: 50 * n,
          cand,
        }),
      );
    }
    await page.waitForFunction(
      (nodes) =>
        document.querySelector("[data-number=nodes]")?.getAttribute("title")?.replace(/\D/g, "") === String(nodes),
      1000 * (n - 1),
      { timeout: 60_000 },
    );
  };
  await updates(300);
  const before = await measure();
  // At 20 updates a second this is two minutes and a half.
  await updates(3000);
  const now = await measure();
  assert.ok(now.heap - before.heap < 2, `the heap grew from ${before.heap} to ${now.heap} MB`);
  assert.ok(now.nodes - before.nodes < 50, `nodes grew from ${before.nodes} to ${now.nodes}`);
  assert.ok(now.listeners - before.listeners < 20, `listeners grew from ${before.listeners} to ${now.listeners}`);
  await context.close();
  assert.deepEqual(errors, []);
});

test("a file of many games becomes many entries, or one tree", async () => {
  const game = (/** @type {string} */ moves, /** @type {string} */ name) =>
    `(;GM[4]SZ[15]RU[renju]GN[${name}]RE[B+]${[...moves.matchAll(/../g)].map(([p], i) => `;${"BW"[i % 2]}[${p}]`).join("")})`;
  const text = game("hhiihi", "one") + game("hhiigg", "two") + game("hhgghg", "three");
  const file = { name: "many.sgf", mimeType: "text/plain", buffer: Buffer.from(text) };
  const { page, context, errors } = await openPage(`${server.url}#/library`);
  const before = await page.locator(".library tbody tr").count();
  /** @param {string} action */
  const bring = async (action) => {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), act(page, "import")]);
    await chooser.setFiles([file]);
    await page.locator("dialog").getByText("two").waitFor();
    await act(page, action);
  };
  await bring("keep-all");
  await page.locator(".notices").getByText("3 games are in Games now").waitFor();
  await page.reload();
  await ready(page);
  await page.waitForFunction((n) => document.querySelectorAll(".library tbody tr").length === n, before + 3);
  await page.locator(".library tbody").getByText("three").waitFor();
  assert.match((await page.locator(".library tbody tr").first().textContent()) ?? "", /Black/, "with their results");
  await bring("one-tree");
  await page.locator("main.play").waitFor();
  assert.match(await movesOf(page), /^h8i7/);
  assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem("tengen.game") ?? "{}").nodes.length), 7);
  await context.close();
  assert.deepEqual(errors, []);
});

test("a file in an old character set is read, corrected, and written as it was", async () => {
  // Names in GBK: 张三 and 黑先胜.
  const names = [0xd5, 0xc5, 0xc8, 0xfd, 13, 10, 0xba, 0xda, 0xcf, 0xc8, 0xca, 0xa4, 13, 10];
  const text = (/** @type {string} */ lines) => Buffer.from(lines, "latin1");
  const head = text("Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,9,0\r\n");
  const buffer = Buffer.concat([head, Buffer.from(names), text("-1\r\n")]);
  const { page, context, errors } = await openPage(`${server.url}#/library`);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), act(page, "import")]);
  await chooser.setFiles([{ name: "old.psq", mimeType: "application/octet-stream", buffer }]);
  const set = page.locator("dialog select[name=encoding]");
  await page.locator("dialog li", { hasText: "张三 – 黑先胜" }).waitFor();
  assert.equal(await set.inputValue(), "GBK");
  await set.selectOption("Shift_JIS");
  await page.locator("dialog li", { hasText: "ﾕﾅ" }).waitFor();
  await set.selectOption("GBK");
  await page.locator("dialog li", { hasText: "张三" }).locator("button").click();
  await page.locator("main.play").waitFor();
  assert.equal(await movesOf(page), "h8i7");
  await act(page, "save");
  await page.locator("dialog select[name=format]").selectOption("psq");
  const [saved] = await Promise.all([page.waitForEvent("download"), act(page, "download")]);
  assert.deepEqual(readFileSync(await saved.path()), buffer);
  await context.close();
  assert.deepEqual(errors, []);
});

test("a tree of many thousand moves is opened whole, and drawn where one looks", async () => {
  const letters = [..."abcdefghijklmno"];
  const points = letters.flatMap((x) => letters.map((y) => x + y)).filter((point) => point !== "hh");
  const branch = (/** @type {string} */ point) =>
    `(;W[${point}]${points
      .filter((other) => other !== point)
      .map((other) => `(;B[${other}])`)
      .join("")})`;
  const buffer = Buffer.from(`(;GM[4]SZ[15];B[hh]${points.map(branch).join("")})`);
  const { page, context, errors } = await openPage(`${server.url}#/library`);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), act(page, "import")]);
  await chooser.setFiles([{ name: "wide.sgf", mimeType: "text/plain", buffer }]);
  await page.locator("main.play").waitFor();
  const nodes = await page.evaluate(() => JSON.parse(localStorage.getItem("tengen.game") ?? "{}").nodes.length);
  assert.equal(nodes, 2 + 224 + 224 * 223);
  await act(page, "tree-picture");
  await page.locator(".tree-picture g.here").waitFor();
  const titles = page.locator(".tree-picture g title");
  assert.ok((await titles.count()) < 1000);
  // The last lanes are empty until one goes there.
  const last = page.locator(".tree-picture g title", { hasText: /^3\. A13$/ });
  assert.equal(await last.count(), 0);
  await page.locator(".tree-picture").evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await last.waitFor({ state: "attached" });
  assert.ok((await titles.count()) < 1000);
  await context.close();
  assert.deepEqual(errors, []);
});

test("a link that was only looked at leaves nothing behind, and long lists go on when asked", async () => {
  const own = await startServer();
  const game = (/** @type {number} */ n) => ({
    v: 1,
    id: `g-${n}`,
    seq: 1,
    saved: n,
    title: "",
    rule: "freestyle",
    size: 15,
    setup: null,
    seats: [{ who: "human" }, { who: "human" }],
    names: ["", ""],
    nodes: [{ p: -1 }, { p: 0, m: "h8" }],
    at: 1,
    tip: 1,
    plies: 1,
  });
  mkdirSync(join(own.data, "games"), { recursive: true });
  for (let n = 0; n < 503; n++) writeFileSync(join(own.data, "games", `g-${n}.json`), JSON.stringify(game(n)));
  const { page, context, errors } = await openPage(`${own.url}#/play?r=freestyle15&m=a1b2`);
  await waitCell(page, "b2", /white, move 2/);
  await page.waitForFunction(() => localStorage.getItem("tengen.game.unsent") === null);
  await page.locator('body > header nav a[href="#/library"]').click();
  await page.locator(".library .hint").getByText("503 games").waitFor();
  const rows = page.locator(".library tbody tr");
  assert.equal(await rows.count(), 500);
  await act(page, "more-games");
  await page.waitForFunction(() => document.querySelectorAll(".library tbody tr").length === 503);
  assert.equal(await page.locator("[data-action=more-games]").count(), 0);

  await page.locator('body > header nav a[href="#/play"]').click();
  await cell(page, "c3").click();
  await page.waitForFunction(() => localStorage.getItem("tengen.game.unsent") === null);
  await page.locator('body > header nav a[href="#/library"]').click();
  await page.locator(".library .hint").getByText("504 games").waitFor();
  await context.close();
  await own.kill();
  own.clean();
  assert.deepEqual(errors, []);
});
