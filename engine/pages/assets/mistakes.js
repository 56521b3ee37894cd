// Positions that a network evaluates worst, as small boards.

import { pieceName, placement } from "./notation.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * A list of `{fen, label, prediction}`, in centipawns from White's side. Each has a button with this title, which calls
 * `act(fen, button)`.
 */
export function listOf(mistakes, title, act) {
  const list = make("ol", "mistakes");
  list.append(...mistakes.map(({ fen, label, prediction }) => {
    const item = make("li", "mistake");
    const text = make("p");
    text.append("label ", make("b", "", label.replace("-", "−")), `, network ${signed(prediction)} cp`);
    const button = Object.assign(make("button", "", title), { type: "button", title: fen });
    button.addEventListener("click", () => act(fen, button));
    item.append(picture(fen), text, make("p", "note", `${fen.split(" ")[1] === "b" ? "Black" : "White"} to move`), button);
    return item;
  }));
  return list;
}

function picture(fen) {
  const svg = draw("svg", { viewBox: "0 0 320 320", role: "img" });
  const pieces = placement(fen);
  svg.setAttribute("aria-label", [...pieces].map(([square, code]) => `${pieceName(code)} ${square}`).join(", "));
  for (let place = 0; place < 64; place += 1) {
    const [file, row] = [place % 8, Math.floor(place / 8)];
    svg.append(draw("rect", { x: 40 * file, y: 40 * row, width: 40, height: 40, class: (file + row) % 2 ? "dark" : "light" }));
  }
  for (const [square, code] of pieces) {
    const href = `${new URL("pieces.svg", import.meta.url)}#${code}`;
    svg.append(draw("use", { href, x: 40 * "abcdefgh".indexOf(square[0]), y: 40 * (8 - Number(square[1])) }));
  }
  return svg;
}

function draw(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** An element with classes and text. */
export function make(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

const signed = (value) => (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value);
