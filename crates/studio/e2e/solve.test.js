// The solve page in a real browser: the three answers, a proof walked, checked, saved and loaded.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { act, cell, openPage, withServer } from "./helpers.js";

const server = withServer();

const WON = "r=freestyle15&s=b:h8,i8,g9_w:a1,c1,e1_b";

test("a question goes on after the server was killed", async () => {
  const { page, context } = await openPage(`${server.url}#/solve?r=freestyle15&s=b:h8,g9,j10_w:h9,g8,i9_b`);
  await page.locator("input[name=quiet]").fill("8");
  await page.locator("input[name=quiet]").press("Tab");
  await page.locator("input[name=seconds]").fill("600");
  await page.locator("input[name=seconds]").press("Tab");
  await act(page, "solve");
  await page.locator(".answer[data-state=running]").waitFor();
  await server.kill();
  await page.locator(".banner").waitFor();
  await server.restart();
  await page.reload();
  await page.locator(".answer[data-state=running]").waitFor({ timeout: 30_000 });
  await act(page, "stop-solve");
  await page.locator(".answer[data-state=stopped]").waitFor({ timeout: 30_000 });
  await context.close();
});

test("a win is proved, walked through, checked, saved and loaded again", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/solve?${WON}`);
  await act(page, "solve");
  await page.locator(".answer[data-state=win]").waitFor({ timeout: 60_000 });
  assert.match((await page.locator(".answer .score").textContent()) ?? "", /Black wins within \d+ plies/);
  assert.ok(
    !/#\d/.test((await page.locator(".answer .score").textContent()) ?? ""),
    "nothing is called #n before it is checked",
  );
  await act(page, "check-proof");
  await page.locator(".verdict.right").waitFor({ timeout: 60_000 });
  assert.match((await page.locator(".verdict [data-number=plies] dd").textContent()) ?? "", /^#\d+$/);
  assert.match((await page.locator(".digest code").textContent()) ?? "", /^[0-9a-f]{64}$/);

  await act(page, "proof-next");
  await page.locator("[data-turn=defense]").waitFor();
  for (let i = 0; i < 20 && (await page.locator("[data-turn=over]").count()) === 0; i++) {
    const crumbs = await page.locator(".proof .crumbs li").count();
    await page.locator("[data-turn=defense] [data-reply]").first().click();
    await page.waitForFunction(
      (n) => document.querySelectorAll(".proof .crumbs li").length > n && document.querySelector("[data-turn]"),
      crumbs,
    );
    await page.waitForTimeout(150);
  }
  await page.locator("[data-turn=over]").waitFor();

  const [saved] = await Promise.all([page.waitForEvent("download"), act(page, "save-proof")]);
  const bytes = readFileSync(await saved.path());
  assert.equal(bytes.subarray(0, 8).toString(), "TENGENPF");
  const [sgf] = await Promise.all([page.waitForEvent("download"), act(page, "save-sgf")]);
  assert.match(readFileSync(await sgf.path(), "utf8"), /^\(;/);

  const [picker] = await Promise.all([page.waitForEvent("filechooser"), act(page, "load-proof")]);
  await picker.setFiles({ name: "mine.proof", mimeType: "application/octet-stream", buffer: bytes });
  await page.locator(".list").getByText("mine.proof").waitFor();
  const wrong = Buffer.from(bytes);
  wrong[wrong.length - 1] ^= 1;
  const [again] = await Promise.all([page.waitForEvent("filechooser"), act(page, "load-proof")]);
  await again.setFiles({ name: "damaged.proof", mimeType: "application/octet-stream", buffer: wrong });
  await page.locator(".list").getByText("damaged.proof").waitFor();
  await act(page, "check-proof");
  await page.locator(".verdict.wrong").waitFor();
  await context.close();
  assert.deepEqual(errors, []);
});

test("no win, not settled, and stopped are said apart", async () => {
  const { page, context, errors } = await openPage(`${server.url}#/solve?r=freestyle15&m=h8i9`);
  await page.locator("select[name=mode]").selectOption("vcf");
  await act(page, "solve");
  await page
    .locator(".answer[data-state=no-win]")
    .getByText(/proved/)
    .waitFor({ timeout: 60_000 });
  await page.locator("select[name=mode]").selectOption("any");
  await page.locator("input[name=position]").fill("h8i9h9h10i8g8j8");
  await page.locator("input[name=position]").press("Tab");
  await page.locator("input[name=nodes]").fill("1000");
  await page.locator("input[name=nodes]").press("Tab");
  await page.locator("input[name=quiet]").fill("8");
  await page.locator("input[name=quiet]").press("Tab");
  await act(page, "solve");
  await page.locator(".answer[data-state=unknown], .answer[data-state=win]").waitFor({ timeout: 60_000 });
  await page.locator("input[name=nodes]").fill("0");
  await page.locator("input[name=nodes]").press("Tab");
  await page.locator("input[name=position]").fill("b:h8,g9,j10 w:h9,g8,i9 b");
  await page.locator("input[name=position]").press("Tab");
  await act(page, "solve");
  await page.locator(".answer[data-state=running]").waitFor();
  await act(page, "stop-solve");
  await page.locator(".answer[data-state=stopped]").waitFor({ timeout: 30_000 });
  await context.close();
  assert.deepEqual(errors, []);
});
