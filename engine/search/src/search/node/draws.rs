//! Draws inside the search: which positions are drawn, and what a draw scores.

use std::ops::ControlFlow;

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::movegen::has_legal_move;

use crate::eval::Evaluator;
use crate::search::score::{MAX_PLY, Score};
use crate::search::thread::Worker;
use crate::search::window::Window;

impl<E: Evaluator> Worker<'_, E> {
    /// Breaks with the node's score if it is drawn or too deep in the tree. Otherwise returns the window, narrowed by an upcoming
    /// repetition, and the lower bound of the score from that repetition.
    pub(crate) fn check_draws(
        &mut self,
        board: &Board,
        mut window: Window,
        ply: usize,
    ) -> ControlFlow<Score, (Window, Score)> {
        if is_draw(board, &self.keys) {
            return ControlFlow::Break(self.draw(ply));
        }
        // Upcoming repetition: the side to move can go back to an earlier position, so it has at least a draw.
        let repetition_bound = self.repetition_bound(board, window, ply);
        window.alpha = window.alpha.max(repetition_bound);
        if window.is_empty() {
            return ControlFlow::Break(repetition_bound);
        }
        // The longest line that is searched.
        if ply >= MAX_PLY {
            return ControlFlow::Break(if board.in_check() { Score::DRAW } else { self.evaluate(board) });
        }
        ControlFlow::Continue((window, repetition_bound))
    }

    /// The score of a draw at `ply`: contempt counts against the side to move at the root.
    pub(crate) fn draw(&self, ply: usize) -> Score {
        let contempt = self.input.contempt;
        Score::evaluation(if ply.is_multiple_of(2) { -contempt } else { contempt })
    }

    /// The lower bound from an upcoming repetition: a draw score if it raises alpha, else [`Score::MIN`].
    fn repetition_bound(&self, board: &Board, window: Window, ply: usize) -> Score {
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
pub(crate) fn is_draw(board: &Board, keys: &KeyHistory) -> bool {
    board.has_insufficient_material()
        || keys.is_repetition(board)
        // Mate on the hundredth ply takes precedence.
        || board.halfmove_clock() >= 100 && (!board.in_check() || has_legal_move(board))
}
