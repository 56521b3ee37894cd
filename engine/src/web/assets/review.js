// The review of a game: what each move lost, and the accuracy of both sides, by the formulas of `alfiere analyse`. All of it
// is in the tree, so that a PGN keeps it: evaluations, glyphs, better lines, the reasons as comments, the accuracy as tags.

import { faultOf } from "./annotation.js";
import { ask } from "./api.js";
import { capital, numbered, score, squaresOf } from "./notation.js";
import { turnOf } from "./tree.js";

const REPLY_PLIES = 6;
const BETTER_PLIES = 8;
const SHOWN_MOVES = 5;
const SIDES = ["White", "Black"];
const FAULTS = { dubious: ["inaccuracy", "inaccuracies"], mistake: ["mistake", "mistakes"], blunder: ["blunder", "blunders"] };
/** The reason that a review writes at the end of a comment, also that of `alfiere analyse`. */
const REASON = /\s*((?:Inaccuracy|Mistake|Blunder) \(([^()]*)\))(?:: \S+ was better\.)?(?: Answer: (.*))?$/;

/**
 * Reviews the main line of a tree, `nodes` with the root. `positions` are `{evaluation, line}` of each: the evaluation and
 * the engine's line, as moves in UCI notation.
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
  const written = async (index, plies) => (await ask({ ask: "line", fen: nodes[index].fen, moves: (positions[index].line ?? []).slice(0, plies) })).plies;
  const found = await Promise.all(result.moves.map(async ({ judgement, glyph }, index) => judgement && {
    judgement, glyph, better: await written(index, BETTER_PLIES), reply: await written(index + 1, REPLY_PLIES),
    change: [positions[index], positions[index + 1]].map(({ evaluation }) => score(evaluation)).join(" → "),
  }));
  tree.together(() => {
    const accuracy = SIDES.map((side) => [`${side}Accuracy`, result[side.toLowerCase()].accuracy.toFixed(0)]);
    tree.annotate(tree, { tags: [...tree.tags.filter(([name]) => !accuracy.some(([other]) => name === other)), ...accuracy] });
    nodes.forEach((node, index) => {
      const { evaluation } = positions[index];
      const bad = found[index - 1];
      const isOwn = REASON.test(node.text);
      const glyphs = isOwn ? node.glyphs.filter((glyph) => glyph > 6) : node.glyphs;
      const isMarked = glyphs.some((glyph) => glyph <= 6);
      tree.annotate(node, {
        evaluation: evaluation.mate === 0 ? null : evaluation,
        glyphs: bad && !isMarked ? [bad.glyph, ...glyphs] : glyphs,
        text: [withoutReason(node.text), bad && reason(bad, node.fen)].filter(Boolean).join(" "),
      });
      if (!bad) return;
      tree.addLine(nodes[index - 1], bad.better);
      const [reply] = bad.reply;
      const [from, to] = reply ? squaresOf(reply.uci) : [];
      if (reply && !node.shapes.some((shape) => shape.from === from && shape.to === to)) tree.annotate(node, { shapes: [...node.shapes, { color: "blue", from, to }] });
    });
  });
}

function reason({ judgement, change, better, reply }, fen) {
  return `${capital(judgement)} (${change})${better.length ? `: ${better[0].san} was better.` : ""}${reply.length ? ` Answer: ${reply.map(numbered(fen)).join(" ")}` : ""}`;
}

/** Why a move is bad, `{words, reply}`: the reply as moves in SAN; null if no review says so. */
export function reasonOf({ text }) {
  const [, words, , reply = ""] = REASON.exec(text) ?? [];
  return words ? { words, reply: reply.split(/\s+/).filter((word) => word && !/^\d/.test(word)) } : null;
}

/** A comment without the reason, which has a place of its own. */
export const withoutReason = (text) => text.replace(REASON, "");

/** What a review found, from the tree; null without one. `evaluationOf(node)` is a node's evaluation. */
export function reviewOf(tree, evaluationOf) {
  const tags = new Map(tree.tags);
  if (!SIDES.every((side) => tags.has(`${side}Accuracy`))) return null;
  const bad = tree.main().slice(1).filter((node) => faultOf(node));
  const sides = SIDES.map((side) => {
    const own = bad.filter((node) => turnOf(node).isWhite === (side === "White"));
    const counts = Object.entries(FAULTS).flatMap(([fault, names]) => {
      const count = own.filter((node) => faultOf(node) === fault).length;
      return count ? [`${count} ${names[count === 1 ? 0 : 1]}`] : [];
    });
    return `${side}: accuracy ${tags.get(`${side}Accuracy`)} %${counts.length ? `, ${counts.join(", ")}` : ""}.`;
  });
  const loss = (node) => {
    const [before, after] = [node.parent, node].map((each) => evaluationOf(each)?.expected_score ?? 0.5);
    return turnOf(node).isWhite ? before - after : after - before;
  };
  const worst = bad.sort((a, b) => loss(b) - loss(a)).slice(0, SHOWN_MOVES);
  return { sides, worst: worst.map((node) => ({ node, change: REASON.exec(node.text)?.[2] ?? "" })) };
}

/** A move with its number, as in print. */
export function moveName(node) {
  const { isWhite, number } = turnOf(node);
  return `${number}${isWhite ? "." : "…"} ${node.san}`;
}
