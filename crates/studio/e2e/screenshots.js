// Pictures of every page, desktop and phone, light and dark: `npm run screenshots` writes them to docs/screenshots.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { closeBrowser, openPage, startServer } from "./helpers.js";

const folder = process.env.SHOTS ?? new URL("../../../docs/screenshots/", import.meta.url).pathname;
const POSITION = "r=freestyle15&m=h8i9h9h7i8g8j7g10i10i7";
const WON = "r=freestyle15&s=b:h8,i8,g9,j11_w:h9,i9,f10,k12_b";
const PAGES = { play: `#/play?${POSITION}`, lab: "#/lab", tune: "#/tune", openings: "#/openings?r=renju15&m=h8h9", solve: `#/solve?${WON}`, games: "#/library", rules: "#/rules", settings: "#/settings" };
const only = process.env.ONLY?.split(",");
const SCREENS = {
  desktop: { viewport: { width: 1280, height: 720 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

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

/** Games of the lab are opened, so that the library has some. */
async function fillLibrary() {
  const { page, context } = await openPage(`${server.url}#/lab`);
  for (let i = 0; i < 6; i++) {
    await page.goto(`${server.url}#/lab`);
    await page.locator("[data-action=open-game]").nth(i).click();
    await page.locator("main.play").waitFor();
    await page.locator(".status[data-state=over]").waitFor();
    await page.waitForTimeout(500); // the result is written into the game
    await page.waitForFunction(() => localStorage.getItem("tengen.game.unsent") === null);
  }
  await context.close();
}

mkdirSync(folder, { recursive: true });
const server = await startServer();
try {
  mkdirSync(`${server.data}/books`, { recursive: true });
  execFileSync(String(process.env.TENGEN_BIN), ["book", "build", "--book", `${server.data}/books/main.redb`, "--rule", "renju", "--from", "h8h9", "--entries", "80", "--width", "6", "--nodes", "4000"], { stdio: "ignore" });
  await run("api/runs", { name: "example", rule: "renju", size: 15, games: 60, openings: "", players: [{ spec: "alpha-beta(depth=2)" }, { spec: "compositions" }], jobs: 1 });
  const params = [["live-three", 0, 2500], ["sleep-three", 0, 1000], ["live-two", 0, 1000], ["sleep-two", 0, 1000]];
  await run("api/tunes", { name: "example", rule: "freestyle", size: 15, player: "static-table(depth=1)", params: params.map(([name, low, high]) => ({ name, low, high })), method: "de", generations: 6, games: 2, snapshot_games: 20, test_games: 0 });
  await fillLibrary();
  for (const [screen, options] of Object.entries(SCREENS)) {
    for (const theme of ["light", "dark"]) {
      for (const [name, hash] of Object.entries(PAGES).filter(([one]) => !only || only.includes(one))) {
        const { page, context } = await openPage(`${server.url}#/rules`, options);
        await page.evaluate((chosen) => localStorage.setItem("tengen.settings", JSON.stringify({ v: 1, theme: chosen, mode: "analyse" })), theme);
        await page.goto(`${server.url}${hash}`);
        await page.reload();
        await page.locator("html[data-ready=yes]").waitFor();
        if (name === "play") {
          await page.locator("main .board").waitFor();
          await page.keyboard.press("Space"); // analysis on, and off again once there are lines to see
          await page.waitForTimeout(2500);
          await page.keyboard.press("Escape");
        }
        if (name === "solve") {
          await page.locator("[data-action=solve]").click();
          await page.locator(".answer[data-state=win]").waitFor({ timeout: 120_000 });
          await page.locator("[data-action=check-proof]").click();
          await page.locator(".verdict").waitFor();
          await page.locator("[data-action=proof-next]").click();
          await page.evaluate(() => (document.querySelector(".page")?.scrollTo({ top: 0 }), scrollTo({ top: 0 })));
        }
        await page.waitForTimeout(600); // let fonts and the first answers of the server arrive
        await page.screenshot({ path: `${folder}${name}-${screen}-${theme}.png` });
        await context.close();
      }
    }
  }
} finally {
  await closeBrowser();
  await server.kill("SIGTERM");
  server.clean();
}
