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
  const dot = make("span", `dot ${side}`);
  dot.setAttribute("role", "img");
  dot.setAttribute("aria-label", side === "white" ? "White" : "Black");
  const who = make("span", "who");
  who.append(dot, make("span", "points", points), make("span", "name", name), make("span", "about", note));
  strip.replaceChildren(who, taken(stages, side));
  strip.classList.toggle("on-move", isOnMove);
  if (clock === undefined) return;
  const shown = make("span", "clock", clock);
  shown.dataset.side = side;
  shown.setAttribute("role", "timer");
  strip.append(shown);
}

function taken(stages, side) {
  const list = make("span", "taken");
  const isTheirs = (letter) => code(letter)[0] !== side[0];
  const letters = stages.map((stage) => stage.captured).filter((letter) => letter && isTheirs(letter));
  letters.sort((a, b) => ORDER.indexOf(a.toLowerCase()) - ORDER.indexOf(b.toLowerCase()));
  for (const letter of letters) list.append(figure(code(letter), { viewBox: "4 4 32 32" }));
  const balance = stages.at(-1).balance * (side === "white" ? 1 : -1);
  if (balance > 0) list.append(make("span", "balance", `+${balance}`));
  const words = letters.length > 0 ? `took ${letters.length}` : "";
  const label = [words, balance > 0 ? `ahead by ${balance}` : ""].filter(Boolean).join(", ");
  if (label) {
    list.setAttribute("role", "img");
    list.setAttribute("aria-label", label);
  }
  return list;
}

/** Runs the clocks between updates of the game; calls `runOut` when the time of one is up. */
export class Clocks {
  #clock = null;
  #since = 0;
  #runOut;

  constructor(runOut) {
    this.#runOut = runOut;
    setInterval(() => this.tick(), 100);
  }

  set(clock) {
    this.#clock = clock;
    this.#since = performance.now();
    this.tick();
  }

  /** Shows the time that is left now. */
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
  const tenths = Math.ceil(milliseconds / 100);
  if (tenths < 200) return `0:${String(Math.floor(tenths / 10)).padStart(2, "0")}.${tenths % 10}`;
  const seconds = Math.ceil(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const tail = `${String(minutes).padStart(hours ? 2 : 1, "0")}:${String(seconds % 60).padStart(2, "0")}`;
  return hours ? `${hours}:${tail}` : tail;
}
