//! How an engine is set.

use std::time::Duration;

use super::player::Player;
use super::strength::{Level, Strength};
use crate::search::{BeamShape, ProbeRules, Tunables};

/// Settings that stay from search to search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Size of the transposition table in MiB, 1 or more.
    pub hash_mib: usize,
    /// Threads that search, 1 or more.
    pub threads: usize,
    /// How many of the best lines to find, 1 or more.
    pub lines: usize,
    /// By how much a draw is liked less than an even position, in centipawns as they are shown.
    pub contempt: i32,
    /// The engine is asked what a position is worth, not to win: nothing that serves a game only.
    pub analysis: bool,
    /// When endgame tables are asked.
    pub probe_rules: ProbeRules,
    /// What the way to the GUI and back may take from the clock.
    pub move_overhead: Duration,
    /// Who plays.
    pub player: Player,
    /// How well, in games.
    pub strength: Strength,
    /// How deep and how wide the player `beam` looks.
    pub beam: BeamShape,
    /// What chance is drawn from, the moves of the player `random` and the mistakes of a limited strength; 0 for something
    /// new each time the program runs.
    pub seed: u64,
    /// The numbers of the search.
    pub tunables: Tunables,
}

impl Settings {
    /// The contempt that counts, in shown centipawns: none in analysis.
    pub(super) fn effective_contempt(&self) -> i32 {
        if self.analysis { 0 } else { self.contempt }
    }

    /// The level to play at; none for full strength and in analysis.
    pub(super) fn effective_level(&self) -> Option<Level> {
        if self.analysis { None } else { self.strength.level() }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash_mib: 16,
            threads: 1,
            lines: 1,
            contempt: 0,
            analysis: false,
            probe_rules: ProbeRules::default(),
            move_overhead: Duration::from_millis(10),
            player: Player::default(),
            strength: Strength::default(),
            beam: BeamShape::default(),
            seed: 0,
            tunables: Tunables::default(),
        }
    }
}
