// Sounds of a piece, of my turn and of the end of a match. They are made of tones: no file is loaded.

import { prefs } from "../prefs.js";

const VOLUMES = { off: 0, quiet: 0.05, loud: 0.25 };
const TONES = {
  piece: [["triangle", 190, 0, 0.08], ["sine", 95, 0, 0.12]],
  turn: [["sine", 660, 0, 0.3], ["sine", 880, 0.14, 0.5]],
  end: [["sine", 523, 0, 0.6], ["sine", 659, 0.16, 0.6], ["sine", 784, 0.32, 1]],
}; // shape, pitch (Hz), start and length (s)
const ATTACK_S = 0.008; // without it a tone begins with a click
const ECHO_MS = 1_000; // in which other tabs do not play the same sound
let context;

/**
 * Play a sound as loud as the visitor chose: that of a piece in pages that are seen, the others in one
 * page of all. Before a first touch browsers play none.
 */
export async function play(name) {
  const volume = VOLUMES[prefs.get("sound")];
  if (!volume || navigator.userActivation?.hasBeenActive === false) return;
  if (name === "piece" || !navigator.locks) return document.hidden || sound(name, volume); // no locks without TLS
  await navigator.locks.request(`annals.sound.${name}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    await sound(name, volume);
    await new Promise((done) => setTimeout(done, ECHO_MS));
  });
}

async function sound(name, volume) {
  context ??= new AudioContext();
  await context.resume();
  compose(context, name, volume);
}

/** Schedule the tones of a sound now. */
export function compose(context, name, volume) {
  for (const [type, frequency, start, length] of TONES[name]) {
    const [tone, level] = [new OscillatorNode(context, { type, frequency }), new GainNode(context, { gain: 0 })];
    const begin = context.currentTime + start;
    level.gain.setValueAtTime(0, begin);
    level.gain.linearRampToValueAtTime(volume, begin + ATTACK_S);
    level.gain.exponentialRampToValueAtTime(volume / 1000, begin + length);
    tone.connect(level).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + length);
  }
}
