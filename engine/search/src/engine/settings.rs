//! The settings of an engine, and which of them the system can fulfil only in part.

use std::fmt;
use std::time::Duration;

use super::player::Player;
use super::strength::{Rating, Strength};
use crate::platform::{STACK_BYTES, available_mebibytes, processors};
use crate::search::{BeamShape, ProbeRules};

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
    pub player: Player,
    pub strength: Strength,
    pub beam: BeamShape,
    /// The seed of the player `random` and of limited strength; 0 draws a new one each time the program runs.
    pub seed: u64,
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
        }
    }
}

/// More threads than this for each processor only delay the answer.
const THREADS_PER_PROCESSOR: usize = 16;

/// Memory that a searching thread uses, in MiB: 9 of histories and accumulators, measured, and some of its stack.
const THREAD_MIB: usize = 12;

/// A setting that the system could only fulfil in part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReducedSetting {
    /// Memory for the transposition table, in MiB.
    Hash { requested: usize, obtained: usize },
    /// Processors or memory for threads.
    Threads { requested: usize, obtained: usize },
}

impl fmt::Display for ReducedSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hash { requested, obtained } => {
                write!(f, "no memory for a table of {requested} MiB, using {obtained} MiB")
            }
            Self::Threads { requested, obtained } => {
                let processors = processors();
                write!(
                    f,
                    "{requested} threads are too many for {processors} processors or the memory, using {obtained}"
                )
            }
        }
    }
}

/// The largest number of threads that is of use here.
pub(super) fn max_threads() -> usize {
    THREADS_PER_PROCESSOR * processors()
}

/// Address space of a running thread, in bytes: its stack, and what Linux's C library reserves for its allocations. It
/// becomes memory only where it is used.
const RUNNING_THREAD_BYTES: usize = STACK_BYTES + if cfg!(target_os = "linux") { 64 << 20 } else { 0 };

/// Whether another thread fits in memory beside `threads`. Systems promise memory that they do not have, so what is free
/// counts, too. What all of them need while they run is requested at once, because a search that has started cannot do
/// without.
pub(super) fn has_room_for_thread(threads: usize) -> bool {
    let bytes = RUNNING_THREAD_BYTES.saturating_mul(threads + 1).saturating_add(THREAD_MIB << 20);
    available_mebibytes().is_none_or(|free| free > THREAD_MIB) && Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}
