//! How an engine is set.

use std::time::Duration;

use crate::search::{ProbeRules, Tunables};

/// Who plays: the search is the same, what it judges positions by is not.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Player {
    /// The network.
    #[default]
    Nnue,
    /// The hand-written evaluation.
    Classical,
}

impl Player {
    /// All players, the default first.
    pub const ALL: [Self; 2] = [Self::Nnue, Self::Classical];

    /// The name by which it is chosen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nnue => "nnue",
            Self::Classical => "classical",
        }
    }
}

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
    /// The numbers of the search.
    pub tunables: Tunables,
}

impl Settings {
    /// The contempt that counts, in shown centipawns: none in analysis.
    pub(super) fn effective_contempt(&self) -> i32 {
        if self.analysis { 0 } else { self.contempt }
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
            tunables: Tunables::default(),
        }
    }
}
