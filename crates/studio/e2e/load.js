// Many pages at once beside a match and a tuning; one JSON line for each figure. Run by `cargo xtask perf --load`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { act, closeBrowser, openPage, startServer } from "./helpers.js";

const MINUTES = Number(process.env.MINUTES ?? 60);
const PAGES = Number(process.env.PAGES ?? 50);

/** @param {string} what @param {number} value @param {string} unit @param {number} budget */
const report = (what, value, unit, budget) => console.log(JSON.stringify({ what, value, unit, budget }));

/** @param {number[]} values @param {number} share */
const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];

/** Megabytes that a process holds. @param {number | undefined} pid */
const memory = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** @param {string} url @param {unknown} body */
async function post(url, body) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const server = await startServer();
const players = [{ spec: "minimax" }, { spec: "random" }];
await post(`${server.url}api/runs`, {
  ...{ rule: "freestyle", size: 15, players, games: 100_000, openings: "none", jobs: 1 },
});
await post(`${server.url}api/tunes`, {
  ...{ rule: "freestyle", size: 15, player: "static-table", params: [{ name: "own1" }, { name: "opp1" }] },
  ...{ method: "de", generations: 100_000, games: 2, jobs: 1 },
});
const pages = [];
for (let i = 0; i < PAGES; i++) pages.push((await openPage(`${server.url}#/play?r=freestyle22`)).page);
// One game for all of them, without an engine.
await act(pages[0], "new");
for (const side of ["black", "white"]) await pages[0].locator(`dialog select[name=${side}]`).selectOption("human");
await pages[0].locator("dialog [data-action=start]").click();
await pages[0].waitForTimeout(1000);

/** Clicks a free point and waits for the stone; the milliseconds until it is there. @param {import("playwright-core").Page} page */
const click = (page) =>
  page.evaluate(async () => {
    const free = [...document.querySelectorAll("[role=gridcell]")].filter((one) =>
      /empty/.test(one.getAttribute("aria-label") ?? ""),
    );
    const cell = /** @type {HTMLElement} */ (free[Math.floor(Math.random() * free.length)]);
    if (!cell) return null;
    const point = cell.dataset.point;
    const { x, y, width, height } = cell.getBoundingClientRect();
    const begun = performance.now();
    cell.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: x + width / 2, clientY: y + height / 2 }));
    while (/empty/.test(document.querySelector(`[data-point=${point}]`)?.getAttribute("aria-label") ?? "")) {
      if (performance.now() - begun > 5000) return null;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    const took = performance.now() - begun;
    const { id } = JSON.parse(localStorage.getItem("tengen.game") ?? "{}");
    return { point, took, id };
  });

const delays = [];
let missed = 0;
/** @type {Map<string, Set<string>>} */
const played = new Map();
const held = [memory(server.pid)];
const end = Date.now() + MINUTES * 60_000;
for (let turn = 0; Date.now() < end; turn++) {
  const page = pages[turn % PAGES];
  const done = await click(page);
  if (done) {
    delays.push(done.took);
    played.set(done.id, (played.get(done.id) ?? new Set()).add(done.point ?? ""));
  } else missed++;
  if (turn % 40 === 39) await act(page, "reset");
  if (turn % 100 === 0) held.push(memory(server.pid));
  await page.waitForTimeout(50);
}
await pages[0].waitForTimeout(3000);
let lost = 0;
for (const [id, points] of played) {
  const nodes = JSON.parse(readFileSync(join(server.data, `games/${id}.json`), "utf8")).nodes;
  const there = new Set(nodes.map((/** @type {any} */ node) => node.m));
  lost += [...points].filter((point) => !there.has(point)).length;
}
held.push(memory(server.pid));
report(`click to stone, ${PAGES} pages, 95 % of ${delays.length}`, quantile(delays, 0.95), "ms", 100);
report("clicks without a stone", missed, "", 0);
report("stones that are not on disk", lost, "", 0);
report("memory of the studio, most", Math.max(...held), "MB", 500);
report(
  "memory, last half over first half",
  Math.max(...held.slice(held.length / 2)) / Math.max(...held.slice(0, held.length / 2)),
  "x",
  1.5,
);
await closeBrowser();
await server.kill("SIGTERM");
server.clean();
