// The levels of the players: ratings on the scale of the network, and full strength.

const ELOS = [600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400, 2600, 2800];
const FULL = "full";
/** From this rating on, the limit of positions is beyond what the player `beam` searches. */
const BEAM_MAX_ELO = 1700;

/** The levels of a player, `{name, title}`, weakest first. Those that do not limit it are left out. */
export function levelsOf(player) {
  const full = { random: "Any legal move, at once", own: "Full strength", beam: "Full strength: searches four half-moves deep" }[player]
    ?? "Full strength, one second per move without a clock";
  const title = (elo) => (player === "nnue" ? `About ${elo} Elo`
    : player === "beam" ? `Searches no more positions than the network at ${elo} Elo`
    : `Same limits as the network at ${elo} Elo: weaker than that`);
  const max = { random: 0, own: 0, beam: BEAM_MAX_ELO }[player] ?? Infinity;
  return [...ELOS.filter((elo) => elo < max).map((elo) => ({ name: String(elo), title: title(elo) })), { name: FULL, title: full }];
}

export const defaultLevel = (player) => (levelsOf(player).length > 1 ? "1400" : FULL);

/** The rating of a level; undefined for full strength. */
export const eloOf = (level) => (level === FULL ? undefined : Number(level));

/** The level beside the player's name; empty for a player with one level. */
export const levelLabel = (player, level) => (levelsOf(player).length === 1 ? "" : level === FULL ? "full strength" : `level ${level}`);
