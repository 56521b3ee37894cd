// The sound of a move: a short tone, a low one for a capture, two or three for check and mate. Off until it is switched on.

import { recall, remember } from "./elements.js";

let context = null;
let isOn = recall("sounds") === true;

export function sound(san) {
  if (!isOn) return;
  context ??= new AudioContext();
  const tones = san.endsWith("#") ? [440, 660, 880] : san.endsWith("+") ? [440, 660] : san.includes("x") ? [220] : [440];
  tones.forEach((frequency, index) => {
    const start = context.currentTime + 0.1 * index;
    const [source, volume] = [new OscillatorNode(context, { type: "triangle", frequency }), new GainNode(context, { gain: 0.2 })];
    volume.gain.setValueAtTime(0.2, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.12);
    source.connect(volume).connect(context.destination);
    source.start(start);
    source.stop(start + 0.12);
  });
}

export function addSwitch(button) {
  button.ariaPressed = isOn;
  button.addEventListener("click", () => {
    button.ariaPressed = isOn = !isOn;
    remember("sounds", isOn);
    sound("");
  });
}
