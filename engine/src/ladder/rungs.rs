//! The rungs of the ladder, with their measured ratings.

use std::fmt;

use alfiere_arena::ladder::Ladder;
use alfiere_arena::ratings::Rating;
use alfiere_search::engine::Player;

/// A player of this program with a limit, and its rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rung {
    /// The player.
    pub player: Player,
    /// Nodes per move; `None` for players that use another limit.
    pub nodes: Option<u64>,
    /// Elo.
    pub elo: f64,
    /// Half of the 95 % interval of the differences to the neighbours.
    pub error: f64,
}

/// The rungs, weakest first. `scripts/ladder` measures the ratings and writes `docs/results/ladder.md`.
pub const LADDER: [Rung; 15] = [
    rung(Player::Random, None, 0.0, 30.0),
    rung(Player::Beam, None, 400.0, 30.0),
    rung(Player::Perceptron, Some(20), 500.0, 30.0),
    rung(Player::Perceptron, Some(100), 600.0, 30.0),
    rung(Player::Perceptron, Some(500), 700.0, 30.0),
    rung(Player::Perceptron, Some(5_000), 800.0, 30.0),
    rung(Player::Classical, Some(20), 1_000.0, 30.0),
    rung(Player::Classical, Some(100), 1_200.0, 30.0),
    rung(Player::Classical, Some(500), 1_400.0, 30.0),
    rung(Player::Classical, Some(2_000), 1_800.0, 30.0),
    rung(Player::Classical, Some(5_000), 2_000.0, 30.0),
    rung(Player::Nnue, Some(1_000), 2_100.0, 30.0),
    rung(Player::Nnue, Some(2_000), 2_250.0, 30.0),
    rung(Player::Nnue, Some(5_000), 2_500.0, 30.0),
    rung(Player::Nnue, Some(10_000), 2_700.0, 30.0),
];

const fn rung(player: Player, nodes: Option<u64>, elo: f64, error: f64) -> Rung {
    Rung { player, nodes, elo, error }
}

/// The ratings of the rungs.
pub fn ladder() -> Ladder {
    Ladder::new(LADDER.iter().map(|&Rung { elo, error, .. }| Rating { elo, error }).collect())
}

impl Rung {
    /// Its description for `alfiere match`, without the program.
    pub fn words(&self) -> String {
        let nodes = self.nodes.map_or_else(String::new, |nodes| format!(" nodes={nodes}"));
        format!("player={}{nodes}", self.player.name())
    }
}

impl fmt::Display for Rung {
    /// `classical at 500 nodes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.player.name())?;
        self.nodes.map_or(Ok(()), |nodes| write!(f, " at {nodes} nodes"))
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
            // So that every player between them wins points against one of them.
            assert!(difference > 0.0 && score_of_elo(difference) < 0.9, "{} and {}", pair[0], pair[1]);
            assert!(pair[0].error <= 40.0, "{}", pair[0]);
        }
    }
}
