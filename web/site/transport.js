// Requests to `alfiere play`, answered in the page itself: the rules and the engine are WebAssembly modules.

import { Engine, engineOf } from "./engine.js";
import { ownNetwork } from "./own-network.js";

export { ask } from "./rules.js";

/** `{players, limits}`: names, and the largest `{threads, hash}` of a search. Several threads need memory that is shared. */
export async function info() {
  const own = await ownNetwork() ? ["own"] : [];
  const threads = globalThis.crossOriginIsolated ? navigator.hardwareConcurrency : 1;
  return { players: ["nnue", "classical", "random", ...own], limits: { threads, hash: 1024 } };
}

/** Evaluate while the other engine searches; by player. */
const evaluators = new Map();

async function evaluatorOf(player) {
  if (!evaluators.has(player)) evaluators.set(player, new Engine(player === "own" ? await ownNetwork() : null));
  return evaluators.get(player);
}

/** Searches as `alfiere play` does; `isNew` empties the table first. */
export async function search({ player = "nnue", elo, seed = 0, analysis = false, lines = 1, threads = 1, hash = 16, isNew, go, ...position }, hear, signal) {
  const options = {
    Player: player === "own" ? "nnue" : player, UCI_LimitStrength: Boolean(elo), ...(elo && { UCI_Elo: elo }), Seed: seed,
    UCI_AnalyseMode: analysis, MultiPV: lines, Threads: threads, Hash: hash,
  };
  const engine = await (go ? engineOf(player) : evaluatorOf(player));
  return engine.search({ ...position, options, go, isNew }, hear, signal);
}
