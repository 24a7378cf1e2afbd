// A stone that was played is heard: as a knock for those who want it, as words for screen readers.

import { effect, untracked } from "../dom.js";
import { t } from "../i18n.js";
import { settings } from "../settings.js";
import { spoken } from "../ui.js";
import { played } from "./document.js";

/** @type {AudioContext | null} */
let audio = null;

export function startSound() {
  effect(() => {
    const stone = played.value;
    if (!stone) return;
    // Another language or setting does not play the stone again.
    untracked(() => (spoken.value = t(stone.side ? "say.white" : "say.black", { move: stone.p.toUpperCase() })));
    if (settings.peek().sound) knock();
  });
}

/** The sound of a stone: a short noise through a filter. */
function knock() {
  audio ??= new AudioContext();
  const length = 0.05;
  const noise = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
  const data = noise.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * Math.exp((-i / data.length) * 9);
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  source.connect(new BiquadFilterNode(audio, { type: "bandpass", frequency: 1900, Q: 1.2 })).connect(audio.destination);
  source.start();
}
