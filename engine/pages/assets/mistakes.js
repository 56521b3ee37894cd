// Positions that a network evaluates worst, as small boards.

import { button, draw, make } from "./elements.js";
import { pieceName, placement } from "./notation.js";

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
    const pressed = button(title, () => act(fen, pressed));
    pressed.title = fen;
    item.append(picture(fen), text, make("p", "note", `${fen.split(" ")[1] === "b" ? "Black" : "White"} to move`), pressed);
    return item;
  }));
  return list;
}

/** A small board, from a side's view. */
export function picture(fen, side = "white") {
  const from = (place) => 40 * (side === "white" ? place : 7 - place);
  const pieces = placement(fen);
  const label = [...pieces].map(([square, code]) => `${pieceName(code)} ${square}`).join(", ");
  return draw("svg", { viewBox: "0 0 320 320", role: "img", "aria-label": label },
    ...Array.from({ length: 64 }, (_, place) => {
      const [file, row] = [place % 8, Math.floor(place / 8)];
      return draw("rect", { x: 40 * file, y: 40 * row, width: 40, height: 40, class: (file + row) % 2 ? "dark" : "light" });
    }),
    ...[...pieces].map(([square, code]) => draw("use", { href: `#${code}`, x: from("abcdefgh".indexOf(square[0])), y: from(8 - Number(square[1])) })));
}

const signed = (value) => (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value);
