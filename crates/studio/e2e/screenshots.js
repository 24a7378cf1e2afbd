// Pictures of every page, desktop and phone, light and dark: `npm run screenshots` writes them to docs/screenshots.
import { mkdirSync } from "node:fs";
import { closeBrowser, openPage, startServer } from "./helpers.js";

const folder = new URL("../../../docs/screenshots/", import.meta.url).pathname;
const POSITION = "r=freestyle15&m=h8i9h9h7i8g8j7g10i10i7";
const PAGES = { play: `#/play?${POSITION}`, lab: "#/lab", games: "#/games", rules: "#/rules", settings: "#/settings" };
const SCREENS = {
  desktop: { viewport: { width: 1280, height: 720 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

mkdirSync(folder, { recursive: true });
const server = await startServer();
try {
  for (const [screen, options] of Object.entries(SCREENS)) {
    for (const theme of ["light", "dark"]) {
      for (const [name, hash] of Object.entries(PAGES)) {
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
