// The sound of a move: a short tone, a low one for a capture, two or three for check and mate. Off until it is switched on.

import { recall, remember } from "./elements.js";

const KEY = "sounds";
let context = null;
let isOn = recall(KEY) === true;

function tone(frequency, delay) {
  const [source, volume, start] = [context.createOscillator(), context.createGain(), context.currentTime + delay];
  source.type = "triangle";
  source.frequency.value = frequency;
  volume.gain.setValueAtTime(0.2, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + 0.12);
  source.connect(volume).connect(context.destination);
  source.start(start);
  source.stop(start + 0.12);
}

/** Plays the sound of a move in algebraic notation. */
export function sound(san) {
  if (!isOn) return;
  context ??= new AudioContext();
  const tones = san.endsWith("#") ? [440, 660, 880] : san.endsWith("+") ? [440, 660] : san.includes("x") ? [220] : [440];
  tones.forEach((frequency, index) => tone(frequency, 0.1 * index));
}

/** Makes a button switch the sounds. */
export function addSwitch(button) {
  const show = () => button.setAttribute("aria-pressed", String(isOn));
  button.addEventListener("click", () => {
    isOn = !isOn;
    remember(KEY, isOn);
    show();
    sound("");
  });
  show();
}
