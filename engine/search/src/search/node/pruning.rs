//! Pruning: reasons to give a node a score without trying all moves, and reasons not to search a late move at all.

use alfiere_chess::types::Move;

use super::{Candidate, MoveHistory, Node, NodeType, Pruned, eval_of_material, usable_score};
use crate::eval::Evaluator;
use crate::search::ordering::{Checks, MovePicker, QuietHistory, Scope};
use crate::search::score::{Depth, Score, Window};
use crate::search::table::{Bound, Entry};
use crate::search::thread::{Stopped, Worker, has_non_pawn_material};
use crate::search::tunables::{self, when};

impl<E: Evaluator> Worker<'_, E> {
    /// Razoring: far below alpha only captures could help, so quiescence decides.
    pub(super) fn razoring(&mut self, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
        let depth = node.depth.get();
        let margin = tunables::razoring_base() + tunables::razoring_slope() * depth * depth;
        if node.estimate + margin < node.window.alpha {
            return self.quiescence(node.board, node.window, node.ply, node.kind).map(Some);
        }
        Ok(None)
    }

    /// Reverse futility: far above beta the opponent will not catch up, so the node is given up as too good.
    pub(super) fn reverse_futility(&self, node: &Node<'_>, static_eval: Score) -> Option<Score> {
        let (beta, estimate, depth) = (node.window.beta, node.estimate, node.depth.get());
        let falling = self.data.frames.before(node.ply, 1).static_eval.is_some_and(|before| static_eval > -before);
        // The margin for each ply, the plies that count, and more where the evaluation is uncertain.
        let slope = (tunables::reverse_futility_base() + depth).min(tunables::reverse_futility_max())
            - when(node.entry.is_none(), tunables::reverse_futility_unknown());
        let plies_64 = 64 * depth
            - when(node.rising, tunables::reverse_futility_rising())
            - when(falling, tunables::reverse_futility_falling());
        let margin = (slope * plies_64 + node.correction * tunables::reverse_futility_correction()) / 64;
        (depth < tunables::reverse_futility_depth()
            && !node.tt_pv
            && node.hash_move.is_none_or(Move::is_noisy)
            && !beta.is_loss()
            && !estimate.is_decisive()
            && estimate - margin.max(0) >= beta)
            .then(|| estimate.towards(beta, [1, 2]))
    }

    /// Null move: if even passing is too good, so is the best move (but for zugzwang, hence pieces are required).
    pub(super) fn null_move(&mut self, node: &Node<'_>, static_eval: Score) -> Result<Option<Score>, Stopped> {
        let Node { board, window, depth, ply, .. } = *node;
        let beta = window.beta;
        let margin = tunables::null_slack()
            - tunables::null_slack_slope() * depth.get()
            - when(node.rising, tunables::null_rising());
        if node.kind != NodeType::Cut
            || depth < tunables::null_depth()
            || self.data.frames.before(ply, 1).current.is_none()
            || static_eval - margin < beta
            || beta.is_loss()
            || ply < self.null_allowed_from
            || !has_non_pawn_material(board)
        {
            return Ok(None);
        }
        let reduced = depth
            - tunables::null_base()
            - depth.get() / tunables::null_depth_divisor()
            - (static_eval - beta).max(0) / tunables::null_eval_divisor();
        let child = self.play_null(board, ply);
        let score = -self.alpha_beta(&child, -Window::just_below(beta), reduced, ply + 1, NodeType::All)?;
        self.undo_null();
        if score < beta {
            return Ok(None);
        }
        // A mate found by passing is not proven.
        let score = if score.is_win() { beta } else { score };
        if depth < tunables::null_verification_depth() || self.null_allowed_from > 0 {
            return Ok(Some(score));
        }
        self.null_allowed_from = ply + (3 * reduced.get().max(0) / 4) as usize + 1;
        let verified = self.alpha_beta(board, Window::just_below(beta), reduced, ply, NodeType::Cut);
        self.null_allowed_from = 0;
        Ok((verified? >= beta).then_some(score))
    }

    /// `ProbCut`: a capture that stays well above beta in a shallow search will stay above it in a deep one.
    pub(super) fn probcut(&mut self, node: &Node<'_>, static_eval: Score) -> Result<Option<Score>, Stopped> {
        let Node { board, depth, ply, .. } = *node;
        let margin = tunables::probcut_margin() - when(node.improving, tunables::probcut_improving());
        let beta = node.window.beta + margin;
        let refuted = node.entry.and_then(|entry| entry.known_score(ply)).is_some_and(|score| score < beta);
        if depth < tunables::probcut_depth() || node.window.beta.is_decisive() || beta.is_decisive() || refuted {
            return Ok(None);
        }
        let window = Window::just_below(beta);
        let plies =
            if node.improving { tunables::probcut_reduction_improving() } else { tunables::probcut_reduction() };
        let reduced = (depth - plies).max(Depth::ZERO);
        let scope = Scope::Noisy { gain: Some(beta - static_eval) };
        let checks = Checks::of(board);
        let mut picker = MovePicker::new(scope, node.hash_move, self.data.frames.context(ply));
        while let Some(mv) = picker.next(board, &checks, &self.data.history) {
            self.input.table.prefetch(board.key_after(mv));
            let child = self.play(board, mv, ply);
            let mut score = -self.quiescence(&child, -window, ply + 1, NodeType::All)?;
            if score >= beta && !reduced.is_leaf() {
                score = -self.alpha_beta(&child, -window, reduced, ply + 1, NodeType::All)?;
            }
            self.undo();
            if score >= beta {
                let entry = Entry::new(reduced + 1, Bound::Lower, score, ply, Some(mv), node.raw_eval);
                self.input.table.store(board.key(), entry);
                if !score.is_decisive() {
                    return Ok(Some(score - margin));
                }
            }
        }
        Ok(None)
    }

    /// Table cutoff: an earlier search of this position, at least as deep, has already answered.
    pub(super) fn table_cutoff(&mut self, node: &Node<'_>) -> Option<Score> {
        let entry = node.entry?;
        let score = usable_score(entry, node.window, node.ply)?;
        let fails_high = node.window.fails_high(score);
        let expected = fails_high == (node.kind == NodeType::Cut);
        if node.kind.is_pv()
            // A score above beta needs more than this depth: another search of it might find better.
            || entry.depth() < node.depth + i32::from(score > node.window.beta)
            || !expected && node.depth <= tunables::cutoff_surprise_depth()
            // Near the fifty-move rule a stored score may be of another history.
            || node.board.halfmove_clock() >= 90
        {
            return None;
        }
        if fails_high {
            self.update_at_table_cutoff(node);
        }
        (!self.is_contradicted(node, score)).then_some(score)
    }

    /// Whether the table entry after the hash move contradicts the node's own. Only deep nodes are checked, where a wrong cutoff
    /// costs most.
    fn is_contradicted(&self, node: &Node<'_>, score: Score) -> bool {
        if node.depth < tunables::cutoff_checked_depth() || score.is_decisive() {
            return false;
        }
        let next = node.hash_move.and_then(|mv| self.input.table.probe(node.board.key_after(mv)));
        next.and_then(|next| next.known_score(node.ply + 1))
            .is_some_and(|next| node.window.fails_high(-next) != node.window.fails_high(score))
    }
}

