//! The static evaluation as the search sees it.

use alfiere_chess::board::Board;

use crate::eval::{Evaluator, lone_king};
use crate::search::score::Score;
use crate::search::thread::Worker;

impl<E: Evaluator> Worker<'_, E> {
    /// The static evaluation as the table keeps it.
    pub(crate) fn evaluate(&mut self, board: &Board) -> Score {
        Score::evaluation(lone_king(board).unwrap_or_else(|| self.evaluator.evaluate(board) + self.misjudgement(board)))
    }

    /// The corrected static evaluation: `raw` plus optimism, scaled towards a draw by the half-move clock, plus a correction.
    pub(crate) fn corrected(&self, board: &Board, raw: Score, ply: usize, correction: i32) -> Score {
        let hopeful = raw.value() + if ply.is_multiple_of(2) { self.optimism } else { -self.optimism };
        let scaled = hopeful * (200 - i32::from(board.halfmove_clock().min(100))) / 200;
        Score::evaluation(scaled + correction)
    }

    /// What correction history adds to the evaluation of the position at `ply`.
    pub(crate) fn correction(&self, ply: usize) -> i32 {
        self.corrections.correction(self.frames.at(ply).correction_keys, self.input.tunables)
    }

    /// Sets the optimism: evaluations favour the side that is ahead, so that it avoids simplification.
    pub(crate) fn set_optimism(&mut self, expected: Option<Score>) {
        let score = expected.filter(|score| !score.is_decisive()).unwrap_or_default().value();
        let tunables = self.input.tunables;
        self.optimism = tunables.optimism() * score / (score.abs() + tunables.optimism_half());
    }

    /// Whether the static evaluation is higher than two (after a check, four) plies ago.
    pub(crate) fn is_rising(&self, static_eval: Option<Score>, ply: usize) -> bool {
        let earlier = self.frames.before(ply, 2).static_eval.or(self.frames.before(ply, 4).static_eval);
        static_eval.is_some_and(|now| earlier.is_none_or(|then| now > then))
    }
}
