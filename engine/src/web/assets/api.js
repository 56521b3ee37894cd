// What the pages ask: the rules, and the engine. `transport.js` brings it to `alfiere play`, or on the static site to
// WebAssembly modules in the page.

import { readInfo, viewBy } from "./lines.js";
import { ask, search } from "./transport.js";

export { ask, info, openNetwork, search } from "./transport.js";

/** Searches as an analyst: at full strength, with the network unless the request names another player. */
export const analyse = (request, hear, signal) => search({ analysis: true, threads: 1, hash: 16, ...request }, hear, signal);

/** What an analyst finds in the position `fen`, its last line as of `readInfo`; null if the signal aborts. */
export async function find(request, fen, signal) {
  let found = null;
  await analyse(request, (line) => { found = readInfo(line, fen) ?? found; }, signal);
  if (!found && !signal.aborted) throw new Error("The engine gave no evaluation.");
  return found;
}

/** What a player's evaluation sees; see `viewBy`. */
export const view = (fen, player = "nnue") => viewBy(fen, (hear) => search({ fen, player, hash: 1 }, hear));

/** The move of a text in a position, in SAN or UCI; a promotion without a piece is one to a queen. Throws why it is not legal. */
export async function moveOf(fen, text) {
  const tried = (move) => ask({ ask: "line", fen, moves: [move] });
  let { plies, problem } = await tried(text);
  if (problem && /[18]$/.test(text)) ({ plies } = await tried(text + (/^[a-h]\d[a-h]\d$/.test(text) ? "q" : "=Q")));
  if (plies.length === 0) throw new Error(`${problem}.`);
  return plies[0];
}
