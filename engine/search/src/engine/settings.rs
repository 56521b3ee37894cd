//! The settings of an engine.

use std::time::Duration;

use super::player::Player;
use super::strength::{Rating, Strength};
use crate::search::{BeamShape, ProbeRules, Tunables};

/// Settings that apply to all searches until they are changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Size of the transposition table in MiB, 1 or more.
    pub hash_mib: usize,
    /// Threads that search, 1 or more.
    pub threads: usize,
    /// Number of best lines to find, 1 or more.
    pub lines: usize,
    /// Normalised centipawns by which a draw scores below an even position.
    pub contempt: i32,
    /// Analysis: no contempt, no limited strength.
    pub analysis: bool,
    /// When endgame tables are probed.
    pub probe_rules: ProbeRules,
    /// The part of the clock that the GUI and the connection may need for each move.
    pub move_overhead: Duration,
    /// Who plays.
    pub player: Player,
    /// The playing strength.
    pub strength: Strength,
    /// Depth and width of the player `beam`.
    pub beam: BeamShape,
    /// The seed of the player `random` and of limited strength; 0 draws a new one each time the program runs.
    pub seed: u64,
    /// The numbers of the search.
    pub tunables: Tunables,
}

impl Settings {
    /// The contempt that applies, in normalised centipawns: 0 in analysis.
    pub(super) fn effective_contempt(&self) -> i32 {
        if self.analysis { 0 } else { self.contempt }
    }

    /// The level to play at; none for full strength and in analysis.
    pub(super) fn effective_level(&self) -> Option<Rating> {
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
