// Positions that a network evaluates worst, as small boards.

import { button, draw, make } from "./elements.js";
import { capital, pieceName, placement } from "./notation.js";

/**
 * Lists of `{fen, phase, label, prediction}`, in centipawns from White's side, by phase of the game. Each position has a link
 * to `address(fen)`, and a button that calls `look(fen)`, if there is one.
 */
export const listsOf = (mistakes, address, look) => [...Map.groupBy(mistakes, ({ phase }) => phase)].flatMap(([phase, part]) => [
  ...(phase ? [make("h3", "", capital(phase))] : []),
  make("ol", "mistakes", "", {}, ...part.map(({ fen, label, prediction }) => make("li", "mistake", "", {}, picture(fen),
    make("p", "", "label ", {}, make("b", "", label.replace("-", "−")), `, network ${signed(prediction)} cp`),
    make("p", "note", `${fen.split(" ")[1] === "b" ? "Black" : "White"} to move`),
    make("a", "button", "Analyse", { href: address(fen), target: "_blank", title: fen }),
    Boolean(look) && button("Look at it", () => look(fen))))),
]);

/** A small board, from a side's view. */
export function picture(fen, side = "white") {
  const from = (place) => 40 * (side === "white" ? place : 7 - place);
  const pieces = [...placement(fen)];
  return draw("svg", { viewBox: "0 0 320 320", role: "img", "aria-label": pieces.map(([square, code]) => `${pieceName(code)} ${square}`).join(", ") },
    ...Array.from({ length: 64 }, (_, place) => {
      const [file, rank] = [place % 8, Math.floor(place / 8)];
      return draw("rect", { x: 40 * file, y: 40 * rank, width: 40, height: 40, class: (file + rank) % 2 ? "dark" : "light" });
    }),
    ...pieces.map(([square, code]) => draw("use", { href: `#${code}`, x: from("abcdefgh".indexOf(square[0])), y: from(8 - Number(square[1])) })));
}

export const signed = (value) => (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value);
