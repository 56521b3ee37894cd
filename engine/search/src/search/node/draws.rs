//! Nodes whose score is known without moves: draws inside the search and what they score, and tablebase probes.

use std::ops::ControlFlow;

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::movegen::has_legal_move;
use alfiere_syzygy::Wdl;

use super::Node;
use crate::eval::Evaluator;
use crate::search::request::{TablebaseContext, score_of};
use crate::search::score::{Depth, MAX_PLY, Score, Window};
use crate::search::table::{Bound, Entry};
use crate::search::thread::Worker;
use crate::search::tunables;

impl<E: Evaluator> Worker<'_, E> {
    /// Breaks with the node's score if it is drawn or too deep in the tree. Otherwise returns the window, narrowed by an upcoming
    /// repetition, and the lower bound of the score from that repetition.
    pub(super) fn check_draws(
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
    pub(super) fn draw(&self, ply: usize) -> Score {
        let contempt = self.input.contempt;
        Score::evaluation(if ply.is_multiple_of(2) { -contempt } else { contempt })
    }

    /// The lower bound from an upcoming repetition: a draw score if it raises alpha, else [`Score::MIN`].
    fn repetition_bound(&self, board: &Board, window: Window, ply: usize) -> Score {
        let draw = self.draw(ply);
        if window.alpha < draw && tunables::upcoming_repetition() > 0 && self.keys.has_upcoming_repetition(board) {
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

/// Plies added to the depth of a table entry that endgame tables wrote.
const ENTRY_BONUS: i32 = 6;

/// The result of probing the tables at a node.
pub(crate) enum TbProbe {
    /// Not probed, or not in the tables.
    None,
    /// The node's score: return it.
    Score(Score),
    /// A lower bound: a win, and possibly a mate.
    LowerBound(Score),
    /// An upper bound: a loss, and possibly a mate.
    UpperBound(Score),
}

impl<E: Evaluator> Worker<'_, E> {
    /// Probes the tables where they may hold the position: few pieces, no castling rights, half-move clock 0.
    #[inline]
    pub(super) fn probe_tables(&mut self, node: &Node<'_>) -> TbProbe {
        let pieces = node.board.occupied().count() as usize;
        if pieces > self.endgames.pieces { TbProbe::None } else { self.probe_with(pieces, node) }
    }

    #[cold]
    fn probe_with(&mut self, pieces: usize, node: &Node<'_>) -> TbProbe {
        let TablebaseContext { tables, rules, pieces: most } = *self.endgames;
        if node.board.halfmove_clock() > 0
            || !node.board.castling_rights().is_empty()
            || pieces == most && node.depth < rules.depth as i32
        {
            return TbProbe::None;
        }
        let Some(wdl) = tables.probe_wdl(node.board) else { return TbProbe::None };
        self.tablebase_hits += 1;
        let wdl = rules.fifty_moves.applied_to(wdl);
        let score = score_of(wdl, node.ply, self.draw(node.ply));
        let (bound, settled) = match wdl {
            Wdl::Win => (Bound::Lower, node.window.fails_high(score)),
            Wdl::Loss => (Bound::Upper, node.window.fails_low(score)),
            _ => (Bound::Exact, true),
        };
        if settled {
            let depth = (node.depth + ENTRY_BONUS).min(Depth::plies(MAX_PLY as i32 - 1));
            let entry = Entry::new(depth, bound, score, node.ply, None, node.raw_eval).with_tt_pv(node.tt_pv);
            self.input.table.store(node.board.key(), entry);
            return TbProbe::Score(score);
        }
        match bound {
            // Off the principal variation one side of the window is all there is.
            _ if !node.kind.is_pv() => TbProbe::None,
            Bound::Lower => TbProbe::LowerBound(score),
            _ => TbProbe::UpperBound(score),
        }
    }
}
