// The engine's lines: what a search reports in UCI, and their display.

import { score } from "./notation.js";

/** A line of UCI as `{depth, rank, evaluation, nodes, nps, moves}` from White's point of view; null for others. */
export function readInfo(text, isWhiteToMove) {
  const words = text.trim().split(/\s+/);
  const after = (name) => words[words.indexOf(name) + 1];
  if (words[0] !== "info" || !words.includes("score") || !words.includes("pv") || /lowerbound|upperbound/.test(text)) return null;
  const direction = isWhiteToMove ? 1 : -1;
  const at = words.indexOf("score");
  const value = direction * Number(words[at + 2]);
  const wdl = words.indexOf("wdl");
  const own = wdl < 0 ? 0.5 : (Number(words[wdl + 1]) + Number(words[wdl + 2]) / 2) / 1000;
  return {
    depth: Number(after("depth")), rank: Number(after("multipv")), nodes: Number(after("nodes")), nps: Number(after("nps")),
    evaluation: { [words[at + 1]]: value, expected_score: isWhiteToMove ? own : 1 - own },
    moves: words.slice(words.indexOf("pv") + 1),
  };
}

/** The evaluation of the last position of a game that the rules have ended. */
export const evaluationOfEnd = ({ winner }) => (winner ? { mate: 0, expected_score: winner === "white" ? 1 : 0 } : { cp: 0, expected_score: 0.5 });

/** A count with k or M. */
export function short(count) {
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  return count >= 1e3 ? `${Math.round(count / 1e3)} k` : String(count);
}

/** Shows lines, `[{evaluation, plies}]`; `choose(plies)` receives the moves up to the one that was clicked. */
export function showLines(list, lines, numbered, choose) {
  list.replaceChildren(...lines.map(({ evaluation, plies }) => {
    const item = document.createElement("li");
    const value = Object.assign(document.createElement("b"), { textContent: score(evaluation) });
    value.className = evaluation.expected_score < 0.5 ? "value for-black" : "value";
    item.append(value);
    plies.forEach((ply, index) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: numbered(ply, index) });
      button.addEventListener("click", () => choose(plies.slice(0, index + 1)));
      item.append(button);
    });
    return item;
  }));
}
