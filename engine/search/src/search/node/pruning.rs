//! Pruning: reasons to give a node a score without trying all moves, and reasons not to search a late move at all.

use std::ops::ControlFlow;

use alfiere_chess::types::Move;

use super::draws::TbProbe;
use super::facts::{Candidate, MoveHistory, Node, NodeType, Pruned, usable_score};
use crate::eval::Evaluator;
use crate::search::ordering::{Checks, MovePicker, QuietHistory, Scope};
use crate::search::score::{Depth, Score, Window};
use crate::search::table::{Bound, Entry};
use crate::search::thread::{Stopped, Worker, has_non_pawn_material};
use crate::search::tunables::{Tunables, when};

impl<E: Evaluator> Worker<'_, E> {
    /// Breaks with the node's score if its moves need not be searched: a table cutoff, endgame tables, or pruning of the whole
    /// node. Otherwise returns the bounds that endgame tables have proven.
    ///
    /// Not for the root, nor for singularity tests.
    pub(crate) fn cutoff_before_moves(&mut self, node: &Node<'_>) -> Result<ControlFlow<Score, Window>, Stopped> {
        self.update_by_eval_gain(node);
        if let Some(score) = self.table_cutoff(node) {
            return Ok(ControlFlow::Break(score));
        }
        let mut proven = Window::FULL;
        match self.probe_tables(node) {
            TbProbe::None => {}
            TbProbe::Score(score) => return Ok(ControlFlow::Break(score)),
            TbProbe::LowerBound(score) => proven.alpha = score,
            TbProbe::UpperBound(score) => proven.beta = score,
        }
        if let (None, Some(raw)) = (node.entry, node.raw_eval) {
            self.input.table.store(node.board.key(), Entry::evaluation(raw, node.tt_pv));
        }
        let pruned = if node.kind.is_pv() { None } else { self.prune_node(node)? };
        Ok(pruned.map_or(ControlFlow::Continue(proven), ControlFlow::Break))
    }

    /// Prunes a node outside the principal variation; never in check.
    fn prune_node(&mut self, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
        let Some(static_eval) = node.static_eval else { return Ok(None) };
        if let Some(score) = self.razoring(node)? {
            return Ok(Some(score));
        }
        if let Some(score) = self.reverse_futility(node, static_eval) {
            return Ok(Some(score));
        }
        self.null_move(node, static_eval)
    }

    /// Razoring: far below alpha only captures could help, so quiescence decides.
    fn razoring(&mut self, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
        let (tunables, depth) = (self.input.tunables, node.depth.get());
        let margin = tunables.razoring_base() + tunables.razoring_slope() * depth * depth;
        if node.estimate + margin < node.window.alpha {
            return self.quiescence(node.board, node.window, node.ply, node.kind).map(Some);
        }
        Ok(None)
    }

    /// Reverse futility: far above beta the opponent will not catch up, so the node is given up as too good.
    fn reverse_futility(&self, node: &Node<'_>, static_eval: Score) -> Option<Score> {
        let (beta, estimate, depth) = (node.window.beta, node.estimate, node.depth.get());
        let tunables = self.input.tunables;
        let falling = self.frames.before(node.ply, 1).static_eval.is_some_and(|before| static_eval > -before);
        // The margin for each ply, the plies that count, and more where the evaluation is uncertain.
        let slope = (tunables.reverse_futility_base() + depth).min(tunables.reverse_futility_max())
            - when(node.entry.is_none(), tunables.reverse_futility_unknown());
        let plies_64 = 64 * depth
            - when(node.rising, tunables.reverse_futility_rising())
            - when(falling, tunables.reverse_futility_falling());
        let margin = (slope * plies_64 + node.correction * tunables.reverse_futility_correction()) / 64;
        (depth < tunables.reverse_futility_depth()
            && !node.tt_pv
            && node.hash_move.is_none_or(Move::is_noisy)
            && !beta.is_loss()
            && !estimate.is_decisive()
            && estimate - margin.max(0) >= beta)
            .then(|| estimate.towards(beta, [1, 2]))
    }

    /// Null move: if even passing is too good, so is the best move (but for zugzwang, hence pieces are required).
    fn null_move(&mut self, node: &Node<'_>, static_eval: Score) -> Result<Option<Score>, Stopped> {
        let Node { board, window, depth, ply, .. } = *node;
        let (beta, tunables) = (window.beta, self.input.tunables);
        let margin = tunables.null_slack()
            - tunables.null_slack_slope() * depth.get()
            - when(node.rising, tunables.null_rising());
        if node.kind != NodeType::Cut
            || depth < tunables.null_depth()
            || self.frames.before(ply, 1).current.is_none()
            || static_eval - margin < beta
            || beta.is_loss()
            || ply < self.null_allowed_from
            || !has_non_pawn_material(board)
        {
            return Ok(None);
        }
        let reduced = depth
            - tunables.null_base()
            - depth.get() / tunables.null_depth_divisor()
            - (static_eval - beta).max(0) / tunables.null_eval_divisor();
        let child = self.play_null(board, ply);
        let score = -self.alpha_beta(&child, -Window::just_below(beta), reduced, ply + 1, NodeType::All)?;
        self.undo_null();
        if score < beta {
            return Ok(None);
        }
        // A mate found by passing is not proven.
        let score = if score.is_win() { beta } else { score };
        if depth < tunables.null_verification_depth() || self.null_allowed_from > 0 {
            return Ok(Some(score));
        }
        self.null_allowed_from = ply + (3 * reduced.get().max(0) / 4) as usize + 1;
        let verified = self.alpha_beta(board, Window::just_below(beta), reduced, ply, NodeType::Cut);
        self.null_allowed_from = 0;
        Ok((verified? >= beta).then_some(score))
    }

    /// `ProbCut`: a capture that stays well above beta in a shallow search will stay above it in a deep one.
    pub(crate) fn probcut(&mut self, node: &Node<'_>, static_eval: Score) -> Result<Option<Score>, Stopped> {
        let Node { board, depth, ply, .. } = *node;
        let tunables = self.input.tunables;
        let margin = tunables.probcut_margin() - when(node.improving, tunables.probcut_improving());
        let beta = node.window.beta + margin;
        let refuted = node.entry.and_then(|entry| entry.known_score(ply)).is_some_and(|score| score < beta);
        if depth < tunables.probcut_depth() || node.window.beta.is_decisive() || beta.is_decisive() || refuted {
            return Ok(None);
        }
        let window = Window::just_below(beta);
        let plies = if node.improving { tunables.probcut_reduction_improving() } else { tunables.probcut_reduction() };
        let reduced = (depth - plies).max(Depth::ZERO);
        let scope = Scope::Noisy { gain: Some(beta - static_eval) };
        let checks = Checks::of(board);
        let mut picker = MovePicker::new(scope, node.hash_move, self.frames.context(ply));
        while let Some(mv) = picker.next(board, &checks, self.history, self.input.tunables) {
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
    pub(crate) fn table_cutoff(&mut self, node: &Node<'_>) -> Option<Score> {
        let entry = node.entry?;
        let score = usable_score(entry, node.window, node.ply)?;
        let fails_high = node.window.fails_high(score);
        let expected = fails_high == (node.kind == NodeType::Cut);
        if node.kind.is_pv()
            // A score above beta needs more than this depth: another search of it might find better.
            || entry.depth() < node.depth + i32::from(score > node.window.beta)
            || !expected && node.depth <= self.input.tunables.cutoff_surprise_depth()
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
        if node.depth < self.input.tunables.cutoff_checked_depth() || score.is_decisive() {
            return false;
        }
        let next = node.hash_move.and_then(|mv| self.input.table.probe(node.board.key_after(mv)));
        next.and_then(|next| next.known_score(node.ply + 1))
            .is_some_and(|next| node.window.fails_high(-next) != node.window.fails_high(score))
    }

    /// Prunes a move, or nothing; may also tell the picker to skip the remaining quiet moves.
    ///
    /// Call it only after a move that does not lose was found, and only if the side to move has non-pawn material.
    pub(crate) fn prune_move(&self, node: &Node<'_>, candidate: &Candidate, picker: &mut MovePicker) -> Option<Pruned> {
        self.late_move_pruning(node, candidate, picker);
        match candidate.history {
            MoveHistory::Quiet(_) if candidate.gives_check => self.exchange_pruning(node, candidate, 0),
            MoveHistory::Quiet(history) => self.prune_quiet(node, candidate, history),
            MoveHistory::Noisy { history, gain } => self
                .capture_futility(node, candidate, history, gain)
                .or_else(|| self.exchange_pruning(node, candidate, history)),
        }
    }

    /// Late move pruning: near the leaves, quiet moves late in the order are skipped.
    fn late_move_pruning(&self, node: &Node<'_>, candidate: &Candidate, picker: &mut MovePicker) {
        let (tunables, depth) = (self.input.tunables, candidate.depth.get());
        let hundredths = tunables.late_move_base() + tunables.late_move_slope() * depth * depth;
        let count = if node.improving { hundredths / 100 } else { hundredths / 200 };
        if candidate.number >= count as usize {
            picker.skip_quiets();
        }
    }

    /// Prunes a quiet move that gives no check, unless the line is still the last iteration's principal variation.
    fn prune_quiet(&self, node: &Node<'_>, candidate: &Candidate, history: QuietHistory) -> Option<Pruned> {
        if node.kind.is_pv() && self.frames.at(node.ply).follows_variation {
            return None;
        }
        let tunables = self.input.tunables;
        let by_history = 2 * history.butterfly + history.continuation + history.pawn;
        let reduced = candidate.reduced_depth() + by_history / tunables.pruning_history_divisor();
        // History pruning: it has done very badly after moves like the last ones.
        Pruned::when(history.continuation + history.pawn < -tunables.history_pruning_slope() * candidate.depth.get())
            .or_else(|| self.futility(node, candidate, reduced))
            .or_else(|| {
                let loss = tunables.see_quiet_slope() * reduced.max(0) * reduced.max(0);
                Pruned::when(!node.board.see_at_least(candidate.mv, -loss))
            })
    }

    /// Futility pruning: the static evaluation is too far below alpha for this quiet move.
    fn futility(&self, node: &Node<'_>, candidate: &Candidate, reduced: i32) -> Option<Pruned> {
        let (tunables, eval) = (self.input.tunables, node.static_eval?);
        let margin = tunables.futility_base()
            + tunables.futility_slope() * reduced
            + when(eval > candidate.alpha, tunables.futility_above());
        let reachable = eval + margin;
        (reduced < tunables.futility_depth() && reachable <= candidate.alpha)
            .then_some(Pruned { reachable: Some(reachable) })
    }

    /// Futility pruning of captures: even the captured piece is not enough.
    fn capture_futility(&self, node: &Node<'_>, candidate: &Candidate, history: i32, gain: i32) -> Option<Pruned> {
        let tunables = self.input.tunables;
        let reduced = candidate.reduced_depth();
        let gained = tunables.eval_of_material(gain)
            + tunables.capture_futility_base()
            + tunables.capture_futility_slope() * reduced
            + history / tunables.capture_futility_history_divisor();
        Pruned::when(
            !candidate.gives_check
                && reduced < tunables.capture_futility_depth()
                && node.static_eval? + gained <= candidate.alpha,
        )
    }

    /// Exchange pruning of captures and checks: it loses too much material.
    fn exchange_pruning(&self, node: &Node<'_>, candidate: &Candidate, history: i32) -> Option<Pruned> {
        let tunables = self.input.tunables;
        let least =
            -tunables.see_capture_slope() * candidate.depth.get() - history / tunables.see_capture_history_divisor();
        Pruned::when(!node.board.see_at_least(candidate.mv, least))
    }
}

impl Tunables {
    /// Static exchange to evaluation: its centipawns in those of the evaluation, which values a pawn at less than 100.
    pub(crate) fn eval_of_material(&self, material: i32) -> i32 {
        material * self.material_worth() / 64
    }

    /// Evaluation to static exchange: the inverse of [`Tunables::eval_of_material`].
    pub(crate) fn material_of_eval(&self, eval: i32) -> i32 {
        eval * 64 / self.material_worth()
    }
}
