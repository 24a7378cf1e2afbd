// Texts of strangers in a real browser: whatever comes from outside is shown as text and never becomes part of the
// page; and two browsers lose nothing to each other.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { act, cell, openPage, ready, waitCell, withServer } from "./helpers.js";

const server = withServer();

/** Becomes an element, runs a handler, ends an attribute or a script, wherever it is not escaped. */
const EVIL = `<img src=x onerror="window.evil=1">"'><script>window.evil=1</script><svg onload=window.evil=1>`;

/** Nothing of the evil text has become part of the page. @param {import("playwright-core").Page} page @param {string} where */
async function isHarmless(page, where) {
  const found = await page.evaluate(() => ({
    ran: "evil" in window,
    elements: document.querySelectorAll("img[src=x], [onerror], [onload], body script:not([src])").length,
  }));
  assert.deepEqual(found, { ran: false, elements: 0 }, where);
}

/** The evil text is shown there, and is harmless. @param {import("playwright-core").Page} page @param {string} where @param {string} [selector] */
async function isText(page, where, selector = "main") {
  await page.locator(selector).filter({ hasText: "<img src=x" }).first().waitFor();
  await isHarmless(page, where);
}

/** A game with the evil text everywhere. @param {string} id */
function evilGame(id) {
  return {
    v: 1,
    id,
    seq: 3,
    saved: 1,
    title: EVIL,
    rule: "freestyle",
    size: 15,
    setup: null,
    seats: [{ who: "human" }, { who: "player", spec: EVIL }],
    names: [EVIL, EVIL],
    nodes: [
      { p: -1, c: EVIL },
      { p: 0, m: "h8", c: EVIL, j: EVIL, x: [["i9", EVIL]], y: [["h8", "j10", EVIL]] },
      {
        p: 1,
        m: "i9",
        a: {
          by: EVIL,
          d: 1,
          e: null,
          w: null,
          evals: 1,
          nodes: 1,
          ms: 1,
          cand: [{ m: "a1", p: null, e: null, w: null, d: 1, n: 1, pv: [EVIL] }],
        },
      },
    ],
    at: 1,
    tip: 2,
    result: EVIL,
    end: { winner: 0, ending: EVIL },
    plies: 2,
    from: EVIL,
  };
}

/** A finished run whose players, openings, worker and details have the evil text. @param {string} data */
function evilRun(data) {
  execFileSync(String(process.env.TENGEN_BIN), [
    ...["match", "greedy", "random", "--games", "2", "--jobs", "1", "--name", "evil", "--data", data],
  ]);
  const path = join(data, "runs/evil/journal.jsonl");
  const lines = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    // Seeds are too long for a number here.
    .map((line) => JSON.parse(line.replace(/"seed":(\d+)/, '"seed":"#$1"')));
  for (const line of lines) {
    // As a program of before wrote it: without checksums.
    delete line.sum;
    if (line.kind === "header") {
      line.version = 1;
      line.plan.title = EVIL;
      line.plan.build = EVIL;
      line.plan.openings.name = EVIL;
      line.plan.players.forEach((/** @type {any} */ player, /** @type {number} */ i) => (player.name = `${EVIL}${i}`));
    }
    if (line.kind === "pair") {
      line.worker = EVIL;
      line.games.forEach((/** @type {any} */ game) => (game.detail = EVIL));
    }
  }
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(path, text.replaceAll(/"#(\d+)"/g, "$1"));
  // The report is written again, with the evil texts in it.
  execFileSync(String(process.env.TENGEN_BIN), ["match", "--resume", "evil", "--data", data]);
}

test("texts from outside stay texts", async () => {
  mkdirSync(join(server.data, "games"), { recursive: true });
  writeFileSync(join(server.data, "games/evil.json"), JSON.stringify(evilGame("evil")));
  evilRun(server.data);
  const { page, context } = await openPage(server.url);
  page.on("dialog", () => assert.fail("a dialog was opened"));

  await page.locator('body > header nav a[href="#/library"]').click();
  await isText(page, "the library", ".library tbody tr");
  const row = page.locator(".library tbody tr").filter({ hasText: "<img src=x" });
  await row.locator("button.move").first().click();
  await page.locator("main.play").waitFor();
  await waitCell(page, "h8", /black/);
  await isText(page, "the board and its players");
  for (const tab of ["moves", "breakdown", "depth", "review"]) {
    await page.locator(`#tab-${tab}`).click();
    await isHarmless(page, tab);
  }

  await page.goto(`${server.url}#/lab`);
  await ready(page);
  await isText(page, "the name of a run", "[data-run=evil]");
  await page.locator("[data-run=evil]").click();
  await page.locator("[data-state=stopped], [data-state=done]").first().waitFor();
  await isText(page, "the players of a run", ".headline > p");
  await page.locator("[data-action=open-game]").first().click();
  await page.locator("main.play").waitFor();
  await isText(page, "a game of the run");

  for (const place of ["openings", "tune", "solve", "puzzles", "rules", "settings"]) {
    await page.goto(`${server.url}#/${place}`);
    await ready(page);
    await isHarmless(page, place);
  }
  for (const address of [
    `#/play?r=${encodeURIComponent(EVIL)}`,
    `#/play?r=freestyle15&m=${encodeURIComponent(EVIL)}`,
    `#/lab?run=${encodeURIComponent(EVIL)}`,
    `#/${encodeURIComponent(EVIL)}`,
  ]) {
    await page.goto(`${server.url}${address}`);
    await ready(page);
    await isHarmless(page, address);
  }
  // Whoever downloads a report opens it without the studio's policy.
  await page.goto(`file://${server.data}/runs/evil/report/report.html`);
  await isText(page, "the report", "body");
  // And all this would be seen.
  await page.evaluate((evil) => (document.body.innerHTML = evil), EVIL);
  await assert.rejects(isHarmless(page, "an evil page"));
  await context.close();
});

