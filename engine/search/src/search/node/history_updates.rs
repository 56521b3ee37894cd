//! Updates of the move histories after a node.

use alfiere_chess::types::{Move, PieceKind};
use arrayvec::ArrayVec;

use super::{Candidate, Node};
use crate::eval::Evaluator;
use crate::search::ordering::PieceTo;
use crate::search::score::{Depth, Score};
use crate::search::thread::Worker;
use crate::search::tunables::{self, when};

/// Moves of one kind that were searched and were not the best, as many as are punished.
pub(super) type SearchedMoves = ArrayVec<Move, 32>;

impl<E: Evaluator> Worker<'_, E> {
    /// Rewards the best move and punishes those tried before it, and an early move that it has refuted.
    pub(super) fn update_histories(
        &mut self,
        node: &Node<'_>,
        best: Move,
        (quiets, noisies): (&SearchedMoves, &SearchedMoves),
    ) {
        let board = node.board;
        let context = self.data.frames.context(node.ply);
        let before = *self.data.frames.before(node.ply, 1);
        let confirmed = node.hash_move == Some(best);
        let mut bonus = history_bonus(node.depth)
            + when(confirmed, tunables::bonus_hash())
            + before.history / tunables::bonus_history_divisor();
        if !node.kind.is_pv() {
            bonus += bonus * (quiets.len() + noisies.len()) as i32 / 256;
            let hash_move = if confirmed { tunables::hash_move_bonus() } else { -tunables::hash_move_malus() };
            self.data.history.update_hash_move(hash_move);
        }
        let malus = -(tunables::malus_slope() * node.depth.get() + tunables::malus_base()).min(tunables::malus_max());
        if best.is_noisy() {
            self.data.history.update_capture(board, best, bonus * tunables::capture_bonus_share() / 64);
        } else {
            self.data.history.update_quiet(board, context, best, bonus * tunables::quiet_bonus_share() / 64);
            let mut quiet_malus = malus * tunables::quiet_malus_share() / 64;
            for &mv in quiets {
                quiet_malus = quiet_malus * tunables::malus_decay() / 64;
                self.data.history.update_quiet(board, context, mv, quiet_malus);
            }
        }
        if before.number == 1 + usize::from(before.table_hit) {
            self.update_move_before(node, malus * tunables::refutation_share() / 64);
        }
        for &mv in noisies {
            self.data.history.update_capture(board, mv, malus * tunables::capture_malus_share() / 64);
        }
    }

    /// Rewards a quiet hash move at whose stored score the node is cut off, and punishes the early quiet move before.
    pub(super) fn update_at_table_cutoff(&mut self, node: &Node<'_>) {
        let Some(mv) = node.hash_move else { return };
        if !mv.is_noisy() {
            let context = self.data.frames.context(node.ply);
            let bonus = (tunables::cutoff_bonus_slope() * node.depth.get()).min(tunables::cutoff_bonus_max());
            self.data.history.update_quiet(node.board, context, mv, bonus);
        }
        if self.data.frames.before(node.ply, 1).number <= tunables::cutoff_malus_moves() as usize {
            self.update_move_before(node, -tunables::cutoff_malus());
        }
    }

    /// Rewards (or punishes) the move before, if it was quiet, in continuation history.
    fn update_move_before(&mut self, node: &Node<'_>, bonus: i32) {
        let before = self.data.frames.before(node.ply, 1);
        if before.current.is_some_and(|mv| !mv.is_noisy()) {
            let past = self.data.frames.past(node.ply - 1);
            self.data.history.update_continuation(past, before.continuation.answers_check(), before.moved, bonus);
        }
    }

    /// Rewards a move that was better than a reduced search expected.
    pub(super) fn reward_fail_high(&mut self, node: &Node<'_>, candidate: &Candidate) {
        let moved = PieceTo::of(node.board, candidate.mv);
        let (past, in_check) = (self.data.frames.past(node.ply), node.board.in_check());
        self.data.history.update_continuation(past, in_check, moved, tunables::fail_high_bonus());
    }

    /// Rewards the move before, which no answer has refuted: the more, the less it was expected and the better it was.
    pub(super) fn reward_move_before(&mut self, node: &Node<'_>, score: Score) {
        let before = *self.data.frames.before(node.ply, 1);
        let Some(mv) = before.current else { return };
        if mv.is_noisy() {
            let bonus = tunables::prior_move_capture_bonus();
            self.data.history.update_played_capture(before.moved, before.captured, bonus);
            return;
        }
        let below = |eval: Option<Score>| eval.is_some_and(|eval| score <= eval - tunables::prior_move_margin());
        let scale = (tunables::prior_move_slope() * node.depth.get()).min(tunables::prior_move_max())
            - tunables::prior_move_base()
            - before.history / tunables::prior_move_history_divisor()
            + when(before.number > tunables::prior_move_late_moves() as usize, tunables::prior_move_late())
            + when(below(node.static_eval), tunables::prior_move_below_eval())
            + when(
                !before.continuation.answers_check() && below(before.static_eval.map(|eval| -eval)),
                tunables::prior_move_below_eval(),
            );
        let bonus = history_bonus(node.depth) * scale.max(0) / 64;
        let board = node.board;
        self.update_move_before(node, bonus * tunables::prior_move_continuation_share() / 64);
        self.data.history.update_butterfly(
            !board.side_to_move(),
            mv,
            bonus * tunables::prior_move_butterfly_share() / 64,
        );
        if before.moved.kind() != Some(PieceKind::Pawn) {
            self.data.history.update_pawn(board, before.moved, bonus * tunables::prior_move_pawn_share() / 64);
        }
    }

    /// Rewards the quiet move before if it has raised its side's evaluation, and punishes it if it has lowered it.
    pub(super) fn update_by_eval_gain(&mut self, node: &Node<'_>) {
        let before = *self.data.frames.before(node.ply, 1);
        if let (Some(now), Some(then), Some(mv)) = (node.static_eval, before.static_eval, before.current)
            && !mv.is_noisy()
            && !before.continuation.answers_check()
        {
            let most = tunables::eval_gain_max();
            let gain = (-now.value() - then.value()).clamp(-most, most);
            let bonus = tunables::eval_gain_base() + tunables::eval_gain_slope() * gain;
            let board = node.board;
            self.data.history.update_butterfly(!board.side_to_move(), mv, bonus);
            if node.entry.is_none() && before.moved.kind() != Some(PieceKind::Pawn) {
                self.data.history.update_pawn(board, before.moved, bonus * tunables::eval_gain_pawn_share() / 64);
            }
        }
    }
}

/// The bonus of a move that was best at this depth.
fn history_bonus(depth: Depth) -> i32 {
    (tunables::bonus_slope() * depth.get() + tunables::bonus_base()).min(tunables::bonus_max())
}
