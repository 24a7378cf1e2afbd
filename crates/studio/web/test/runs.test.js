// A run that is watched: news and answers in any order, without a server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSocket, receive, settled } from "./browser.js";
import { scope } from "../dom.js";
import { connect } from "../net.js";
import { watchedRuns } from "../pages/runs.js";

/** Requests that wait for their answer. @type {{ path: string, answer: (body: any) => void }[]} */
const waiting = [];
Object.assign(globalThis, {
  fetch: (/** @type {string} */ path) =>
    new Promise((resolve) =>
      waiting.push({ path, answer: (body) => resolve({ ok: true, status: 200, json: async () => body }) }),
    ),
});
/** Answers the oldest request for a path. @param {string} path @param {any} body */
async function answer(path, body) {
  const at = waiting.findIndex((one) => one.path === path);
  assert.ok(at >= 0, `nobody has asked for ${path}`);
  waiting.splice(at, 1)[0].answer(body);
  await settled();
}
/** @param {string} state @param {number} played @returns {any} */
const news = (state, played) => ({ t: "run", id: "a", state, played, total: 4 });

connect();
openSocket();

test("an answer that is older than the news does not bring the run back to life", async () => {
  const [{ runs, shown }, end] = scope(() => watchedRuns("/api/runs", "run"));
  await answer("/api/runs", [{ id: "a", state: "running", played: 0, total: 4 }]);
  receive(news("running", 2));
  receive(news("done", 4));
  await answer("/api/runs/a", { id: "a", state: "running", played: 1, total: 4, list: [1] });
  assert.deepEqual([shown.peek().state, shown.peek().played, shown.peek().list], ["done", 4, [1]]);
  assert.equal(runs.peek()[0].state, "done");
  await answer("/api/runs/a", { id: "a", state: "done", played: 4, total: 4, list: [1, 2, 3, 4] });
  assert.equal(shown.peek().list.length, 4, "the curves are asked for again");
  end();
  waiting.length = 0;
});

test("news of another run touch the list alone", async () => {
  const [{ runs, shown }, end] = scope(() => watchedRuns("/api/runs", "run"));
  await answer("/api/runs", [
    { id: "b", state: "done", played: 4 },
    { id: "a", state: "running", played: 1 },
  ]);
  await answer("/api/runs/b", { id: "b", state: "done", played: 4 });
  receive(news("running", 3));
  assert.deepEqual(
    runs.peek().map((one) => one.played),
    [4, 3],
  );
  assert.equal(shown.peek().id, "b");
  end();
});
