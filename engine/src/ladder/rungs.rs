//! The rungs of the ladder, with their measured ratings.

use std::fmt;

use alfiere_arena::ladder::Ladder;
use alfiere_arena::ratings::Rating;
use alfiere_chess::game::Limit;
use alfiere_search::engine::Player;

/// A player of this program with a limit, and its rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rung {
    /// The player.
    pub player: Player,
    /// The limit of its moves; `None` if the player limits itself.
    pub limit: Option<Limit>,
    /// Elo.
    pub elo: f64,
    /// Half of the 95 % interval of the differences to the neighbours.
    pub error: f64,
}

/// The rungs, weakest first. `scripts/ladder` measures the ratings and writes `docs/results/ladder.md`.
pub const LADDER: [Rung; 15] = [
    rung(Player::Random, None, -1_068.0, 55.0),
    rung(Player::Beam, Some(Limit::Depth(1)), -777.0, 51.0),
    rung(Player::Beam, Some(Limit::Depth(2)), -439.0, 120.0),
    rung(Player::Beam, None, -59.0, 101.0),
    at(Player::Perceptron, 100, 313.0, 71.0),
    at(Player::Classical, 20, 665.0, 60.0),
    at(Player::Classical, 200, 889.0, 71.0),
    at(Player::Classical, 500, 1_130.0, 97.0),
    at(Player::Perceptron, 5_000, 1_284.0, 155.0),
    at(Player::Classical, 1_000, 1_483.0, 116.0),
    at(Player::Classical, 2_000, 1_698.0, 121.0),
    at(Player::Nnue, 1_000, 1_916.0, 82.0),
    at(Player::Kaggle, 5_000, 1_929.0, 33.0),
    at(Player::Classical, 5_000, 2_000.0, 76.0),
    at(Player::Nnue, 5_000, 2_411.0, 74.0),
];

const fn rung(player: Player, limit: Option<Limit>, elo: f64, error: f64) -> Rung {
    Rung { player, limit, elo, error }
}

/// A rung limited by nodes.
const fn at(player: Player, nodes: u64, elo: f64, error: f64) -> Rung {
    rung(player, Some(Limit::Nodes(nodes)), elo, error)
}

/// The ratings of the rungs.
pub fn ladder() -> Ladder {
    Ladder::new(LADDER.iter().map(|&Rung { elo, error, .. }| Rating { elo, error }).collect())
}

/// The rungs next to a rating: the last that is not stronger, and the first that is.
pub fn neighbours(elo: f64) -> [Option<&'static Rung>; 2] {
    let weaker = LADDER.iter().rev().find(|rung| rung.elo <= elo);
    [weaker, LADDER.iter().find(|rung| rung.elo > elo)]
}

impl Rung {
    /// Its description for `alfiere match`, without the program.
    pub fn words(&self) -> String {
        let limit = match self.limit {
            Some(Limit::Nodes(nodes)) => format!(" nodes={nodes}"),
            Some(Limit::Depth(depth)) => format!(" depth={depth}"),
            _ => String::new(),
        };
        format!("player={}{limit}", self.player.name())
    }
}

impl fmt::Display for Rung {
    /// `classical at 500 nodes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.player.name())?;
        self.limit.map_or(Ok(()), |limit| write!(f, " at {limit}"))
    }
}

#[cfg(test)]
mod tests {
    use alfiere_arena::elo::score_of_elo;

    use super::*;

    #[test]
    fn neighbours_are_in_order_and_near() {
        for pair in LADDER.windows(2) {
            let difference = pair[1].elo - pair[0].elo;
            // So that every player between them wins points against both.
            assert!(difference > 0.0 && score_of_elo(difference) < 0.95, "{} and {}", pair[0], pair[1]);
        }
    }
}
