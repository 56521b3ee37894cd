//! Aspiration: one iteration of one line, with a window around the expected score that is widened until it holds.

use alfiere_chess::board::Board;

use crate::eval::Evaluator;
use crate::search::depth::Depth;
use crate::search::node::NodeType;
use crate::search::score::{Score, ScoreKind};
use crate::search::thread::{Searched, Worker};
use crate::search::window::Window;

/// Shallower scores jump too much for a narrow window.
const FIRST_DEPTH: Depth = Depth::plies(4);
/// Beyond this half width the window is thrown open.
const WIDEST: i32 = 600;

impl<E: Evaluator> Worker<'_, E> {
    /// Searches the current root line to `depth`, telling `bound_found` about scores outside the window.
    pub(crate) fn aspiration(
        &mut self,
        board: &Board,
        depth: Depth,
        mut bound_found: impl FnMut(&mut Self, Score, ScoreKind),
    ) -> Searched {
        let expected = self.root.leader().and_then(|leader| leader.mean_score);
        let tunables = self.input.tunables;
        let distance = expected.unwrap_or_default().value().abs().min(3_000);
        let mut margin = tunables.aspiration_width() + distance * distance / tunables.aspiration_score_divisor();
        self.set_optimism(expected);
        let mut window = match expected {
            Some(score) if depth >= FIRST_DEPTH && !score.is_decisive() => Window::around(score, margin),
            _ => Window::FULL,
        };
        let mut failed_high = 0;
        loop {
            self.root_width = window.beta - window.alpha;
            let reduced = (depth - failed_high).max(Depth::plies(1));
            let score = self.alpha_beta(board, window, reduced, 0, NodeType::Pv)?;
            self.root.sort_current();
            if window.fails_low(score) {
                bound_found(self, score, ScoreKind::UpperBound);
                window.beta = window.alpha;
                window.alpha = score - margin;
                failed_high = 0;
            } else if window.fails_high(score) {
                bound_found(self, score, ScoreKind::LowerBound);
                window.alpha = window.alpha.max(window.beta - margin);
                window.beta = score + margin;
                failed_high = (failed_high + 1).min(3);
            } else {
                return Ok(score);
            }
            margin += 1 + margin / 3;
            if margin > WIDEST || score.is_decisive() {
                window = Window::FULL;
            }
        }
    }
}
