//! The static evaluation as the search sees it, and the errors that correction history learns from its results.

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;

use super::facts::Node;
use crate::eval::{Evaluator, lone_king};
use crate::search::score::{Depth, Score};
use crate::search::thread::Worker;

impl<E: Evaluator> Worker<'_, E> {
    /// The static evaluation as the table keeps it, with the misjudgement of a player of limited strength.
    pub(crate) fn evaluate(&mut self, board: &Board) -> Score {
        Score::evaluation(lone_king(board).unwrap_or_else(|| {
            let misjudgement = self.input.strength_limit.map_or(0, |limit| limit.misjudgement(board));
            self.evaluator.evaluate(board) + misjudgement
        }))
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

    /// Correction history learns from quiet nodes whose score contradicts the static evaluation.
    pub(crate) fn update_correction(&mut self, node: &Node<'_>, depth: Depth, best: Option<Move>, score: Score) {
        let tunables = self.input.tunables;
        if let Some(eval) = node.static_eval
            && best.is_none_or(|mv| !mv.is_noisy())
            && !score.is_decisive()
            && (score > eval) == best.is_some()
        {
            let rate = if best.is_some() { tunables.correction_rate() } else { tunables.correction_rate_below() };
            self.learn_error(node.ply, (score - eval) * depth.get() * rate);
        }
    }

    /// Updates the history of hash moves and correction history after a singularity test that found several moves above beta.
    pub(crate) fn update_at_multi_cut(&mut self, node: &Node<'_>, depth: Depth, score: Score) {
        let tunables = self.input.tunables;
        self.history
            .update_hash_move(-tunables.multi_cut_malus_base() - tunables.multi_cut_malus_slope() * depth.get());
        if let Some(eval) = node.static_eval.filter(|&eval| score > eval && !score.is_decisive()) {
            self.learn_error(node.ply, (score - eval) * (depth.get() / 2) * tunables.correction_rate_multi_cut());
        }
    }

    /// Corrects the evaluation at `ply` by an error weighted by depth and rate, the rate in 64ths.
    fn learn_error(&mut self, ply: usize, weighted: i32) {
        self.corrections.learn(self.frames.at(ply).correction_keys, weighted / 64, self.input.tunables);
    }
}
