// Studying a position in a real browser: lines, overlays, whole games, the search tree, set-up, pictures and files.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, test } from "node:test";
import { act, cell, movesOf, openPage, ready, waitCell, withServer } from "./helpers.js";

const GAME = "h8i9h9h7i8g8j7g10";
const server = withServer();
/** @type {Awaited<ReturnType<typeof openPage>>} */
let tab;
beforeEach(async () => {
  tab = await openPage(`${server.url}#/rules`);
  await tab.page.evaluate(() =>
    localStorage.setItem(
      "tengen.settings",
      JSON.stringify({
        v: 2,
        mode: "analyze",
        alg: "alpha-beta",
        think: 1500,
        analysis: 1500,
        sweep: 100,
        auto: false,
      }),
    ),
  );
  await tab.page.goto(`${server.url}#/play?r=freestyle15&m=${GAME}`);
  await tab.page.reload();
  await ready(tab.page);
});
afterEach(async () => {
  const { errors } = tab;
  await tab.context.close();
  assert.deepEqual(errors, []);
});

/** What is drawn over the stones: a sum that changes with the picture. @param {import("playwright-core").Page} page */
const picture = (page) =>
  page
    .locator(".play .board canvas")
    .nth(2)
    .evaluate((canvas) => {
      const board = /** @type {HTMLCanvasElement} */ (canvas);
      const { data } = /** @type {CanvasRenderingContext2D} */ (board.getContext("2d")).getImageData(
        0,
        0,
        board.width,
        board.height,
      );
      return data.reduce((sum, value, i) => (sum + value * (1 + (i % 997))) % 1_000_003, 0);
    });

test("analysis gives lines; the pointer shows one on the board, a digit another, and a press plays it", async () => {
  const { page } = tab;
  await act(page, "analyze");
  await page.locator(".candidates tbody tr").first().waitFor({ timeout: 30_000 });
  await page.locator(".pill[data-state=idle]").waitFor({ timeout: 30_000 });
  for (const id of ["eval", "win", "depth", "evals", "nodes", "time"])
    assert.match((await page.locator(`[data-number=${id}] dd`).textContent()) ?? "", /\d/, id);
  const calm = await picture(page);
  const row = page.locator(".candidates tbody tr").first();
  const line = page.locator(".candidates .pv").first();
  await line.locator("[data-n='1']").hover();
  const shown = await picture(page);
  assert.notEqual(shown, calm, "the line is on the board");
  await page.mouse.move(5, 5);
  assert.equal(await picture(page), calm);
  await page.keyboard.down("1");
  assert.notEqual(await picture(page), calm);
  await page.keyboard.up("1");
  assert.equal(await picture(page), calm);
  const move = await row.getAttribute("data-move");
  await row.locator("button.move").click();
  await waitCell(page, String(move), /black, move 9/);
  await page.keyboard.press("Control+z");
  await waitCell(page, String(move), /empty/);
});

test("lines stand whole under their candidates, wrapped and in letters, and a press on a move goes there", async () => {
  const { page } = tab;
  await page.setViewportSize({ width: 1280, height: 900 });
  await act(page, "analyze");
  await page.locator(".pill[data-state=idle]").waitFor({ timeout: 30_000 });
  const moves = page.locator(".candidates .pv").first().locator("[data-n]");
  const [n, cut] = [
    await moves.count(),
    await page
      .locator(".candidates .pv")
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length),
  ];
  assert.ok(n >= 3, `${n} moves`);
  assert.equal(cut, 0, "no line is cut off");
  const third = (await moves.nth(2).textContent())?.toLowerCase() ?? "";
  await moves.nth(2).click();
  await waitCell(page, third, /black, move 11/);
  await act(page, "lines-more");
  await page.locator("[data-lines]").getByText("4 lines").waitFor();
});

test("lines are gone along by keys, and are named for a screen reader", async () => {
  const { page } = tab;
  await act(page, "analyze");
  await page.locator(".pill[data-state=idle]").waitFor({ timeout: 30_000 });
  const line = page.getByRole("group", { name: "Line 1", exact: true });
  const moves = line.getByRole("button");
  assert.equal(await line.locator("[tabindex='0']").count(), 1, "one stop for the Tab key");
  const calm = await picture(page);
  await moves.first().focus();
  assert.notEqual(await picture(page), calm, "what has the focus is on the board");
  await page.keyboard.press("ArrowRight");
  assert.equal(await moves.nth(1).evaluate((one) => one === document.activeElement), true);
  const second = ((await moves.nth(1).textContent()) ?? "").toLowerCase();
  await page.keyboard.press("Enter");
  await waitCell(page, second, /white, move 10/);
});

