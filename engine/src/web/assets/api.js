// What the pages ask: the rules, and the engine. `transport.js` brings it to `alfiere play`, or on the static site to
// WebAssembly modules in the page.

import { readParts } from "./lines.js";
import { search } from "./transport.js";

export { ask, info, search } from "./transport.js";

/** Searches as an analyst: with the network at full strength, unless the request says otherwise. */
export const analyse = (request, hear, signal) => search({ analysis: true, threads: 1, hash: 16, ...request }, hear, signal);

/** These have no network: the default one shows its view. */
const WITHOUT_NETWORK = ["classical", "random"];

/** What each piece adds to the evaluation of a player's network for White, in centipawns by square. */
export async function parts(fen, player = "nnue") {
  let found = {};
  await search({ fen, player: WITHOUT_NETWORK.includes(player) ? "nnue" : player, hash: 1 }, (line) => { found = readParts(line) ?? found; });
  return found;
}
