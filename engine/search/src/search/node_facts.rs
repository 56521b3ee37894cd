//! What is known about a node before its moves are tried: the table's entry and the static evaluation.

use alfiere_chess::board::Board;
use alfiere_chess::movegen::is_legal;

use super::depth::Depth;
use super::entry::Entry;
use super::node::{Node, NodeType, refine};
use super::score::Score;
use super::window::Window;
use super::worker::Worker;
use crate::eval::Evaluator;

impl<E: Evaluator> Worker<'_, E> {
    /// Looks the position up, evaluates it, and starts its frame; the evaluation may change the depth by a ply.
    pub(super) fn facts<'b>(
        &mut self,
        board: &'b Board,
        window: Window,
        mut depth: Depth,
        ply: usize,
        kind: NodeType,
    ) -> Node<'b> {
        let (root, in_check) = (ply == 0, board.in_check());
        let is_singularity_test = self.frames.at(ply).excluded.is_some();

        // Transposition table.
        let entry = self.probe(board);
        let hash_move = if root {
            self.root.leader().map(|leader| leader.mv)
        } else {
            entry.and_then(Entry::mv).filter(|&mv| is_legal(board, mv))
        };
        // A singularity test is a search of the same node, and keeps its mark.
        let tt_pv = if is_singularity_test { self.frames.at(ply).tt_pv } else { kind.tt_pv(entry) };

        // Static evaluation, from the table if it is stored there.
        let raw_eval = match entry.and_then(Entry::static_eval) {
            _ if in_check => None,
            Some(stored) => Some(stored),
            None => Some(self.evaluate(board)),
        };
        let correction = if in_check { 0 } else { self.correction(ply) };
        let static_eval = raw_eval.map(|raw| self.corrected(board, raw, ply, correction));
        let rising = self.is_rising(static_eval, ply);

        // In check, the evaluation of the last turn stands in for this one's.
        let earlier_eval = self.frames.before(ply, 2).static_eval;
        let follows_variation = self.follows_variation(ply);
        let frame = self.frames.at_mut(ply);
        frame.static_eval = static_eval.or(earlier_eval);
        frame.table_hit = entry.is_some();
        frame.tt_pv = tt_pv;
        frame.follows_variation = follows_variation;
        frame.number = 0;
        frame.history = 0;
        self.frames.at_mut(ply + 2).cutoffs = 0;

        // Hindsight: corrects the reduction of the move before by its effect on the evaluation.
        if !root && !is_singularity_test {
            depth += self.hindsight(static_eval, depth, ply);
        }
        Node {
            board,
            window,
            depth,
            ply,
            kind,
            entry,
            hash_move,
            raw_eval,
            static_eval,
            estimate: static_eval.map_or(Score::DRAW, |eval| refine(eval, entry, ply)),
            correction: correction.abs(),
            rising,
            improving: rising || static_eval.is_some_and(|eval| eval >= window.beta),
            tt_pv,
        }
    }

    /// Whether the line to `ply` is the beginning of the last iteration's principal variation.
    fn follows_variation(&self, ply: usize) -> bool {
        let before = self.frames.before(ply, 1);
        ply == 0
            || before.follows_variation
                && before.current.is_some()
                && before.current == self.expected.get(ply - 1).copied()
    }
}
