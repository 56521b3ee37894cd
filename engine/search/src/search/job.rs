//! What a search is asked to do, and with what.

use std::time::Duration;

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::types::MoveList;
use alfiere_syzygy::Tablebases;

use super::control::Control;
use super::limits::Limits;
use super::strength_limit::StrengthLimit;
use super::table::Table;
use super::tablebases::ProbeRules;
use super::time::TimeManager;
use super::tunables::Tunables;

/// Everything that a search is about.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The position.
    pub board: &'a Board,
    /// The positions that were played before it.
    pub keys: &'a KeyHistory,
    /// When to end.
    pub limits: &'a Limits,
    /// How many of the best lines to find.
    pub lines: usize,
    /// By how much the side to move likes a draw less than an even position, in the network's centipawns.
    pub contempt: i32,
    /// What the way to the GUI and back may take from the clock.
    pub move_overhead: Duration,
    /// The numbers of the search.
    pub tunables: &'a Tunables,
    /// Endgame tables; there need not be any.
    pub tablebases: &'a Tablebases,
    /// When they are asked.
    pub probe_rules: ProbeRules,
    /// What earlier searches found.
    pub table: &'a Table,
    /// The faults of a weaker player; none at full strength.
    pub strength_limit: Option<&'a StrengthLimit>,
    /// How the search is stopped.
    pub control: &'a Control,
}

impl Job<'_> {
    /// When time is over.
    pub(super) fn time(&self) -> TimeManager {
        TimeManager::new(self.limits.time, self.limits.start, self.move_overhead)
    }

    /// The moves that may be played: all legal ones, or those asked for.
    pub(super) fn moves(&self) -> MoveList {
        let wanted = &self.limits.search_moves;
        legal_moves(self.board).into_iter().filter(|mv| wanted.is_empty() || wanted.contains(mv)).collect()
    }
}
