// Every page in every language, desktop and phone: no word missing, none that does not fit, one language served.
import assert from "node:assert/strict";
import { test } from "node:test";
import { act, openPage, ready, withServer } from "./helpers.js";

const LANGUAGES = ["en", "zh-CN", "zh-TW", "ja", "ko", "ru", "vi"];
const SCREENS = {
  desktop: { viewport: { width: 1280, height: 720 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};
const POSITION = "r=renju15&m=h8i9h9h7i8";
const server = withServer();

for (const code of LANGUAGES) {
  test(`every page speaks ${code}, and every word fits`, async () => {
    for (const [screen, options] of Object.entries(SCREENS)) {
      const { page, context, errors } = await openPage(`${server.url}#/rules`, { ...options, locale: code });
      assert.equal(await page.locator("html").getAttribute("lang"), code, "the browser's language is taken at first");
      /** @type {string[]} */
      const served = [];
      page.on("request", (request) => request.url().includes("/lang/") && served.push(new URL(request.url()).pathname));
      await page.evaluate(() => localStorage.setItem("tengen.settings", JSON.stringify({ v: 2, mode: "analyze" })));
      await page.goto(`${server.url}#/play?${POSITION}`);
      await page.reload();
      await ready(page);
      assert.deepEqual([...new Set(served)], [`/lang/${code}.js`], "the first page needs no more words");
      const links = await page
        .locator("body > header nav a")
        .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
      for (const link of links) {
        await page.locator(`body > header nav a[href="${link}"]`).click();
        await page.locator(`body > header nav a[href="${link}"][aria-current=page]`).waitFor();
        await page.locator("main h1").first().waitFor({ state: "attached" });
        await page.waitForTimeout(150); // what a page loads later arrives
        assert.deepEqual(await misfits(page), [], `${link} on ${screen}`);
      }
      await page.locator('body > header nav a[href="#/play"]').click();
      for (const tab of ["breakdown", "depth", "review", "moves"]) {
        await page.locator(`#tab-${tab}`).click();
        assert.deepEqual(await misfits(page), [], `tab ${tab} on ${screen}`);
      }
      for (const action of ["new", "save", "help", "black-parameters"]) {
        await act(page, action);
        await page.locator("dialog").waitFor();
        assert.deepEqual(await misfits(page), [], `dialog ${action} on ${screen}`);
        await page.keyboard.press("Escape");
        await page.locator("dialog").waitFor({ state: "detached" });
      }
      // A missing word would have brought the English file as well.
      assert.deepEqual([...new Set(served)].sort(), [`/lang/${code}.js`, `/lang/more/${code}.js`].sort());
      await context.close();
      assert.deepEqual(errors, []);
    }
  });
}

test("players and their parameters have names in every language", async () => {
  const { players } = await (await fetch(`${server.url}api/schema`)).json();
  const params = players
    .flatMap((/** @type {any} */ one) => (one.name === "engine" ? one.params.slice(0, 4) : one.params))
    .map((/** @type {any} */ one) => one.name);
  const shape = (/** @type {string} */ name) => `shape.${name.replace("opp-", "").replaceAll("-", " ")}`;
  for (const code of LANGUAGES.filter((one) => one !== "en")) {
    const words = {
      ...(await import(`../web/lang/${code}.js`)).default,
      ...(await import(`../web/lang/more/${code}.js`)).default,
    };
    // OWN2 and OPP3 are signs of a paper, not words.
    const named = params.filter((/** @type {string} */ one) => !/^(own|opp)\d$/.test(one));
    assert.deepEqual(
      named.filter((/** @type {string} */ one) => !(`param.${one}` in words) && !(shape(one) in words)),
      [],
      code,
    );
    assert.deepEqual(
      players
        .filter((/** @type {any} */ one) => !(`player.${one.name}` in words))
        .map((/** @type {any} */ one) => one.name),
      [],
      code,
    );
  }
});

test("another language is shown at once, without losing the game", async () => {
  const { page, context } = await openPage(`${server.url}#/play?${POSITION}`);
  await page.locator('body > header nav a[href="#/settings"]').click();
  await page.locator("select[name=lang]").selectOption("ru");
  await page.getByRole("heading", { name: "Опции", exact: true }).first().waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "ru");
  await page.locator('body > header nav a[href="#/play"]').click();
  await page.getByRole("gridcell", { name: "H8 чёрные, ход 1" }).waitFor();
  await page.reload();
  await ready(page);
  assert.equal(await page.locator("html").getAttribute("lang"), "ru", "the choice is kept");
  await context.close();
});

/**
 * Texts that are keys, and controls whose words do not fit into them.
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>}
 */
function misfits(page) {
  return page.evaluate(() => {
    /** @type {string[]} */
    const found = [];
    const root = document.querySelector("dialog") ?? document.body;
    for (const one of /** @type {Iterable<HTMLElement>} */ (
      root.querySelectorAll(
        "button, [role=tab], label > span, nav a, th, dt, summary b, h1, h2, h3, figcaption, .badge, .status",
      )
    )) {
      if (!one.offsetParent || one.closest(".sr-only")) continue;
      const style = getComputedStyle(one);
      if (style.display === "inline" || style.fontSize === "0px") continue;
      if (one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
        found.push(
          `does not fit: <${one.localName} class="${one.className}"> ${one.textContent} (${one.scrollWidth} > ${one.clientWidth})`,
        );
      for (const child of one.children) {
        if (child.localName === "span" && child.getBoundingClientRect().right > one.getBoundingClientRect().right + 1)
          found.push(`sticks out: ${one.textContent}`);
      }
    }
    const words = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
      const text = words.currentNode.textContent?.trim() ?? "";
      if (/^[a-z]+(\.[a-z][a-z-]+)+$/.test(text)) found.push(`no words: ${text}`);
    }
    for (const one of root.querySelectorAll("[title], [aria-label], [placeholder]")) {
      for (const name of ["title", "aria-label", "placeholder"]) {
        if (/^[a-z]+(\.[a-z][a-z-]+)+$/.test(one.getAttribute(name) ?? ""))
          found.push(`no words: ${one.getAttribute(name)}`);
      }
    }
    for (const card of root.querySelectorAll("main .card")) {
      const { left, right } = card.getBoundingClientRect();
      if (left < -1 || right > innerWidth + 1)
        found.push(`a card reaches from ${left} to ${right}: ${card.textContent?.slice(0, 40)}`);
      for (const button of card.querySelectorAll("button:not(.scroll *)")) {
        if (button.getBoundingClientRect().right > right + 1)
          found.push(`sticks out of its card: ${button.textContent}`);
      }
    }
    if (document.documentElement.scrollWidth > innerWidth + 1)
      found.push(`the page is ${document.documentElement.scrollWidth} wide, the window ${innerWidth}`);
    return found;
  });
}
