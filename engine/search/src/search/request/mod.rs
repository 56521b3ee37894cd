//! A search as its caller sees it: the input with limits, clock and weaknesses; the root moves; the handle that stops it; the
//! reports. All of it is there before the first node is searched.

mod control;
mod limits;
mod reporter;
mod root_moves;
mod strength_limit;
mod time;

use std::time::Duration;

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::types::MoveList;
use alfiere_syzygy::Tablebases;

use super::table::Table;

pub use control::Control;
pub use limits::{Limits, SearchMode, TimeLimit};
pub use reporter::{Info, Reporter, SearchResult, Silent};
pub use root_moves::ProbeRules;
pub(crate) use root_moves::{RootMove, RootMoves, TablebaseContext, score_of};
pub use strength_limit::{StrengthLimit, Weaknesses};
pub(crate) use time::{TimeFactors, TimeManager};

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
    pub(crate) fn time(&self) -> TimeManager {
        TimeManager::new(self.limits, self.move_overhead)
    }

    /// The root moves: all legal moves, or those of `searchmoves`.
    pub(crate) fn moves(&self) -> MoveList {
        let wanted = &self.limits.search_moves;
        legal_moves(self.board).into_iter().filter(|mv| wanted.is_empty() || wanted.contains(mv)).collect()
    }
}
