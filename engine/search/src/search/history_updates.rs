//! Updates after a node: move histories, correction history, results of root moves.

use alfiere_chess::types::Move;
use arrayvec::ArrayVec;

use super::entry::Bound;
use super::node::Node;
use super::score::Score;
use super::window::Window;
use super::worker::Worker;
use crate::eval::Evaluator;

/// Moves of one kind that were searched before the best, as many as are punished.
pub(super) type SearchedMoves = ArrayVec<Move, 64>;

impl<E: Evaluator> Worker<'_, E> {
    /// Rewards the best move and punishes those tried before it.
    pub(super) fn update_histories(
        &mut self,
        node: &Node<'_>,
        best: Move,
        score: Score,
        (quiets, noisies): (&SearchedMoves, &SearchedMoves),
    ) {
        let board = node.board;
        let context = self.frames.context(node.ply);
        let surprise =
            i32::from(node.static_eval.is_some_and(|eval| eval <= node.window.alpha) && score > node.window.beta + 60);
        let confirmed = if node.hash_move == Some(best) { self.input.tunables.bonus_hash() } else { 0 };
        let bonus = self.input.tunables.history_bonus(node.depth + surprise) + confirmed;
        let malus = self.input.tunables.history_malus(node.depth);
        if best.is_noisy() {
            self.history.update_capture(board, best, bonus);
        } else {
            self.frames.at_mut(node.ply).add_killer(best);
            self.history.set_counter(context.past, best);
            self.history.update_quiet(board, context, best, bonus);
            for &mv in quiets {
                self.history.update_quiet(board, context, mv, malus);
            }
        }
        for &mv in noisies {
            self.history.update_capture(board, mv, malus);
        }
    }

    /// Rewards the quiet move before, which no answer has refuted.
    pub(super) fn reward_previous_move(&mut self, node: &Node<'_>) {
        let before = self.frames.before(node.ply, 1);
        let share = self.input.tunables.fail_low_share();
        if let Some(mv) = before.current.filter(|mv| !mv.is_noisy() && share > 0) {
            let (moved, threats) = (before.moved, before.threats);
            let bonus = self.input.tunables.history_bonus(node.depth) * share / 64;
            self.history.update_butterfly(!node.board.side_to_move(), threats, mv, bonus);
            self.history.update_continuation(self.frames.past(node.ply - 1), moved, bonus);
        }
    }

    /// Rewards the quiet move before if it has raised its side's evaluation, and punishes it if it has lowered it.
    pub(super) fn update_by_eval_gain(&mut self, node: &Node<'_>) {
        let before = self.frames.before(node.ply, 1);
        if let (Some(now), Some(then), Some(mv)) = (node.static_eval, before.static_eval, before.current)
            && !mv.is_noisy()
        {
            let gain = -now.value() - then.value();
            let most = self.input.tunables.eval_gain_max();
            let bonus = (gain * self.input.tunables.eval_gain_slope()).clamp(-most, most);
            self.history.update_butterfly(!node.board.side_to_move(), before.threats, mv, bonus);
        }
    }

    /// Correction history learns from quiet nodes whose score contradicts the static evaluation.
    pub(super) fn update_correction(&mut self, node: &Node<'_>, best: Option<Move>, score: Score, bound: Bound) {
        if let Some(eval) = node.static_eval
            && best.is_none_or(|mv| !mv.is_noisy())
            && !score.is_decisive()
            && !(bound == Bound::Lower && score <= eval)
            && !(bound == Bound::Upper && score >= eval)
        {
            self.corrections.learn(self.frames.at(node.ply).correction_keys, node.depth, eval, score);
        }
    }

    /// Records the result of a root move.
    pub(super) fn record_root_move(
        &mut self,
        mv: Move,
        number: usize,
        score: Score,
        window: Window,
        nodes_before: u64,
    ) {
        let nodes = self.nodes - nodes_before;
        let selective_depth = self.selective_depth as u32;
        let Some(root) = self.root.get_mut(mv) else { return };
        root.nodes += nodes;
        if number == 1 || score > window.alpha {
            root.set_score(score, window);
            root.selective_depth = selective_depth;
            root.variation.clear();
            root.variation.push(mv);
            root.variation.extend(self.variations.line(1));
            root.mean_score = Some(match root.mean_score {
                Some(mean) if !score.is_decisive() && !mean.is_decisive() => mean.midpoint(score),
                _ => score,
            });
        } else {
            root.score = Score::MIN;
        }
    }
}
