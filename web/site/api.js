// What the pages ask of `alfiere play`, answered in the page itself: the rules and the engine are WebAssembly modules.

import { Engine, engine } from "./engine.js";
import { LocalGame, beginLocal } from "./local-game.js";
import { ownNetwork } from "./own-network.js";

export { ask } from "./rules.js";
export { LocalGame as Game };

const ELOS = [600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400, 2600, 2800];

function levels(player) {
  const full = { name: "full", title: "Full strength, one second per move without a clock" };
  if (player === "random") return [{ name: "full", title: "Any legal move, at once" }];
  if (player === "own") return [{ name: "full", title: "Full strength" }];
  const title = (elo) => (player === "nnue" ? `About ${elo} Elo` : `Same limits as the network at ${elo} Elo: weaker than that`);
  return [...ELOS.map((elo) => ({ name: String(elo), title: title(elo) })), full];
}

export async function info() {
  const own = await ownNetwork() ? ["own"] : [];
  const players = ["nnue", "classical", "random", ...own];
  return {
    players: players.map((name) => ({ name, levels: levels(name), level: ["random", "own"].includes(name) ? "full" : "1400" })),
    player: new URLSearchParams(location.search).get("player"),
  };
}

export const begin = beginLocal;

/** The largest `{threads, hash}` of a search; the hash table in MiB. Several threads need memory that is shared. */
export const limits = async () => ({ threads: globalThis.crossOriginIsolated ? navigator.hardwareConcurrency : 1, hash: 1024 });

/**
 * Searches `{fen, moves, lines, nodes, threads, hash}` and calls `hear` with each line of UCI, until the signal aborts or the
 * search ends. One with `nodes` starts with an empty table, as on a server, so that a review finds the same.
 */
export function search({ fen, moves, lines = 1, nodes, threads = 1, hash = 16 }, hear, signal) {
  const options = { Player: "nnue", UCI_LimitStrength: false, UCI_AnalyseMode: true, MultiPV: lines, Threads: threads, Hash: hash };
  return engine.search({ fen, moves, options, go: nodes ? `nodes ${nodes}` : "infinite", isNew: Boolean(nodes) }, hear, signal);
}

export const gamePage = (id) => `./?game=${id}`;
export const shownGame = () => new URLSearchParams(location.search).get("game");
export const analysisPage = "analysis.html";

/** Evaluate while the other engine searches; by player. */
const evaluators = new Map();

/** What each piece adds to the network's evaluation for White, in centipawns by square; the network is `own` or the engine's. */
export async function parts(fen, player) {
  if (!evaluators.has(player)) evaluators.set(player, new Engine(player === "own" ? await ownNetwork() : null));
  return (await evaluators.get(player).view(fen)).parts;
}