test("a win that the solver proves and the checker accepts is called proved, and stays so", async () => {
  const { page } = tab;
  for (const alg of ["engine", "alpha-beta(depth=4)"]) {
    await page.evaluate(
      (alg) =>
        localStorage.setItem(
          "tengen.settings",
          JSON.stringify({ v: 2, mode: "analyze", alg, analysis: 3000, auto: false }),
        ),
      alg,
    );
    await page.goto(`${server.url}#/play?r=freestyle15&m=h8a1i8b3j8c5`);
    await page.reload();
    await ready(page);
    await act(page, "analyze");
    await page
      .locator(".claim")
      .getByText(/Black wins in \d+ plies \(proved\)/)
      .waitFor({ timeout: 60_000 });
  }
  await page.waitForFunction(() => localStorage.getItem("tengen.game.unsent") === null);
  await page.reload();
  await ready(page);
  await page.locator(".claim").getByText("(proved)").waitFor();
});

test("the static value says whose view it is from", async () => {
  const { page } = tab;
  await page.evaluate(() =>
    localStorage.setItem("tengen.settings", JSON.stringify({ v: 2, mode: "analyze", alg: "static-table" })),
  );
  await page.goto(`${server.url}#/play?r=freestyle15&m=h8a1i8`);
  await page.reload();
  await ready(page);
  await page.locator("#tab-breakdown").click();
  const caption = page.locator(".breakdown caption");
  await caption.getByText("Static value, Black's view: +").waitFor();
  await page.locator("[data-action=overlay]").selectOption("values");
  await page.locator(".legend-line").getByText("Value of each candidate.").waitFor();
});

test("a whole game is analyzed into a graph that can be pressed, with a bar", async () => {
  const { page } = tab;
  await act(page, "analyze-game");
  await page.locator("[data-action=analyze-game]:not([disabled])").waitFor({ timeout: 60_000 });
  await page.locator("#tab-review").click();
  const graph = page.locator(".graphs .chart").first();
  await graph.waitFor();
  await graph.click({ position: { x: 60, y: 40 } });
  await page.waitForFunction((all) => !location.hash.endsWith(all), GAME);
  assert.match((await page.locator(".eval-bar").getAttribute("aria-label")) ?? "", /\d/);
});

test("every overlay draws its own picture, and the static table one for each side", async () => {
  const { page } = tab;
  await page.locator("[data-action=overlay]").selectOption("static");
  await page.locator(".legend-line").getByText("does not rate single points").waitFor();
  await page.evaluate(() =>
    localStorage.setItem("tengen.settings", JSON.stringify({ v: 2, mode: "analyze", alg: "static-table" })),
  );
  await page.reload();
  await ready(page);
  await page.locator(".candidates tbody tr").first().waitFor();
  const seen = new Map();
  for (const overlay of ["candidates", "values", "order", "static", "threats", "none"]) {
    await page.locator("[data-action=overlay]").selectOption(overlay);
    seen.set(overlay, await picture(page));
  }
  assert.equal(new Set(seen.values()).size, 6, JSON.stringify([...seen]));
  await page.locator("[data-action=overlay]").selectOption("static");
  const sides = new Set();
  for (const side of ["max", "black", "white"]) {
    await page.locator("select[data-action=side]").selectOption(side);
    sides.add(await picture(page));
  }
  assert.equal(sides.size, 3);
  await page.locator("#tab-breakdown").click();
  await page.locator(".breakdown tbody tr").first().waitFor();
});

test("the search tree of a small search has windows and cuts, and folds out", async () => {
  const { page } = tab;
  await act(page, "trace");
  await page.locator("dialog [data-action=trace-run]").click();
  await page.locator("dialog .trace .node").first().waitFor({ timeout: 60_000 });
  const before = await page.locator("dialog .trace .node").count();
  assert.ok(before > 3, `${before} nodes`);
  await page
    .locator("dialog")
    .getByText(/\d+ (cut|cuts)/)
    .first()
    .waitFor();
  await page.keyboard.press("Escape");
});