/// Prunes a move, or nothing; may also tell the picker to skip the remaining quiet moves.
///
/// Call it only after a move that does not lose was found, and only if the side to move has non-pawn material.
pub(super) fn prune_move(node: &Node<'_>, candidate: &Candidate, picker: &mut MovePicker) -> Option<Pruned> {
    late_move_pruning(node, candidate, picker);
    match candidate.history {
        MoveHistory::Quiet(_) if candidate.gives_check => exchange_pruning(node, candidate, 0),
        MoveHistory::Quiet(history) => prune_quiet(node, candidate, history),
        MoveHistory::Noisy { history, gain } => {
            capture_futility(node, candidate, history, gain).or_else(|| exchange_pruning(node, candidate, history))
        }
    }
}

/// Late move pruning: near the leaves, quiet moves late in the order are skipped.
fn late_move_pruning(node: &Node<'_>, candidate: &Candidate, picker: &mut MovePicker) {
    let depth = node.depth.get();
    let hundredths = tunables::late_move_base() + tunables::late_move_slope() * depth * depth;
    let count = if node.improving { hundredths / 100 } else { hundredths / 200 };
    if candidate.number >= count as usize {
        picker.skip_quiets();
    }
}

/// Prunes a quiet move that gives no check, unless the line is still the last iteration's principal variation.
fn prune_quiet(node: &Node<'_>, candidate: &Candidate, history: QuietHistory) -> Option<Pruned> {
    if node.kind.is_pv() && node.follows_variation {
        return None;
    }
    let by_history = 2 * history.butterfly + history.continuation + history.pawn;
    let reduced = candidate.reduced_depth(node) + by_history / tunables::pruning_history_divisor();
    // History pruning: it has done very badly after moves like the last ones.
    Pruned::when(history.continuation + history.pawn < -tunables::history_pruning_slope() * node.depth.get())
        .or_else(|| futility(node, reduced))
        .or_else(|| {
            let loss = tunables::see_quiet_slope() * reduced.max(0) * reduced.max(0);
            Pruned::when(!node.board.see_at_least(candidate.mv, -loss))
        })
}

/// Futility pruning: the static evaluation is too far below alpha for this quiet move.
fn futility(node: &Node<'_>, reduced: i32) -> Option<Pruned> {
    let eval = node.static_eval?;
    let margin = tunables::futility_base()
        + tunables::futility_slope() * reduced
        + when(eval > node.window.alpha, tunables::futility_above());
    let reachable = eval + margin;
    (reduced < tunables::futility_depth() && reachable <= node.window.alpha)
        .then_some(Pruned { reachable: Some(reachable) })
}

/// Futility pruning of captures: even the captured piece is not enough.
fn capture_futility(node: &Node<'_>, candidate: &Candidate, history: i32, gain: i32) -> Option<Pruned> {
    let reduced = candidate.reduced_depth(node);
    let gained = eval_of_material(gain)
        + tunables::capture_futility_base()
        + tunables::capture_futility_slope() * reduced
        + history / tunables::capture_futility_history_divisor();
    Pruned::when(
        !candidate.gives_check
            && reduced < tunables::capture_futility_depth()
            && node.static_eval? + gained <= node.window.alpha,
    )
}

/// Exchange pruning of captures and checks: it loses too much material.
fn exchange_pruning(node: &Node<'_>, candidate: &Candidate, history: i32) -> Option<Pruned> {
    let least = -tunables::see_capture_slope() * node.depth.get() - history / tunables::see_capture_history_divisor();
    Pruned::when(!node.board.see_at_least(candidate.mv, least))
}
