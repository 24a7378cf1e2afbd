// Programs that were named at the start, in a tournament on the page: each has a log that can be opened.
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { openPage, withServer } from "./helpers.js";

const BRAIN = join(dirname(String(process.env.TENGEN_BIN)), "pbrain-tengen");
process.env.TENGEN_ARGS = JSON.stringify(["studio", "--no-open", "--engine", `brain="${BRAIN}"`]);
const server = withServer();

test("what an engine was told and said is opened from the run", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/lab`);
  await page.evaluate(() =>
    fetch("api/runs", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        rule: "freestyle",
        size: 9,
        games: 2,
        openings: "none",
        schedule: "round-robin",
        players: ["brain", "greedy", "random"].map((spec) => ({ spec, limit: { nodes: 200 } })),
      }),
    }),
  );
  await page.locator("[data-run] .dot.done").waitFor({ timeout: 60_000 });
  await page.locator("[data-run]").first().click();
  const link = page.locator("[data-log]");
  assert.deepEqual(await link.allTextContents(), ["brain"], "the other players are no programs");
  const opened = context.waitForEvent("page");
  await link.click();
  const log = await opened;
  await log.waitForLoadState();
  const text = String(await log.locator("body").textContent());
  for (const sign of ["It is started: ", " > START 9", " < OK", " > INFO rule 0", " > TURN ", " > END", "exit code 0"])
    assert.ok(text.includes(sign), `${sign} is in ${text}`);
  assert.match(text, /< \d+,\d+/);
  await context.close();
  assert.deepEqual(errors, []);
});
