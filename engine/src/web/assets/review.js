// The review of a game: what each move lost, and the accuracy of both sides. The thresholds and formulas are those of
// `alfiere analyse`.

const JUDGEMENTS = [
  { loss: 0.3, glyph: 4, name: "Blunder" },
  { loss: 0.2, glyph: 2, name: "Mistake" },
  { loss: 0.1, glyph: 6, name: "Inaccuracy" },
];

const bounded = ({ cp, mate, chance }) =>
  (mate === undefined ? Math.max(-1000, Math.min(1000, cp)) : chance > 0.5 ? 1000 : -1000);

/** White's winning chances in percent, by the formula of lichess.org. */
export const winPercent = (centipawns) => 100 / (1 + Math.exp(-0.00368208 * centipawns));

/** A move's accuracy in percent from what it lost of the winning chances. */
export const moveAccuracy = (lost) => (lost <= 0 ? 100 : Math.max(0, Math.min(100, 103.1668 * Math.exp(-0.04354 * lost) - 2.1669)));

/** One side's accuracy: `moves` are `[index in the game, accuracy]`, `percents` White's chances in all positions. */
export function gameAccuracy(percents, moves) {
  if (moves.length === 0) return 100;
  const length = Math.min(Math.max(2, Math.min(8, Math.floor((percents.length - 1) / 10))), percents.length);
  let [weights, weighted, inverses] = [0, 0, 0];
  for (const [index, accuracy] of moves) {
    const first = Math.min(Math.max(0, index + 2 - length), percents.length - length);
    const weight = Math.max(0.5, Math.min(12, deviation(percents.slice(first, first + length))));
    weights += weight;
    weighted += weight * accuracy;
    inverses += 1 / Math.max(1, accuracy);
  }
  return (weighted / weights + moves.length / inverses) / 2;
}

function deviation(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/**
 * Judges moves. `moves` are `{uci, isWhite}`; `positions`, one more, are `{judgement: {cp | mate, chance}, best}` with the
 * best move in UCI notation. Returns `{moves: [{glyph, name} | null], white, black}` with accuracy and counts per side.
 */
export function judgeGame(moves, positions) {
  const percents = positions.map(({ judgement }) => winPercent(bounded(judgement)));
  const sides = { white: { accuracies: [], counts: {} }, black: { accuracies: [], counts: {} } };
  const judged = moves.map(({ uci, isWhite }, index) => {
    // The engine's own choice costs nothing, even if the next search evaluates it lower.
    const isBest = positions[index].best === uci;
    const lost = (before, after) => (isBest ? 0 : Math.max(0, isWhite ? before - after : after - before));
    const side = isWhite ? sides.white : sides.black;
    side.accuracies.push([index, moveAccuracy(lost(percents[index], percents[index + 1]))]);
    const points = lost(positions[index].judgement.chance, positions[index + 1].judgement.chance);
    const found = JUDGEMENTS.find(({ loss }) => points >= loss) ?? null;
    if (found) side.counts[found.name] = (side.counts[found.name] ?? 0) + 1;
    return found;
  });
  const summary = ({ accuracies, counts }) => ({ accuracy: gameAccuracy(percents, accuracies), counts });
  return { moves: judged, white: summary(sides.white), black: summary(sides.black) };
}
