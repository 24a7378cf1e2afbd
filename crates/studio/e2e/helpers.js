// A server of its own for each test file, and a browser that is closed whatever happens.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** @type {import("playwright-core").Browser | null} */
let browser = null;

export async function openBrowser() {
  const executablePath = process.env.TENGEN_CHROMIUM ?? "/usr/bin/chromium";
  browser ??= await chromium.launch({ executablePath, args: FLAGS });
  return browser;
}

export async function closeBrowser() {
  await browser?.close();
  browser = null;
}

/**
 * Starts `tengen studio` on a free port; `kill` ends it as a crash would.
 * @param {string} [data]
 * @param {number} [port]
 */
export async function startServer(data = mkdtempSync(join(tmpdir(), "tengen-e2e-")), port = 0) {
  const program = process.env.TENGEN_BIN;
  if (!program) throw new Error("TENGEN_BIN names the program to test");
  const extra = process.env.TENGEN_ARGS ? JSON.parse(process.env.TENGEN_ARGS) : ["studio", "--no-open"];
  const child = spawn(program, [...extra, "--port", String(port), "--data", data], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (/** @type {Buffer} */ chunk) => {
      text += chunk;
      const found = /http:\/\/\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
  });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  return {
    url: /** @type {string} */ (url),
    data,
    port: Number(new URL(/** @type {string} */ (url)).port),
    pid: child.pid,
    kill: async (/** @type {NodeJS.Signals} */ signal = "SIGKILL") => {
      child.kill(signal);
      await ended;
    },
    clean: () => rmSync(data, { recursive: true, force: true }),
  };
}

/** A server for the tests of a file: started before the first, ended with its data and the browser after the last. */
export function withServer() {
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server;
  before(async () => {
    server = await startServer();
  });
  after(async () => {
    await closeBrowser();
    await server.kill("SIGTERM");
    server.clean();
  });
  return {
    get url() {
      return server.url;
    },
    get data() {
      return server.data;
    },
    /** Ends the server as a crash would. */
    kill: () => server.kill(),
    /** Starts it again with its data, at the same address. */
    restart: async () => {
      server = await startServer(server.data, server.port);
    },
  };
}

/**
 * Opens the page and waits until it is ready. Errors of the page fail the test.
 * @param {string} url
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
export async function openPage(url, options = {}) {
  const context = await (
    await openBrowser()
  ).newContext({ viewport: { width: 1280, height: 720 }, locale: "en-US", ...options });
  const page = await context.newPage();
  /** @type {string[]} */
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
  page.on(
    "console",
    (message) =>
      message.type() === "error" && !/WebSocket|ERR_CONNECTION/.test(message.text()) && errors.push(message.text()),
  );
  await page.goto(url);
  await ready(page);
  return { page, context, errors };
}

/** @param {import("playwright-core").Page} page */
export async function ready(page) {
  await page.locator("html[data-ready=yes]").waitFor({ timeout: 30_000 });
}

/** @param {import("playwright-core").Page} page @param {string} place */
export const cell = (page, place) => page.locator(`[role=gridcell][data-point=${place}]`);

/**
 * Waits until a cell's label matches.
 * @param {import("playwright-core").Page} page
 * @param {string} place
 * @param {RegExp} label
 */
export async function waitCell(page, place, label) {
  await page.locator(`[role=gridcell][data-point=${place}]`).and(page.getByLabel(label)).waitFor({ timeout: 30_000 });
}

/**
 * The moves in the address, which follows the board after the next paint.
 * @param {import("playwright-core").Page} page
 */
export async function movesOf(page) {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  return /[?&]m=([^&]*)/.exec(page.url())?.[1] ?? "";
}

/** @param {import("playwright-core").Page} page @param {string} action */
export const act = (page, action) => page.locator(`[data-action="${action}"]`).first().click();
