// The two strips next to the board: player, captured pieces and remaining time.

import { figure, make } from "./elements.js";
import { code } from "./notation.js";

const ORDER = "qrbnp";

/**
 * Updates the strips above and below the board. `stages` are the positions up to the one shown; `about(side)` is
 * `{name, note, points, isOnMove, clock}`, all optional but the name: the clock is a text, and empty if `Clocks` fills it in.
 */
export function showPlayers(top, bottom, orientation, stages, about) {
  const sides = orientation === "white" ? ["black", "white"] : ["white", "black"];
  [top, bottom].forEach((strip, index) => fill(strip, sides[index], stages, about(sides[index])));
}

function fill(strip, side, stages, { name, note = "", points = "", isOnMove = false, clock }) {
  const dot = make("span", `dot ${side}`, "", { role: "img", "aria-label": side === "white" ? "White" : "Black" });
  const who = make("span", "who", "", {}, dot, make("span", "points", points), make("span", "name", name), make("span", "about", note));
  strip.replaceChildren(who, taken(stages, side));
  strip.classList.toggle("on-move", isOnMove);
  if (clock !== undefined) strip.append(make("span", "clock", clock, { "data-side": side, role: "timer" }));
}

function taken(stages, side) {
  const letters = stages.map(({ captured }) => captured).filter((letter) => letter && code(letter)[0] !== side[0]);
  letters.sort((a, b) => ORDER.indexOf(a.toLowerCase()) - ORDER.indexOf(b.toLowerCase()));
  const balance = stages.at(-1).balance * (side === "white" ? 1 : -1);
  const label = [letters.length && `took ${letters.length}`, balance > 0 && `ahead by ${balance}`].filter(Boolean).join(", ");
  return make("span", "taken", "", label && { role: "img", "aria-label": label },
    ...letters.map((letter) => figure(code(letter), { viewBox: "4 4 32 32" })), balance > 0 && make("span", "balance", `+${balance}`));
}

/** Runs the clocks between updates of the game; calls `runOut` when the time of one is up. */
export class Clocks {
  #clock = null; #since = 0; #runOut;

  constructor(runOut) {
    this.#runOut = runOut;
    setInterval(() => this.tick(), 100);
  }

  set(clock) {
    [this.#clock, this.#since] = [clock, performance.now()];
    this.tick();
  }

  tick() {
    if (!this.#clock) return;
    for (const shown of document.querySelectorAll(".clock")) {
      const { side } = shown.dataset;
      const isRunning = this.#clock.running === side;
      const left = Math.max(0, this.#clock[side] - (isRunning ? performance.now() - this.#since : 0));
      shown.textContent = time(left);
      shown.classList.toggle("running", isRunning);
      shown.classList.toggle("low", left < 20_000);
      if (isRunning && left === 0) {
        this.#clock = { ...this.#clock, [side]: 0, running: null };
        this.#runOut();
      }
    }
  }
}

function time(milliseconds) {
  const two = (value) => String(value).padStart(2, "0");
  const tenths = Math.ceil(milliseconds / 100);
  if (tenths < 200) return `0:${two(Math.floor(tenths / 10))}.${tenths % 10}`;
  const seconds = Math.ceil(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
