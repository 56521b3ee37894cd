//! What a game's thread is asked to find out, one thing at a time.

use alfiere_search::engine::Position;
use alfiere_search::search::Limits;

/// One search.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) goal: Goal,
    pub(super) position: Position,
    pub(super) limits: Limits,
}

/// What it is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    /// The opponent's move.
    Move,
    /// The best line after so many plies, for the person.
    Hint(usize),
    /// The value of the position after so many plies.
    Judge(usize),
}
