// Pictures of every page, desktop and phone, light and dark: `npm run screenshots` writes them to docs/screenshots.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { act, cell, closeBrowser, openPage, startServer } from "./helpers.js";

const folder = process.env.SHOTS ?? fileURLToPath(new URL("../../../docs/screenshots/", import.meta.url));
const POSITION = "r=freestyle15&m=h8i9h9h7i8g8j7g10i10i7";
const WON = "r=freestyle15&s=b:h8,i8,g9,j11_w:h9,i9,f10,k12_b";
const PAGES = {
  play: `#/play?${POSITION}`,
  lab: "#/lab",
  tune: "#/tune",
  openings: "#/openings?r=freestyle15&m=h8i9",
  solve: `#/solve?${WON}`,
  games: "#/library",
  rules: "#/rules",
  settings: "#/settings",
};
/** Starts of games, and who plays them; each differs from the one before, or that one would be gone on with. */
const GAMES = [
  ["h8i9j7", "compositions", "alpha-beta"],
  ["h8i9g8", "compositions", "greedy"],
  ["h8i9j7", "new-heuristic", "compositions"],
  ["h8i9j9", "alpha-beta", "compositions"],
  ["h8i9j7", "greedy", "compositions"],
  ["h8i9g9", "greedy", "alpha-beta"],
  ["h8h9g9", "new-heuristic", "compositions"],
];
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

/** Games from well-known starts, so that the library and the openings have some to show. */
async function playGames() {
  const { page, context } = await openPage(`${server.url}#/rules`);
  for (const [start, black, white] of GAMES) {
    await page.goto(`${server.url}#/play?r=freestyle15&m=${start}`);
    await page.locator("main.play").waitFor();
    await page.locator("[data-seat=black]").selectOption(black);
    await page.locator("[data-seat=white]").selectOption(white);
    await page.locator(".status[data-state=over]").waitFor({ timeout: 120_000 });
    await page.waitForFunction(
      () =>
        JSON.parse(localStorage.getItem("tengen.game") ?? "{}").end &&
        localStorage.getItem("tengen.game.unsent") === null,
    );
  }
  // Whatever is set up next is for people, until someone says otherwise.
  for (const side of ["black", "white"]) await page.locator(`[data-seat=${side}]`).selectOption("human");
  await context.close();
}

/** A line that was tried and given up, and what was thought of it. */
async function studyPosition() {
  const { page, context } = await openPage(`${server.url}#/play?${POSITION}`);
  for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowLeft");
  for (const place of ["i11", "g7", "j10"]) await cell(page, place).click();
  const goTo = (/** @type {string} */ move) => page.locator(".moves a").getByText(move, { exact: true }).click();
  await goTo("G10");
  await page.locator(".tree-tools textarea").fill("Stops the three on the diagonal.");
  await page.locator(".tree-tools textarea").press("Tab");
  await goTo("I7");
  await page.waitForFunction(() => localStorage.getItem("tengen.game.unsent") === null);
  await context.close();
}

/** @param {import("playwright-core").Page} page */
async function analyze(page) {
  await page.keyboard.press("Space"); // analysis on, and off again once there are lines to see
  await page.locator(".candidates tbody tr").nth(2).waitFor({ timeout: 60_000 });
  await page.waitForTimeout(3000);
  await page.keyboard.press("Escape");
}

/** A win found, checked and walked into. @param {import("playwright-core").Page} page */
async function proveWin(page) {
  await act(page, "solve");
  await page.locator(".answer[data-state=win]").waitFor({ timeout: 120_000 });
  await act(page, "check-proof");
  await page.locator(".verdict").waitFor();
  await act(page, "proof-next");
  await page.evaluate(() => (document.querySelector(".page")?.scrollTo({ top: 0 }), scrollTo({ top: 0 })));
}

mkdirSync(folder, { recursive: true });
const server = await startServer();
try {
  await playGames();
  await run("api/runs", {
    name: "depth against shapes",
    rule: "freestyle",
    size: 15,
    games: 60,
    openings: "",
    players: [{ spec: "alpha-beta(depth=2)" }, { spec: "compositions" }],
    jobs: 1,
  });
  const params = [
    ["live-three", 0, 500],
    ["sleep-three", 0, 100],
    ["live-two", 0, 40],
    ["opp-live-three", 0, 1000],
  ];
  await run("api/tunes", {
    name: "weights of shapes",
    rule: "freestyle",
    size: 15,
    player: "static-table(depth=1)",
    params: params.map(([name, low, high]) => ({ name, low, high })),
    method: "de",
    generations: 12,
    games: 2,
    snapshot_games: 40,
    test_games: 0,
  });
  await studyPosition();
  for (const [screen, options] of Object.entries(SCREENS)) {
    for (const theme of ["light", "dark"]) {
      for (const [name, hash] of Object.entries(PAGES).filter(([one]) => !only || only.includes(one))) {
        const { page, context } = await openPage(`${server.url}#/rules`, options);
        await page.evaluate(
          (chosen) => localStorage.setItem("tengen.settings", JSON.stringify({ v: 2, theme: chosen, mode: "analyze" })),
          theme,
        );
        await page.goto(`${server.url}${hash}`);
        await page.reload();
        await page.locator("html[data-ready=yes]").waitFor();
        if (name === "play") await analyze(page);
        if (name === "solve") await proveWin(page);
        // On a phone the result lies below the form.
        if (screen === "phone" && ["lab", "tune"].includes(name))
          await page.locator(".list [data-run]").first().click();
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
