// The two strips next to the board: player, captured pieces and remaining time.

import { code, playerTitle } from "./notation.js";

const SVG = "http://www.w3.org/2000/svg";
const ORDER = "qrbnp";

/** Updates the strips above and below the board for the position after `ply` plies. */
export function showPlayers(top, bottom, game, ply, orientation) {
  const sides = orientation === "white" ? ["black", "white"] : ["white", "black"];
  [top, bottom].forEach((strip, index) => fill(strip, game, ply, sides[index]));
}

/** Hides the strips while a game is being set up. */
export function hidePlayers(...strips) {
  for (const strip of strips) strip.hidden = true;
}

function fill(strip, game, ply, side) {
  const isYou = game.you === side;
  const name = element("span", "name", isYou ? "You" : "Alfiere");
  const about = element("span", "about", isYou ? "" : [playerTitle(game.player), game.level_label].filter(Boolean).join(", "));
  const dot = element("span", `dot ${side}`);
  dot.setAttribute("role", "img");
  dot.setAttribute("aria-label", side === "white" ? "White" : "Black");
  const who = element("span", "who");
  who.append(dot, name, about);
  strip.replaceChildren(who, taken(game, ply, side));
  strip.classList.toggle("on-move", !game.end && game.turn === side);
  if (game.clock) {
    const clock = element("span", "clock");
    clock.dataset.side = side;
    clock.setAttribute("role", "timer");
    strip.append(clock);
  }
}

function taken(game, ply, side) {
  const list = element("span", "taken");
  const isTheirs = (letter) => code(letter)[0] !== side[0];
  const letters = game.stages.slice(1, ply + 1).map((stage) => stage.captured).filter((letter) => letter && isTheirs(letter));
  letters.sort((a, b) => ORDER.indexOf(a.toLowerCase()) - ORDER.indexOf(b.toLowerCase()));
  for (const letter of letters) list.append(figure(code(letter)));
  const balance = game.stages[ply].balance * (side === "white" ? 1 : -1);
  if (balance > 0) list.append(element("span", "balance", `+${balance}`));
  const words = letters.length > 0 ? `took ${letters.length}` : "";
  const label = [words, balance > 0 ? `ahead by ${balance}` : ""].filter(Boolean).join(", ");
  if (label) {
    list.setAttribute("role", "img");
    list.setAttribute("aria-label", label);
  }
  return list;
}

function figure(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "4 4 32 32");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${new URL("pieces.svg", import.meta.url)}#${name}`);
  svg.append(use);
  return svg;
}

/** Runs the clocks between updates of the server; calls `runOut` when the time of one is up. */
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

function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}
