//! The table entry and the static evaluation of a node, and the errors that correction history learns from its score.

use alfiere_chess::board::Board;
use alfiere_chess::movegen::is_legal;
use alfiere_chess::types::Move;

use super::{Node, NodeType, refine};
use crate::eval::{Evaluator, lone_king};
use crate::search::score::{Depth, Score, Window};
use crate::search::table::Entry;
use crate::search::thread::Worker;
use crate::search::tunables;

impl<E: Evaluator> Worker<'_, E> {
    /// A node with its table entry, not evaluated yet.
    pub(super) fn look_up<'b>(
        &self,
        board: &'b Board,
        window: Window,
        depth: Depth,
        ply: usize,
        kind: NodeType,
    ) -> Node<'b> {
        let frame = self.data.frames.at(ply);
        let excluded = frame.excluded;
        let entry = self.probe(board);
        let hash_move = if ply == 0 {
            self.root.leader().map(|leader| leader.mv)
        } else {
            entry.and_then(Entry::mv).filter(|&mv| is_legal(board, mv))
        };
        // A singularity test is a search of the same node, and keeps its mark.
        let tt_pv = if excluded.is_some() { frame.tt_pv } else { kind.is_pv() || entry.is_some_and(Entry::tt_pv) };
        let before = self.data.frames.before(ply, 1);
        let follows_variation = ply == 0
            || before.follows_variation
                && before.current.is_some()
                && before.current == self.expected.get(ply - 1).copied();
        Node {
            board,
            ply,
            kind,
            window,
            depth,
            excluded,
            entry,
            hash_move,
            tt_pv,
            follows_variation,
            raw_eval: None,
            static_eval: None,
            estimate: Score::DRAW,
            correction: 0,
            rising: false,
            improving: false,
        }
    }

    /// Evaluates a node, unless it is in check; the table may know the evaluation.
    pub(super) fn evaluate_node(&mut self, node: &mut Node<'_>) {
        let (board, ply) = (node.board, node.ply);
        if board.in_check() {
            return;
        }
        let raw = node.entry.and_then(Entry::static_eval).unwrap_or_else(|| self.evaluate(board));
        let correction = self.correction(ply);
        let eval = self.corrected(board, raw, ply, correction);
        let earlier = self.data.frames.before(ply, 2).static_eval.or(self.data.frames.before(ply, 4).static_eval);
        node.raw_eval = Some(raw);
        node.static_eval = Some(eval);
        node.estimate = refine(eval, node.entry, ply);
        node.correction = correction.abs();
        // Higher than two (after a check, four) plies ago.
        node.rising = earlier.is_none_or(|then| eval > then);
        node.improving = node.rising || eval >= node.window.beta;
    }

    /// Begins the frame of a node.
    pub(super) fn begin_frame(&mut self, node: &Node<'_>) {
        let ply = node.ply;
        let frames = &mut self.data.frames;
        // In check, the evaluation of the last turn stands in for this one's.
        let earlier_eval = frames.before(ply, 2).static_eval;
        let frame = frames.at_mut(ply);
        frame.static_eval = node.static_eval.or(earlier_eval);
        frame.table_hit = node.entry.is_some();
        frame.tt_pv = node.tt_pv;
        frame.follows_variation = node.follows_variation;
        frame.number = 0;
        frame.history = 0;
        frames.at_mut(ply + 2).cutoffs = 0;
    }

    /// The static evaluation as the table keeps it, with the misjudgement of a player of limited strength.
    pub(crate) fn evaluate(&mut self, board: &Board) -> Score {
        Score::evaluation(lone_king(board).unwrap_or_else(|| {
            let misjudgement = self.input.strength_limit.map_or(0, |limit| limit.misjudgement(board));
            self.data.evaluator.evaluate(board) + misjudgement
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
        self.data.corrections.correction(self.data.frames.at(ply).correction_keys)
    }

    /// Sets the optimism: evaluations favour the side that is ahead, so that it avoids simplification.
    pub(crate) fn set_optimism(&mut self, expected: Option<Score>) {
        let score = expected.filter(|score| !score.is_decisive()).unwrap_or_default().value();
        self.optimism = tunables::optimism() * score / (score.abs() + tunables::optimism_half());
    }

    /// Correction history learns from quiet nodes whose score contradicts the static evaluation.
    pub(super) fn update_correction(&mut self, node: &Node<'_>, best: Option<Move>, score: Score) {
        if let Some(eval) = node.static_eval
            && best.is_none_or(|mv| !mv.is_noisy())
            && !score.is_decisive()
            && (score > eval) == best.is_some()
        {
            let rate = if best.is_some() { tunables::correction_rate() } else { tunables::correction_rate_below() };
            self.learn_error(node.ply, (score - eval) * node.depth.get() * rate);
        }
    }

    /// Updates the history of hash moves and correction history after a singularity test that found several moves above beta.
    pub(super) fn update_at_multi_cut(&mut self, node: &Node<'_>, depth: Depth, score: Score) {
        self.data
            .history
            .update_hash_move(-tunables::multi_cut_malus_base() - tunables::multi_cut_malus_slope() * depth.get());
        if let Some(eval) = node.static_eval.filter(|&eval| score > eval && !score.is_decisive()) {
            self.learn_error(node.ply, (score - eval) * (depth.get() / 2) * tunables::correction_rate_multi_cut());
        }
    }

    /// Corrects the evaluation at `ply` by an error weighted by depth and rate, the rate in 64ths.
    fn learn_error(&mut self, ply: usize, weighted: i32) {
        self.data.corrections.learn(self.data.frames.at(ply).correction_keys, weighted / 64);
    }
}
