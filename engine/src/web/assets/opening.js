// The name of a game's opening, by position: moves in another order lead to the same name.

import { positionKey } from "./notation.js";
import { NAMES } from "./opening-names.js";

const names = new Map(NAMES.split("\n").map((line) => [parseInt(line, 16), line.slice(9)]));

/** The name of the last position on a path that has one; an empty text without any. */
export const openingOf = (nodes) => names.get(nodes.map(({ fen }) => positionKey(fen)).findLast((place) => names.has(place))) ?? "";