test("a position is set up, turned, mirrored, and any side moves", async () => {
  const { page } = tab;
  await act(page, "reset");
  await act(page, "edit");
  await cell(page, "a1").click();
  await page.locator(".edit-bar [data-value=white]").click();
  await cell(page, "b1").click();
  await act(page, "flip");
  await waitCell(page, "o1", /black/);
  await act(page, "rotate");
  await page.waitForFunction(() => document.querySelectorAll('[role=gridcell][aria-label$="white"]').length === 1);
  await page.locator(".edit-bar [data-value=erase]").click();
  await page.locator('[role=gridcell][aria-label$="white"]').click();
  await page.waitForFunction(() => document.querySelectorAll('[role=gridcell][aria-label$="white"]').length === 0);
  const before = await page.locator(".status").textContent();
  await page.locator(".edit-bar [data-action=side]").click();
  await page.waitForFunction((text) => document.querySelector(".status")?.textContent !== text, before);
  await act(page, "edit-done");
});

test("the game is written in every format and as a picture, and read back", async () => {
  const { page } = tab;
  for (const [format, opened] of [
    ["psq", true],
    ["lib", true],
    ["pos-bytes", true],
    ["sgf", true],
    ["rec", true],
    ["sav", true],
    ["pos", false],
  ]) {
    await act(page, "save");
    await page.locator("dialog select[name=format]").selectOption(String(format));
    const [download] = await Promise.all([page.waitForEvent("download"), act(page, "download")]);
    const buffer = readFileSync(await download.path());
    assert.ok(buffer.length > 8, String(format));
    if (!opened) continue;
    await act(page, "reset");
    await page.waitForFunction(() => !/m=\w/.test(location.hash));
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), act(page, "open")]);
    await chooser.setFiles({ name: download.suggestedFilename(), mimeType: "application/octet-stream", buffer });
    await page
      .waitForFunction((moves) => location.hash.includes(`m=${moves}`), GAME, { timeout: 10_000 })
      .catch(async () => assert.fail(`${format}: ${await movesOf(page)}`));
  }
  await act(page, "save");
  const [png] = await Promise.all([page.waitForEvent("download"), act(page, "png")]);
  assert.equal(
    readFileSync(await png.path())
      .subarray(1, 4)
      .toString(),
    "PNG",
  );
  const [svg] = await Promise.all([page.waitForEvent("download"), act(page, "svg")]);
  assert.equal((readFileSync(await svg.path(), "utf8").match(/url\(#[bw]\)/g) ?? []).length, 8, "eight stones");
  const address = await page.locator("dialog input[readonly]").first().inputValue();
  await page.keyboard.press("Escape");
  const other = await openPage(address);
  await waitCell(other.page, "g10", /white, move 8/);
  await other.context.close();
});

test("the sheet of keys names every key that works, and a key can be changed", async () => {
  const { page } = tab;
  await page.keyboard.press("?");
  await page.locator("dialog .keys").waitFor();
  const rows = await page.locator("dialog .keys dl > div").count();
  assert.ok(rows >= 29, `${rows} keys`);
  await page.keyboard.press("Escape");
  await page.locator("dialog .keys").waitFor({ state: "hidden" });
  // In a list of choices a letter is the list's, so nothing may have the focus, also not given back by the
  // dialog a moment later.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  await page.evaluate(() => /** @type {HTMLElement | null} */ (document.activeElement)?.blur());
  await page.keyboard.press("x");
  await page.waitForFunction(
    () => /** @type {HTMLSelectElement} */ (document.querySelector("[data-action=overlay]")).value === "threats",
  );
  await page.keyboard.press("m");
  await page.locator("main.mode-play").waitFor();
  await page.keyboard.press("Home");
  await page.waitForFunction(() => !location.hash.includes("m="));
});

test("the tree is a picture in which a press goes to a move", async () => {
  const { page } = tab;
  await page.keyboard.press("ArrowLeft");
  await cell(page, "k10").click();
  await waitCell(page, "k10", /white, move 8/);
  await act(page, "tree-picture");
  const stones = page.locator(".tree-picture g:not(.root)");
  await stones.first().waitFor();
  assert.equal(await stones.count(), 9, "eight moves and one that was tried");
  await stones.nth(2).locator("circle").click();
  await page.waitForFunction(() => location.hash.endsWith("m=h8i9h9"));
  await page.locator(".tree-picture g.here").waitFor();
  assert.equal(await page.locator(".tree-picture g.here text").textContent(), "3");
});

test("the rules teach with boards that say right and wrong", async () => {
  const { page } = tab;
  await page.locator('body > header nav a[href="#/rules"]').click();
  const card = page.locator(".tutorial");
  const press = (/** @type {string} */ place) => card.locator(`[data-point=${place}]`).click();
  await card.waitFor();
  await press("a1");
  await page.locator("[data-tutorial=wrong]").waitFor();
  for (const [i, place] of ["g5", "h4", "c5", "g5", "e5"].entries()) {
    await page.locator(`.tutorial[data-step="${i + 1}"]`).waitFor();
    await press(place);
    await page.locator("[data-tutorial=right]").waitFor();
    if (i < 4) await act(page, "tutor-next");
  }
  await card.getByText("Play a game").click();
  await page.locator("main.play").waitFor();
});

test("settings are kept, and the rules are shown", async () => {
  const { page } = tab;
  await page.locator('body > header nav a[href="#/settings"]').click();
  await page.locator("select[name=board]").selectOption("slate");
  await page.locator("select[name=theme]").selectOption("contrast");
  await page.locator("input[name=sound]").check();
  await page.reload();
  await ready(page);
  assert.equal(await page.locator("html").getAttribute("data-theme"), "contrast");
  assert.equal(await page.locator("select[name=board]").inputValue(), "slate");
  assert.ok(await page.locator("input[name=sound]").isChecked());
  await act(page, "reset-settings");
  await page.waitForFunction(() => document.documentElement.dataset.theme !== "contrast");
  await page.locator('body > header nav a[href="#/rules"]').click();
  await page.locator(".rules-list dt").nth(4).waitFor();
  assert.equal(await page.locator(".rules-list dt").count(), 5);
  assert.equal(await page.locator(".example").count(), 5);
});

test("the right button marks points and draws arrows, which stay with the node and go into the file", async () => {
  const { page } = tab;
  /** @param {string} p */
  const middle = async (p) => {
    const box = await cell(page, p).boundingBox();
    return /** @type {[number, number]} */ (box ? [box.x + box.width / 2, box.y + box.height / 2] : [0, 0]);
  };
  const calm = await picture(page);
  await page.mouse.click(...(await middle("c3")), { button: "right" });
  await waitCell(page, "c3", /empty, ○/);
  await page.mouse.click(...(await middle("c3")), { button: "right" });
  await waitCell(page, "c3", /empty, △/);
  await page.mouse.move(...(await middle("c12")));
  await page.mouse.down({ button: "right" });
  await page.mouse.move(...(await middle("e10")));
  await page.mouse.up({ button: "right" });
  await waitCell(page, "c12", /→ E10/);
  await page.mouse.move(5, 5);
  assert.notEqual(await picture(page), calm);
  assert.equal(await movesOf(page), GAME, "and nothing else happens");
  // The same by keyboard: a tool, and Enter on the points.
  await act(page, "edit");
  await page.locator(".edit-bar [data-value=arrow]").click();
  for (const p of ["l3", "l5"]) {
    await cell(page, p).focus();
    await page.keyboard.press("Enter");
  }
  await waitCell(page, "l3", /→ L5/);
  await act(page, "edit-done");
  await act(page, "save");
  const [file] = await Promise.all([page.waitForEvent("download"), act(page, "download")]);
  const text = readFileSync(await file.path(), "utf8");
  assert.match(text, /AR\[cd:ef\]/);
  assert.match(text, /TR\[cm\]/);
  await act(page, "prev");
  await waitCell(page, "c3", /empty$/);
  await act(page, "next");
  await waitCell(page, "c3", /△/);
  await page.mouse.move(...(await middle("c12")));
  await page.mouse.down({ button: "right" });
  await page.mouse.move(...(await middle("e10")));
  await page.mouse.up({ button: "right" });
  await waitCell(page, "c12", /empty$/);
});

test("a completion probability is called one, a win chance is called one, and a second player stands beside the first", async () => {
  const { page } = tab;
  const heads = () => page.locator(".candidates thead").textContent();
  await act(page, "analyze");
  await page.locator(".pill[data-state=idle]").waitFor({ timeout: 30_000 });
  assert.match((await heads()) ?? "", /Win/);
  await page.evaluate(() => {
    const now = JSON.parse(localStorage.getItem("tengen.settings") ?? "{}");
    const more = { alg: "new-heuristic", algs: ["new-heuristic", "engine"], auto: true };
    localStorage.setItem("tengen.settings", JSON.stringify({ ...now, ...more }));
  });
  await page.reload();
  await ready(page);
  await page.locator(".candidates tbody tr.line").first().waitFor({ timeout: 30_000 });
  assert.match((await heads()) ?? "", /Completion/);
  assert.doesNotMatch((await heads()) ?? "", /Win/);
  await page.locator(".legend-line").getByText("completion probability").waitFor();
  await act(page, "second");
  const second = page.locator("[data-second=engine]");
  await second.locator("tbody tr").nth(1).waitFor({ timeout: 30_000 });
  await second.getByText(/Both choose|One chooses/).waitFor({ timeout: 30_000 });
  const columns = (await second.locator("thead").textContent()) ?? "";
  assert.match(columns, /Completion/);
  assert.match(columns, /Win/);
  await act(page, "second-close");
  await second.waitFor({ state: "detached" });
});

test("one press finds a move that evens the game, and an evaluation stays with its node in the file", async () => {
  const { page } = tab;
  await page.evaluate(() =>
    localStorage.setItem(
      "tengen.settings",
      JSON.stringify({ v: 2, mode: "analyze", alg: "engine", think: 500, auto: false }),
    ),
  );
  await page.goto(`${server.url}#/play?r=freestyle15&m=h8h9`);
  await page.reload();
  await ready(page);
  await act(page, "balance1");
  await page
    .locator(".notices p")
    .getByText(/Even after [A-O]\d+/)
    .waitFor({ timeout: 30_000 });
  await page.waitForFunction(() => /m=h8h9[a-o]\d+$/.test(location.hash));
  await act(page, "prev");
  await act(page, "best");
  await page.locator(".pill[data-state=idle]").waitFor({ timeout: 30_000 });
  await act(page, "start");
  await act(page, "next");
  await act(page, "next");
  await act(page, "analyze");
  await page.waitForFunction(() => /[1-9]/.test(document.querySelector("[data-number=depth] dd")?.textContent ?? ""));
  await act(page, "analyze");
  await page.waitForFunction(() => JSON.parse(localStorage.getItem("tengen.game") ?? "{}").nodes[2].a);
  await act(page, "save");
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.locator("dialog [data-action=download]").click(),
  ]);
  const text = readFileSync(await saved.path(), "utf8");
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  await act(page, "reset");
  await page.waitForFunction(() => JSON.parse(localStorage.getItem("tengen.game") ?? "{}").nodes.length === 1);
  const chooser = page.waitForEvent("filechooser");
  await act(page, "open");
  await (await chooser).setFiles({ name: "game.sgf", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.waitForFunction(() => JSON.parse(localStorage.getItem("tengen.game") ?? "{}").nodes[2]?.a);
});

test("the number on a candidate's dot is the one in the table", async () => {
  const { page } = tab;
  await act(page, "analyze");
  await page.locator(".pill[data-state=idle]").waitFor({ timeout: 30_000 });
  // What the board writes is drawn: the letters of the canvas are heard.
  await page.evaluate(() => {
    const all = /** @type {any} */ (window);
    all.drawn = [];
    const pen = /** @type {any} */ (CanvasRenderingContext2D.prototype);
    const fill = pen.fillText;
    pen.fillText = function (/** @type {any[]} */ ...given) {
      all.drawn.push(given[0]);
      return fill.apply(this, given);
    };
  });
  await page.locator("[data-action=overlay]").selectOption("none");
  await page.evaluate(() => {
    const all = /** @type {any} */ (window);
    all.drawn = [];
  });
  await page.locator("[data-action=overlay]").selectOption("candidates");
  const share = await page.locator(".candidates tbody tr").first().locator("td").nth(2).textContent();
  const wanted = String(Math.round(parseFloat(share ?? "")));
  await page.waitForFunction((text) => /** @type {any} */ (window).drawn.includes(text), wanted);
});

test("the engine's first thought is drawn before any search, and a paper's player has none", async () => {
  const pictures = async (/** @type {string} */ alg) => {
    const { page, context } = await openPage(`${server.url}#/play?r=freestyle15&m=h8i9g7`);
    await ready(page);
    const looked = page
      .waitForEvent("websocket")
      .then((socket) =>
        socket.waitForEvent("framereceived", (frame) => String(frame.payload).includes(`"explain":{"player":"${alg}`)),
      );
    await page.evaluate(
      (player) => localStorage.setItem("tengen.settings", JSON.stringify({ v: 2, mode: "analyze", alg: player })),
      alg,
    );
    await page.reload();
    await ready(page);
    await looked;
    await page.locator(".candidates tbody tr").first().waitFor();
    const seen = [];
    for (const overlay of ["none", "policy"]) {
      await page.locator("[data-action=overlay]").selectOption(overlay);
      seen.push(await picture(page));
    }
    await page.locator(".legend-line").getByText("before any search").waitFor();
    await context.close();
    return new Set(seen).size;
  };
  assert.equal(await pictures("engine"), 2);
  assert.equal(await pictures("static-table"), 1);
});
