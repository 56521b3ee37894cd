//! The inputs of a search: position, limits, settings and shared tables.

use std::time::Duration;

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::types::MoveList;
use alfiere_syzygy::Tablebases;

use super::control::Control;
use super::limits::Limits;
use super::strength_limit::StrengthLimit;
use super::tablebases::ProbeRules;
use super::time::TimeManager;
use crate::search::table::Table;
use crate::search::tunables::Tunables;

/// The inputs of one search; all threads share them.
#[derive(Clone, Copy)]
pub struct SearchInput<'a> {
    /// The position.
    pub board: &'a Board,
    /// The positions that were played before it.
    pub keys: &'a KeyHistory,
    /// When to end.
    pub limits: &'a Limits,
    /// Number of lines to find (MultiPV).
    pub lines: usize,
    /// Contempt for the side to move at the root, in internal units: a draw scores this much below 0.
    pub contempt: i32,
    /// Time reserved in each move for the GUI and the connection.
    pub move_overhead: Duration,
    /// The numbers of the search.
    pub tunables: &'a Tunables,
    /// Endgame tables; possibly none.
    pub tablebases: &'a Tablebases,
    /// When the search probes them.
    pub probe_rules: ProbeRules,
    /// The transposition table.
    pub table: &'a Table,
    /// The weaknesses of a limited player; `None` at full strength.
    pub strength_limit: Option<&'a StrengthLimit>,
    /// How the search is stopped.
    pub control: &'a Control,
}

impl SearchInput<'_> {
    /// The time manager of this search.
    pub(crate) fn time(&self) -> TimeManager {
        TimeManager::new(self.limits.time, self.limits.start, self.move_overhead)
    }

    /// The root moves: all legal moves, or those of `searchmoves`.
    pub(crate) fn moves(&self) -> MoveList {
        let wanted = &self.limits.search_moves;
        legal_moves(self.board).into_iter().filter(|mv| wanted.is_empty() || wanted.contains(mv)).collect()
    }
}
