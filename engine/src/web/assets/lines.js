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

/** The values of the pieces in an evaluation's line, `{square: centipawns for White}`; null for others. */
export function readParts(text) {
  if (!text.startsWith("Piece values")) return null;
  return Object.fromEntries([...text.matchAll(/([a-h][1-8]) (-?\d+)/g)].map(([, square, part]) => [square, Number(part)]));
}

/** The evaluation of the last position of a game that the rules have ended. */
export const evaluationOfEnd = ({ winner }) => (winner ? { mate: 0, expected_score: winner === "white" ? 1 : 0 } : { cp: 0, expected_score: 0.5 });

/** A count with k or M. */
export function short(count) {
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  return count >= 1e3 ? `${Math.round(count / 1e3)} k` : String(count);
}

/**
 * Shows lines, `[{evaluation, plies}]`; `choose(plies)` receives the moves up to the one that was clicked. Buttons are kept
 * from one call to the next: the lines change several times per second, and a replaced button loses the focus and clicks.
 */
export function showLines(list, lines, numbered, choose) {
  list.onclick = ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    const item = button.parentElement;
    const { plies } = lines[[...list.children].indexOf(item)];
    // The value is before the buttons.
    choose(plies.slice(0, [...item.children].indexOf(button)));
  };
  resize(list, lines.length, () => {
    const item = document.createElement("li");
    item.append(document.createElement("b"));
    return item;
  });
  lines.forEach(({ evaluation, plies }, row) => {
    const item = list.children[row];
    resize(item, plies.length + 1, () => Object.assign(document.createElement("button"), { type: "button" }));
    const [value, ...buttons] = item.children;
    value.className = evaluation.expected_score < 0.5 ? "value for-black" : "value";
    value.textContent = score(evaluation);
    buttons.forEach((button, index) => {
      button.textContent = numbered(plies[index], index);
      // One tab stop for each line.
      button.tabIndex = index === 0 ? 0 : -1;
    });
  });
}

function resize(parent, count, make) {
  while (parent.children.length > count) parent.lastElementChild.remove();
  while (parent.children.length < count) parent.append(make());
}
