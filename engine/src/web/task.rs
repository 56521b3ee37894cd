//! Searches of a game's thread.

use alfiere_search::engine::Position;
use alfiere_search::search::Limits;

/// One search.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) goal: Goal,
    pub(super) position: Position,
    pub(super) limits: Limits,
}

/// The purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    /// The opponent's move.
    Move,
    /// The best line after this ply, for the user.
    Hint(usize),
    /// The evaluation of the position after this ply.
    Evaluate(usize),
}