/** Chooses a file with a page's dialog. @param {import("playwright-core").Page} page @param {() => Promise<void>} open @param {string} name @param {string} text */
async function give(page, open, name, text) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), open()]);
  await chooser.setFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(text) });
}

test("a file of a stranger is read as text, whatever it is called and wherever it is read", async () => {
  const { page, context } = await openPage(server.url);
  const name = EVIL.replaceAll("/", "");
  const game = `(;GM[4]SZ[15]GN[${EVIL}]PB[${EVIL}]PW[${EVIL}]C[${EVIL}];B[hh]C[${EVIL}]LB[ii:<a>][jj:${EVIL}])`;
  await give(page, () => act(page, "open"), `${name}.sgf`, game);
  await waitCell(page, "h8", /black/);
  await isText(page, "a file");
  await act(page, "save");
  const [picture] = await Promise.all([page.waitForEvent("download"), act(page, "svg")]);
  assert.doesNotMatch(readFileSync(await picture.path(), "utf8"), /<(a|im)\b/, "a label in a picture");
  await page.keyboard.press("Escape");

  await give(page, () => act(page, "open"), `${name}.sgf`, `${game}${game}`);
  await isText(page, "a choice of games", "dialog");
  await page.locator("dialog [data-action=keep-all]").click();
  await isText(page, "games that are kept", ".library tbody tr");

  await page.goto(`${server.url}#/solve`);
  await ready(page);
  await give(page, () => act(page, "load-proof"), `${name}.proof`, `TENGENPF${EVIL}`);
  await page.locator(".notices .error:not(.banner)").waitFor();
  await isHarmless(page, "a proof");

  await page.goto(`${server.url}#/settings`);
  await ready(page);
  const values = { v: 2, lang: EVIL, theme: EVIL, board: EVIL, alg: EVIL, algs: [EVIL], keys: { analyze: EVIL } };
  await give(page, () => page.getByRole("button", { name: "Import" }).click(), "settings.json", JSON.stringify(values));
  await isText(page, "settings");
  await page.goto(`${server.url}#/play`);
  await page.reload();
  await ready(page);
  await isHarmless(page, "a page with such settings");
  await context.close();
});

test("a tuning of a strange name is text in the page, and no report is ever a page of ours", async () => {
  const { page, context } = await openPage(`${server.url}#/tune`);
  const form = {
    ...{ name: EVIL, rule: "freestyle", size: 15, player: "static-table", limit: { nodes: 50 }, method: "spsa" },
    ...{ generations: 1, games: 2, seed: "1", params: [{ name: "own1", low: 100, high: 300 }] },
  };
  const { id } = await page.evaluate(
    async (body) =>
      (
        await fetch("/api/tunes", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        })
      ).json(),
    form,
  );
  await page.locator(`[data-run="${id}"]`).click();
  await page.locator("[data-state=done]").waitFor();
  await isText(page, "a tuning", "[data-run]");
  const report = await page.request.get(`${server.url}api/runs/evil/report/report.html`);
  assert.match(report.headers()["content-disposition"] ?? "", /^attachment/);
  assert.match(report.headers()["content-security-policy"] ?? "", /default-src 'self'/);
  await context.close();
});

test("two browsers: one plays offline, the other plays on and begins anew; both lines are kept", async () => {
  const one = await openPage(`${server.url}#/play?r=freestyle15`);
  const other = await openPage(server.url);
  const saved = (/** @type {import("playwright-core").Page} */ page) =>
    page.waitForFunction(() => localStorage.getItem("tengen.game.unsent") === null);
  await act(one.page, "new");
  for (const side of ["black", "white"]) await one.page.locator(`dialog select[name=${side}]`).selectOption("human");
  await one.page.locator("dialog [data-action=start]").click();
  for (const place of ["h8", "i9", "j7"]) await cell(one.page, place).click();
  await saved(one.page);
  await waitCell(other.page, "j7", /black, move 3/);

  await one.context.setOffline(true);
  await one.page.evaluate(() => 0);
  const id = await one.page.evaluate(() => JSON.parse(localStorage.getItem("tengen.game") ?? "{}").id);
  for (const place of ["a1", "b2", "c3", "d5", "e6", "f8", "g1", "h2", "i3", "j4"])
    await cell(other.page, place).click();
  await saved(other.page);
  await act(other.page, "reset");
  await saved(other.page);
  // A socket that is open stays open offline, so it is cut here.
  await one.page.reload().catch(() => {});
  await one.context.setOffline(false);
  await one.page.goto(server.url);
  await ready(one.page);
  const stored = () => JSON.parse(readFileSync(join(server.data, `games/${id}.json`), "utf8"));
  assert.equal(stored().nodes.length, 14, "thirteen moves");
  await one.context.close();
  await other.context.close();
});
