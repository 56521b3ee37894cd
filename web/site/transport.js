// Requests to `alfiere play`, answered in the page itself: the rules and the engine are WebAssembly modules.

import { engineOf, ownNetwork } from "./engine.js";

export { openNetwork } from "./engine.js";
export { ask } from "./rules.js";

/** `{players, limits}`: names, and the largest `{threads, hash}` of a search. Several threads need memory that is shared. */
export async function info() {
  const own = await ownNetwork() ? ["own"] : [];
  const threads = globalThis.crossOriginIsolated ? navigator.hardwareConcurrency : 1;
  return { players: ["nnue", "classical", "random", ...own], limits: { threads, hash: 1024 } };
}

/**
 * Searches as `alfiere play` does; `isNew` empties the table first. Searches of one `slot` wait for each other; positions are
 * evaluated while others are searched.
 */
export async function search({ player = "nnue", elo, seed = 0, analysis = false, lines = 1, threads = 1, hash = 16, isNew, slot = 0, go, ...position }, hear, signal) {
  const options = {
    Player: /^(own$|file:)/.test(player) ? "nnue" : player, UCI_LimitStrength: Boolean(elo), ...(elo && { UCI_Elo: elo }), Seed: seed,
    UCI_AnalyseMode: analysis, MultiPV: lines, Threads: threads, Hash: hash,
  };
  const engine = await engineOf(player, go ? slot : "view");
  return engine.search({ ...position, options, go, isNew }, hear, signal);
}
