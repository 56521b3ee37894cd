// A test suite: positions with a best move, or with one to avoid.

import { ask } from "./rules.js";

/** `{fen, best, avoid}` of each line of an EPD file, with moves in UCI notation. */
export async function readSuite(epd) {
  return Promise.all(epd.split("\n").filter((line) => line.trim()).map(async (line) => {
    const fen = `${line.trim().split(/\s+/).slice(0, 4).join(" ")} 0 1`;
    const moves = async (name) => {
      const words = new RegExp(` ${name} ([^;]+);`).exec(line)?.[1].split(/\s+/) ?? [];
      return Promise.all(words.map(async (move) => (await ask({ ask: "line", fen, moves: [move] })).plies[0].uci));
    };
    return { fen, best: await moves("bm"), avoid: await moves("am") };
  }));
}

/** The number of positions that an engine with its network solves at a depth; calls `changed(done)` after each. */
export async function solve(suite, searcher, depth, changed) {
  const options = { Player: "nnue", UCI_LimitStrength: false, UCI_AnalyseMode: false, MultiPV: 1, Threads: 1, Hash: 16 };
  let solved = 0;
  for (const [index, { fen, best, avoid }] of suite.entries()) {
    let move = null;
    await searcher.search({ fen, options, go: `depth ${depth}`, isNew: true }, (line) => { move = /^bestmove (\S+)/.exec(line)?.[1] ?? move; });
    if ((best.length === 0 || best.includes(move)) && !avoid.includes(move)) solved += 1;
    changed(index + 1);
  }
  return solved;
}
