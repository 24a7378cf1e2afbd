// Measures the page against its budgets in a real browser; one JSON line for each figure. Run by `cargo xtask perf`.
import { readFileSync } from "node:fs";
import { act, closeBrowser, openBrowser, openPage, ready, startServer } from "./helpers.js";

const SOAK = Number(process.env.SOAK ?? 30);
const BUSY = "r=freestyle15&m=h8i9h9h7i8g8j7g10i10i7";

/** @param {string} what @param {number} value @param {string} unit @param {number} budget */
const report = (what, value, unit, budget) => console.log(JSON.stringify({ what, value, unit, budget }));

/** @param {number[]} values @param {number} share */
const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];

/** @param {string} url @param {string} [hash] */
async function analysisPage(url, hash = BUSY) {
  const opened = await openPage(`${url}#/rules`);
  await opened.page.evaluate(() =>
    localStorage.setItem(
      "tengen.settings",
      JSON.stringify({ v: 2, mode: "analyze", most: 40, lines: 5, think: 3_600_000, auto: false }),
    ),
  );
  await opened.page.goto(`${url}#/play?${hash}`);
  await opened.page.reload();
  await ready(opened.page);
  return opened;
}

/** @param {import("playwright-core").CDPSession} client @returns {Promise<Record<string, number>>} */
async function metrics(client) {
  const answer = await client.send("Performance.getMetrics");
  return Object.fromEntries(answer.metrics.map((one) => [one.name, one.value]));
}

/** Bytes as served, for the first page and for all of them with their dialogs, in one language. @param {string} url */
async function sizes(url) {
  const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 720 }, locale: "en-US" });
  const page = await context.newPage();
  let bytes = 0;
  page.on("response", (answer) => {
    if (!new URL(answer.url()).pathname.startsWith("/api/")) bytes += Number(answer.headers()["content-length"] ?? 0);
  });
  await page.goto(url);
  await ready(page);
  report("first load, gzip", bytes / 1000, "KB", 60);
  const links = await page
    .locator("body > header nav a")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  for (const link of [...links, "#/play"]) {
    await page.locator(`body > header nav a[href="${link}"]`).first().click();
    await page.waitForTimeout(500);
  }
  await page.locator("#tab-review").click();
  for (const action of ["new", "save", "trace"]) {
    await act(page, action);
    await page.locator("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
  }
  report("all pages in one language, gzip", bytes / 1000, "KB", 140);
  await context.close();
}

/** @param {string} url */
async function firstPaint(url) {
  const paints = [];
  for (let i = 0; i < 9; i++) {
    const { page, context } = await openPage(url);
    paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0));
    await context.close();
  }
  report("first paint, median of 9", quantile(paints, 0.5), "ms", 200);
}

/**
 * From the press of the button to the frame that shows the stone, as the browser itself counts it.
 * @param {string} url
 */
async function clicks(url) {
  const { page, context } = await openPage(`${url}#/play?r=freestyle15&m=`);
  await page.evaluate(() => {
    const seen = /** @type {any} */ (window);
    seen.delays = [];
    new PerformanceObserver((list) =>
      seen.delays.push(
        ...list
          .getEntries()
          .filter((one) => /^(pointerdown|pointerup|click)$/.test(one.name))
          .map((one) => one.duration),
      ),
    ).observe(/** @type {any} */ ({ type: "event", durationThreshold: 16 }));
  });
  // No two are neighbors, so that nobody wins.
  const places = [1, 3, 5, 7, 9, 11, 13, 15].flatMap((row) => [..."acegikmo"].map((column) => `${column}${row}`));
  for (const place of places) {
    await page.locator(`[role=gridcell][data-point=${place}]`).click();
    await page.waitForTimeout(60);
  }
  // The browser reports only delays of 16 ms or more; the others were shorter.
  const slow = /** @type {number[]} */ (await page.evaluate(() => /** @type {any} */ (window).delays));
  const all = [...slow, ...Array(Math.max(0, places.length - slow.length)).fill(16)];
  report(`click to stone, 95 % of ${places.length}`, quantile(all, 0.95), "ms", 50);
  await context.close();
}

/** Processor time of a process in seconds. @param {number} pid */
function cpu(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** @param {Awaited<ReturnType<typeof startServer>>} server */
async function stops(server) {
  const { page, context } = await analysisPage(server.url);
  const waits = [];
  const loads = [];
  for (let i = 0; i < 5; i++) {
    await page.keyboard.press("Space");
    await page.locator(".pill[data-state=thinking]").waitFor();
    await page.waitForTimeout(800);
    waits.push(
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            const pill = /** @type {HTMLElement} */ (document.querySelector(".pill"));
            const begun = performance.now();
            new MutationObserver(() => pill.dataset.state === "idle" && resolve(performance.now() - begun)).observe(
              pill,
              { attributes: true },
            );
            dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
          }),
      ),
    );
    await page.waitForTimeout(500);
    const before = cpu(Number(server.pid));
    await page.waitForTimeout(1000);
    loads.push((cpu(Number(server.pid)) - before) * 100);
  }
  report("stop to idle, longest of 5", Math.max(...waits.map(Number)), "ms", 100);
  report("processor half a second after a stop", Math.max(...loads), "%", 5);
  await context.close();
}

