//! Draws inside the search: which positions are drawn, and what a draw scores.

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::movegen::has_legal_move;

use super::score::Score;
use super::window::Window;
use super::worker::Worker;
use crate::eval::Evaluator;

impl<E: Evaluator> Worker<'_, E> {
    /// The score of a draw at `ply`: contempt counts against the side to move at the root.
    pub(super) fn draw(&self, ply: usize) -> Score {
        let contempt = self.input.contempt;
        Score::evaluation(if ply.is_multiple_of(2) { -contempt } else { contempt })
    }

    /// The lower bound from an upcoming repetition: a draw score if it raises alpha, else [`Score::MIN`].
    pub(super) fn repetition_bound(&self, board: &Board, window: Window, ply: usize) -> Score {
        let draw = self.draw(ply);
        if window.alpha < draw
            && self.input.tunables.upcoming_repetition() > 0
            && self.keys.has_upcoming_repetition(board)
        {
            draw
        } else {
            Score::MIN
        }
    }
}

/// Whether the position is drawn by repetition, by the fifty-move rule or for want of material.
pub(super) fn is_draw(board: &Board, keys: &KeyHistory) -> bool {
    board.has_insufficient_material()
        || keys.is_repetition(board)
        // Mate on the hundredth ply takes precedence.
        || board.halfmove_clock() >= 100 && (!board.in_check() || has_legal_move(board))
}
