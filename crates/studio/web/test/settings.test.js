// What a person has chosen outlives a new version of the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";
import { migrate } from "../settings.js";

test("settings of the first version keep their meaning", () => {
  const now = migrate({ v: 1, theme: "dark", mode: "analyse", keys: { analyse: "q", hint: "w" } });
  assert.deepEqual([now.v, now.theme, now.mode], [2, "dark", "analyze"]);
  assert.deepEqual(now.keys, { analyze: "q", hint: "w" });
  assert.deepEqual(migrate(now), now);
});

test("what is unknown or of another kind is left out", () => {
  const now = migrate({ v: 2, theme: 7, sound: true, nonsense: 1 });
  assert.deepEqual([now.theme, now.sound, "nonsense" in now], ["auto", true, false]);
  for (const nothing of [null, "text", 3]) assert.equal(migrate(nothing).mode, "play");
});
