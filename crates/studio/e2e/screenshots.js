// Pictures of what the studio does, on four screens: `npm run screenshots` writes them to docs/screenshots.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { act, cell, closeBrowser, openPage, startServer } from "./helpers.js";

const folder = process.env.SHOTS ?? fileURLToPath(new URL("../../../docs/screenshots/", import.meta.url));
const GAME = "h8i9h9h7i8g8j7g10i10i7";
/** A game with faults on both sides; White has a four at its end, and Black plays elsewhere. */
const FAULTS = "h8i9h9h7i8g8j7k6i10g9g10i7o15";
const only = process.env.ONLY?.split(",");
const SCREENS = {
  desktop: { viewport: { width: 1280, height: 900 } },
  wide: { viewport: { width: 1920, height: 1080 } },
  tablet: { viewport: { width: 1024, height: 768 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};
/** What is shown: settings, address, and what is done before the picture is taken. */
const SCENES = /** @type {Record<string, [any, string, (page: import("playwright-core").Page) => Promise<any>]>} */ ({
  play: [
    { mode: "play" },
    `#/play?r=freestyle15&m=${GAME}`,
    (page) => page.locator("[data-seat=white]").selectOption("engine"),
  ],
  analyze: [{ mode: "analyze", theme: "dark", analysis: 4000, auto: true }, `#/play?r=freestyle15&m=${GAME}`, analyze],
  review: [{ mode: "analyze", auto: false, sweep: 300 }, `#/play?r=freestyle15&m=${FAULTS}`, review],
  end: [{ mode: "play" }, "#/play?r=freestyle15&m=h8a1h9b3h10c5h11d7", win],
  puzzles: [{ theme: "dark" }, "#/puzzles", (page) => page.locator("[data-action=puzzle-hint]:enabled").waitFor()],
  tournament: [{}, "#/lab", (page) => page.locator(".cross tbody tr").first().waitFor()],
});

/** Has the server do something, so that there is something to see. @param {string} path @param {any} body */
async function run(path, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${server.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  const { id } = await answer.json();
  for (;;) {
    const { state } = await (await fetch(`${server.url}${path}/${id}`)).json();
    if (!["running", "stopping"].includes(state)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** @param {import("playwright-core").Page} page */
async function analyze(page) {
  await page.locator("[data-analysis=done]").waitFor({ timeout: 60_000 });
}

/** @param {import("playwright-core").Page} page */
async function review(page) {
  await act(page, "analyze-game");
  await page.locator("[data-accuracy=black]").waitFor({ timeout: 300_000 });
  await page.locator(".faults li button").first().click();
}

/** Black makes five against a player. @param {import("playwright-core").Page} page */
async function win(page) {
  await page.locator("[data-seat=white]").selectOption("greedy");
  await cell(page, "h7").click();
  await page.locator("[data-action=confirm], .end-card").first().waitFor();
  if (await page.locator("[data-action=confirm]").count()) await act(page, "confirm");
  await page.locator(".end-card").waitFor({ timeout: 60_000 });
}

mkdirSync(folder, { recursive: true });
const server = await startServer();
try {
  await run("api/runs", {
    name: "every player against every other",
    rule: "freestyle",
    size: 15,
    games: 8,
    openings: "",
    schedule: "round-robin",
    players: ["alpha-beta(depth=2)", "compositions", "greedy", "static-table"].map((spec) => ({ spec })),
    jobs: 1,
  });
  for (const [screen, options] of Object.entries(SCREENS)) {
    for (const [name, [settings, hash, prepare]] of Object.entries(SCENES)) {
      if (only && !only.includes(name) && !only.includes(`${name}-${screen}`)) continue;
      const { page, context } = await openPage(`${server.url}#/rules`, options);
      await page.evaluate(
        (chosen) => localStorage.setItem("tengen.settings", JSON.stringify({ v: 2, theme: "light", ...chosen })),
        // Grain makes pictures large: one of the desktop shows it, and those of the phone.
        { board: name === "analyze" || screen === "phone" ? "kaya" : "paper", ...settings },
      );
      await page.goto(`${server.url}${hash}`);
      await page.reload();
      await page.locator("html[data-ready=yes]").waitFor();
      if (name === "tournament") await page.locator(".list [data-run]").first().click();
      await prepare(page);
      await page.waitForTimeout(600); // let fonts and the first answers of the server arrive
      await page.screenshot({ path: `${folder}${name}-${screen}.png` });
      await context.close();
    }
  }
} finally {
  await closeBrowser();
  await server.kill("SIGTERM");
  server.clean();
}
