// The review of a game: what each move lost, and the accuracy of both sides, by the formulas of `alfiere analyse`.

import { ask } from "./api.js";
import { capital, numbered, score } from "./notation.js";
import { turnOf } from "./tree.js";

const REPLY_PLIES = 6;
const BETTER_PLIES = 8;
const SHOWN_MOVES = 5;

/**
 * Reviews the main line of a tree, `nodes` with the root. `positions` are `{evaluation, line}` of each: the evaluation and
 * the engine's line, as moves in UCI notation. Bad moves get a glyph, the reason as `judged`, the engine's reply and the
 * better line as a variation. Returns `{white, black, worst}`: accuracy and counts of each side, and the worst moves.
 */
export async function reviewTree(tree, nodes, positions) {
  const result = await ask({
    ask: "review", fen: tree.root.fen, moves: nodes.slice(1).map(({ uci }) => uci),
    positions: positions.map(({ evaluation, line }) => ({ ...evaluation, best: line?.[0] })),
  });
  // A move that the search had missed is the best one, and its evaluation holds before it.
  for (let index = nodes.length - 2; index >= 0; index -= 1) {
    const { corrected } = result.moves[index];
    if (!corrected) continue;
    positions[index] = { evaluation: corrected, line: [nodes[index + 1].uci, ...(positions[index + 1].line ?? [])] };
    nodes[index].engineEvaluation = corrected;
  }
  const written = (index, plies) => ask({ ask: "line", fen: nodes[index].fen, moves: (positions[index].line ?? []).slice(0, plies) });
  const found = await Promise.all(result.moves.map(async (reviewed, index) => reviewed.judgement && {
    ...reviewed,
    node: nodes[index + 1],
    change: [positions[index], positions[index + 1]].map(({ evaluation }) => score(evaluation)).join(" → "),
    better: (await written(index, BETTER_PLIES)).plies,
    reply: (await written(index + 1, REPLY_PLIES)).plies,
  }));
  tree.together(() => found.forEach((bad, index) => {
    const node = nodes[index + 1];
    const { evaluation } = positions[index + 1];
    const isMarked = node.glyphs.some((glyph) => glyph <= 6);
    tree.annotate(node, {
      evaluation: evaluation.mate === 0 ? null : evaluation,
      judged: bad ? words(bad, nodes[index].fen) : null,
      reply: bad?.reply[0]?.uci ?? null,
      ...(bad && !isMarked && { glyphs: [bad.glyph, ...node.glyphs] }),
    });
    if (bad) tree.addLine(nodes[index], bad.better);
  }));
  const worst = found.filter(Boolean).sort((a, b) => b.loss - a.loss).slice(0, SHOWN_MOVES);
  return { white: result.white, black: result.black, worst };
}

/** Why a move is bad: what it changed, how it is answered, and what was better. */
function words({ judgement, change, node, reply, better }, fen) {
  const parts = [`${capital(judgement)} (${change}).`];
  if (reply.length) parts.push(`It is answered by ${reply.map(numbered(node.fen)).join(" ")}.`);
  if (better.length) parts.push(`Better: ${better.map(numbered(fen)).join(" ")}`);
  return parts.join(" ");
}

/** A move with its number, as in print. */
export function moveName(node) {
  const { isWhite, number } = turnOf(node);
  return `${number}${isWhite ? "." : "…"} ${node.san}`;
}

/** A side's accuracy and counts as a sentence. */
export function sideWords(name, { accuracy, counts }) {
  const kinds = counts.map(([count, kind]) => `${count} ${kind}`);
  return `${name}: accuracy ${accuracy.toFixed(0)} %${kinds.length ? `, ${kinds.join(", ")}` : ""}.`;
}
