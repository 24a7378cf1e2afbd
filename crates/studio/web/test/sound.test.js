// A stone is announced and heard, without a loudspeaker.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";
import { followLanguage } from "../i18n.js";
import { playAt } from "../play/document.js";
import { startSound } from "../play/sound.js";
import { choose } from "../settings.js";
import { spoken } from "../ui.js";

let knocks = 0;
const node = { connect: () => node, start: () => void knocks++ };
class FakeAudio {
  sampleRate = 48_000;
  createBuffer = () => ({ getChannelData: () => new Float32Array(10) });
}
Object.assign(globalThis, { AudioContext: FakeAudio, AudioBufferSourceNode: fake, BiquadFilterNode: fake });
function fake() {
  return node;
}

await followLanguage();
startSound();

test("a stone is said, and heard only by those who want it", () => {
  playAt(0, "h8");
  assert.deepEqual([spoken.peek(), knocks], ["Black H8", 0]);
  choose({ sound: true });
  assert.equal(knocks, 0, "the setting itself makes no sound");
  playAt(1, "i9");
  assert.deepEqual([spoken.peek(), knocks], ["White I9", 1]);
  choose({ lang: "ja" });
  assert.equal(knocks, 1);
});
