// The engine's lines: what a search reports in UCI, and their display.

import { make } from "./elements.js";
import { isWhiteToMove, score } from "./notation.js";

/** A line of UCI about the position `fen` as `{depth, rank, evaluation, nodes, nps, moves}` from White's point of view; null for others. */
export function readInfo(text, fen) {
  const words = text.trim().split(/\s+/);
  const after = (name, count = 1) => words[words.indexOf(name) + count];
  if (words[0] !== "info" || !words.includes("score") || !words.includes("pv") || /lowerbound|upperbound/.test(text)) return null;
  const isWhite = isWhiteToMove(fen);
  const own = words.includes("wdl") ? (Number(after("wdl")) + Number(after("wdl", 2)) / 2) / 1000 : 0.5;
  return {
    depth: Number(after("depth")), rank: Number(after("multipv")), nodes: Number(after("nodes")), nps: Number(after("nps")),
    evaluation: { [after("score")]: (isWhite ? 1 : -1) * after("score", 2), expected_score: isWhite ? own : 1 - own },
    moves: words.slice(words.indexOf("pv") + 1),
  };
}

/**
 * What an evaluation of the position `fen` sees, in centipawns for White: the `value` of the position, and what each piece
 * adds, `parts` by square. `evaluate(hear)` brings its lines of UCI.
 */
export async function viewBy(fen, evaluate) {
  const seen = { value: 0, parts: {} };
  await evaluate((text) => {
    const found = /^Normalised score: cp (-?\d+)/.exec(text);
    if (found) seen.value = (isWhiteToMove(fen) ? 1 : -1) * found[1];
    if (!text.startsWith("Piece values")) return;
    seen.parts = Object.fromEntries([...text.matchAll(/([a-h][1-8]) (-?\d+)/g)].map(([, square, part]) => [square, Number(part)]));
  });
  return seen;
}

/** The evaluation of the last position of a game that the rules have ended. */
export const evaluationOfEnd = ({ winner }) => (winner ? { mate: 0, expected_score: winner === "white" ? 1 : 0 } : { cp: 0, expected_score: 0.5 });

export const short = (count) => (count >= 1e6 ? `${(count / 1e6).toFixed(1)} M` : count >= 1e3 ? `${Math.round(count / 1e3)} k` : String(count));

/**
 * Shows lines, `[{evaluation, plies}]`; `choose(plies)` receives the moves up to the one that was clicked, `look(ply, button)`
 * the one under the mouse, and nothing when it leaves. Buttons are kept from one call to the next: the lines change several
 * times per second, and a replaced button loses the focus and clicks.
 */
export function showLines(list, lines, numbered, choose, look) {
  const at = ({ target }) => {
    const button = target.closest("span > button");
    if (!button) return {};
    const { plies } = lines[[...list.children].indexOf(button.closest("li"))];
    return { button, plies, index: [...button.parentElement.children].indexOf(button) };
  };
  list.onclick = (event) => {
    const { plies, index } = at(event);
    if (plies) choose(plies.slice(0, index + 1));
    const fold = event.target.closest(".fold");
    if (fold) fold.ariaExpanded = fold.parentElement.classList.toggle("whole");
  };
  list.onmouseover = (event) => {
    const { button, plies, index } = at(event);
    look(plies?.[index], button);
  };
  list.onmouseleave = () => look();
  resize(list, lines.length, () => make("li", "", "", {}, make("b"), make("span"),
    make("button", "fold", "", { type: "button", "aria-label": "Whole line", title: "Whole line", "aria-expanded": false })));
  lines.forEach(({ evaluation, plies }, row) => {
    const [value, moves] = list.children[row].children;
    resize(moves, plies.length, () => make("button", "", "", { type: "button" }));
    value.className = evaluation.expected_score < 0.5 ? "value for-black" : "value";
    value.textContent = score(evaluation);
    [...moves.children].forEach((button, index) => {
      button.textContent = numbered(plies[index], index);
      // One tab stop for each line.
      button.tabIndex = index === 0 ? 0 : -1;
    });
  });
}

function resize(parent, count, made) {
  while (parent.children.length > count) parent.lastElementChild.remove();
  while (parent.children.length < count) parent.append(made());
}
