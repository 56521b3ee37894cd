// The name of a game's opening, by position: moves in another order lead to the same name.

import { NAMES } from "./opening-names.js";

const names = new Map(NAMES.split("\n").map((line) => [line.slice(0, 8), line.slice(9)]));

/** 32-bit FNV-1a of pieces and side to move. */
function key(fen) {
  let value = 0x811c9dc5;
  for (const letter of fen.split(" ", 2).join(" ")) value = Math.imul(value ^ letter.charCodeAt(), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, "0");
}

/** The name of the last position on a path that has one; an empty text without any. */
export const openingOf = (nodes) => names.get(nodes.map(({ fen }) => key(fen)).findLast((place) => names.has(place))) ?? "";
