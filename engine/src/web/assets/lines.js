// The engine's lines: what a search reports in UCI, and their display.

import { make } from "./elements.js";
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

/** Adds what a line of an evaluation says to `{value, parts}`: centipawns for White, of the position and of each piece by square. */
export function readView(seen, text, isWhiteToMove) {
  const score = /^Normalised score: cp (-?\d+)/.exec(text);
  if (score) seen.value = isWhiteToMove ? Number(score[1]) : -score[1];
  if (!text.startsWith("Piece values")) return;
  seen.parts = Object.fromEntries([...text.matchAll(/([a-h][1-8]) (-?\d+)/g)].map(([, square, part]) => [square, Number(part)]));
}

/** The evaluation of the last position of a game that the rules have ended. */
export const evaluationOfEnd = ({ winner }) => (winner ? { mate: 0, expected_score: winner === "white" ? 1 : 0 } : { cp: 0, expected_score: 0.5 });

/** A count with k or M. */
export function short(count) {
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  return count >= 1e3 ? `${Math.round(count / 1e3)} k` : String(count);
}

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
    fold?.setAttribute("aria-expanded", String(fold.parentElement.classList.toggle("whole")));
  };
  list.onmouseover = (event) => {
    const { button, plies, index } = at(event);
    look(plies?.[index], button);
  };
  list.onmouseleave = () => look();
  resize(list, lines.length, () => {
    const item = make("li");
    item.append(make("b"), make("span"), make("button", "fold", "", { type: "button", "aria-label": "Whole line", title: "Whole line", "aria-expanded": false }));
    return item;
  });
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
