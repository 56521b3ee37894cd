//! What makes a quiet move urgent, whatever its history.

use super::{checks::Checks, tunables::Tunables};
use crate::board::Board;
use crate::types::Move;

/// What of one node makes its quiet moves urgent.
pub(super) struct Urgency {
    checks: Checks,
}

impl Urgency {
    /// For the side to move.
    pub(super) fn at(board: &Board) -> Self {
        Self { checks: Checks::of(board) }
    }

    /// What a move's order gains beyond its history: by a check that loses hardly anything.
    pub(super) fn of(&self, board: &Board, mv: Move, tunables: &Tunables) -> i32 {
        if self.checks.gives(board, mv) && board.see_at_least(mv, -CHECK_LOSS) { tunables.order_check() } else { 0 }
    }
}

/// The exchange that an urgent check may lose.
const CHECK_LOSS: i32 = 75;