/** A made-up analysis with 40 candidates, so that every update is as large as one can be. @param {string} url */
async function overlay(url) {
  const { page, context } = await analysisPage(url);
  /** @type {{ send: (text: string) => void } | null} */
  let link = null;
  /** @type {any} */
  let asked = null;
  await page.routeWebSocket("**/ws", (socket) => {
    const server = socket.connectToServer();
    link = socket;
    socket.onMessage((text) => {
      const message = JSON.parse(String(text));
      if (message.t === "think") asked = message;
      else server.send(text);
    });
    server.onMessage((text) => socket.send(text));
  });
  await page.reload();
  await ready(page);
  await page.locator("#tab-depth").click();
  await act(page, "analyze");
  for (let i = 0; i < 600 && !asked; i++) await page.waitForTimeout(50);
  const client = await context.newCDPSession(page);
  await client.send("Performance.enable");
  const free = [...Array(225).keys()]
    .map((i) => `${"abcdefghijklmno"[i % 15]}${1 + Math.floor(i / 15)}`)
    .filter((one) => !BUSY.includes(one))
    .slice(60, 100);
  const scripts = [];
  let layouts = 0;
  const updates = 100;
  // The first one brings the table; what counts is what every further one costs.
  for (let i = -1; i < updates; i++) {
    const cand = free.map((m, k) => ({
      m,
      p: (1 + ((k * 7 + i + 1) % 40)) / 820,
      e: { v: 40 - k + (i % 5) },
      w: 0.5,
      d: 8,
      sd: 12,
      n: 1000 + i,
      pv: [m, "a1", "b2", "c3", "d4", "e5"],
    }));
    const before = await metrics(client);
    // @ts-ignore the socket is there once the page has asked
    link.send(
      JSON.stringify({
        t: "info",
        id: asked.id,
        rev: asked.rev,
        seq: i + 1,
        depth: 8,
        seldepth: 12,
        nodes: 1000 * i,
        evals: 500 * i,
        nps: 100000,
        ms: 50 * i,
        cand,
      }),
    );
    await page.evaluate(
      () =>
        new Promise((resolve) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(resolve)), 120)),
    );
    const after = await metrics(client);
    if (i < 0) continue;
    scripts.push((after.ScriptDuration - before.ScriptDuration) * 1000);
    layouts += after.LayoutCount - before.LayoutCount;
  }
  report("script for an update with 40 candidates, median", quantile(scripts, 0.5), "ms", 4);
  report("layouts for an update, mean", layouts / updates, "", 0);
  await context.close();
}

/** Positions that no search settles, so that the analysis goes on. */
const QUIET = "r=freestyle15&m=h8i8f9g7";

/**
 * An analysis that goes on, with a step to and fro every ten seconds: the heap of each minute on the error stream, its
 * growth as the figure.
 * @param {string} url
 */
async function soak(url) {
  const { page, context } = await analysisPage(url, QUIET);
  const client = await context.newCDPSession(page);
  await client.send("Performance.enable");
  const used = async () => {
    await client.send("HeapProfiler.collectGarbage");
    return (await metrics(client)).JSHeapUsedSize / 1e6;
  };
  let updates = 0;
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => String(payload).startsWith('{"t":"info"') && updates++),
  );
  await page.reload(); // only a socket that opens from here on is counted
  await ready(page);
  await page.keyboard.press("Space");
  await page.waitForTimeout(5000);
  const [before, begun] = [await used(), Date.now()];
  console.error(`heap ${before.toFixed(2)} MB at the start`);
  let now = before;
  for (let done = 0; done < SOAK; done += 10) {
    await page.waitForTimeout(Math.min(SOAK - done, 10) * 1000);
    await page.keyboard.press((done / 10) % 2 ? "ArrowRight" : "ArrowLeft");
    if ((done + 10) % 60 && done + 10 < SOAK) continue;
    now = await used();
    const state = await page.locator(".pill").getAttribute("data-state");
    console.error(
      `heap ${now.toFixed(2)} MB after ${Math.round((Date.now() - begun) / 1000)} s, ${updates} updates, ${state}`,
    );
  }
  if (updates < SOAK) throw new Error(`only ${updates} updates came in ${SOAK} s`);
  report(`heap growth in ${SOAK} s of analysis`, Math.max(0, now - before), "MB", 10);
  await context.close();
}

const server = await startServer();
try {
  const parts = {
    sizes: () => sizes(server.url),
    firstPaint: () => firstPaint(server.url),
    clicks: () => clicks(server.url),
    stops: () => stops(server),
    overlay: () => overlay(server.url),
    soak: () => soak(server.url),
  };
  const only = process.env.ONLY?.split(",");
  for (const [name, part] of Object.entries(parts)) if (!only || only.includes(name)) await part();
} finally {
  await closeBrowser();
  await server.kill("SIGTERM");
  server.clean();
}
