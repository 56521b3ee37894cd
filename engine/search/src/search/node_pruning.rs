//! Pruning of whole nodes: reasons to give a score without trying all moves.

use super::{
    checks::Checks,
    depth::Depth,
    entry::{Bound, Entry},
    margins::Care,
    node::{Node, Site, usable_score},
    picker::{MovePicker, Scope},
    quiescence::CheckPlies,
    score::Score,
    window::Window,
    worker::{Stopped, Worker, has_pieces},
};
use crate::eval::Evaluator;

/// Null moves at this depth and beyond are verified by a search without them.
const NULL_VERIFICATION_DEPTH: Depth = Depth::plies(14);

impl<E: Evaluator> Worker<'_, E> {
    /// Tries each reason in turn; to be called outside the principal variation, out of check, with no move excluded.
    pub(super) fn prune_node(&mut self, site: &Site<'_>) -> Result<Option<Score>, Stopped> {
        let Some(static_eval) = site.static_eval else { return Ok(None) };
        if let Some(score) = self.razoring(site)? {
            return Ok(Some(score));
        }
        if let Some(score) = self.reverse_futility(site) {
            return Ok(Some(score));
        }
        if let Some(score) = self.null_move(site, static_eval)? {
            return Ok(Some(score));
        }
        self.probcut(site, static_eval)
    }

    /// Razoring: far below alpha near the leaves only captures could help, so quiescence decides.
    fn razoring(&mut self, site: &Site<'_>) -> Result<Option<Score>, Stopped> {
        let margin = self.shared.tunables.razoring_margin(site.depth);
        if site.depth <= self.shared.tunables.razoring_depth()
            && !site.window.alpha.is_decisive()
            && site.estimate + margin < site.window.alpha
            && !self.is_cautious()
        {
            let score = self.quiescence(
                site.board,
                Window::just_above(site.window.alpha),
                site.ply,
                site.node,
                CheckPlies::NONE,
            )?;
            return Ok((score <= site.window.alpha).then_some(score));
        }
        Ok(None)
    }

    /// Reverse futility: far above beta near the leaves the opponent will not catch up, so the node is given up as too good.
    fn reverse_futility(&self, site: &Site<'_>) -> Option<Score> {
        let beta = site.window.beta;
        let margin = self.shared.tunables.reverse_futility_margin(site.depth, site.trend);
        (site.depth <= self.shared.tunables.reverse_futility_depth()
            && !beta.is_loss()
            && !site.estimate.is_decisive()
            && site.estimate - margin >= beta
            && !self.is_cautious())
        .then(|| site.estimate.midpoint(beta))
    }

    /// Null move: if even passing is too good, so is the best move (but for zugzwang, hence pieces are required).
    fn null_move(&mut self, site: &Site<'_>, static_eval: Score) -> Result<Option<Score>, Stopped> {
        let Site { board, window, depth, ply, .. } = *site;
        let beta = window.beta;
        if site.node != Node::Cut
            || depth < self.shared.tunables.null_depth()
            || self.frames.before(ply, 1).current.is_none()
            || site.estimate < beta
            || static_eval - self.shared.tunables.null_margin(depth) < beta
            || beta.is_loss()
            || ply < self.null_allowed_from
            || !has_pieces(board)
            || self.is_cautious()
        {
            return Ok(None);
        }
        let reduced = depth - self.shared.tunables.null_reduction(depth, site.estimate - beta);
        let child = self.play_null(board, ply);
        let score = -self.alpha_beta(&child, -Window::just_below(beta), reduced, ply + 1, Node::All)?;
        self.undo_null();
        if score < beta {
            return Ok(None);
        }
        // A mate found by passing is not proven.
        let score = if score.is_win() { beta } else { score };
        if depth < NULL_VERIFICATION_DEPTH || self.null_allowed_from > 0 {
            return Ok(Some(score));
        }
        self.null_allowed_from = ply + (3 * reduced.get().max(0) / 4) as usize + 1;
        let verified = self.alpha_beta(board, Window::just_below(beta), reduced, ply, Node::Cut);
        self.null_allowed_from = 0;
        Ok((verified? >= beta).then_some(score))
    }

    /// `ProbCut`: a capture that stays well above beta in a shallow search will stay above it in a deep one.
    fn probcut(&mut self, site: &Site<'_>, static_eval: Score) -> Result<Option<Score>, Stopped> {
        let Site { board, depth, ply, .. } = *site;
        let beta = site.window.beta + self.shared.tunables.probcut_margin_for(site.trend);
        let refuted = site.entry.is_some_and(|entry| entry.bound() != Bound::Unknown && entry.score(ply) < beta);
        if depth < self.shared.tunables.probcut_depth()
            || site.window.beta.is_decisive()
            || beta.is_decisive()
            || refuted
        {
            return Ok(None);
        }
        let window = Window::just_below(beta);
        let reduced = depth - 4;
        let scope = Scope::Noisy { gain: beta - static_eval };
        let checks = Checks::of(board);
        let mut picker = MovePicker::new(scope, site.hash_move, [None; 3], self.frames.scene(ply));
        while let Some(mv) = picker.next(board, &checks, self.history, self.shared.tunables) {
            let child = self.play(board, mv, ply);
            let mut score = -self.quiescence(&child, -window, ply + 1, Node::All, CheckPlies::NONE)?;
            if score >= beta && !reduced.is_leaf() {
                score = -self.alpha_beta(&child, -window, reduced, ply + 1, Node::All)?;
            }
            self.undo();
            if score >= beta {
                let raw = site.entry.and_then(Entry::static_eval);
                let entry = Entry::new(reduced + 1, Bound::Lower, score, ply, Some(mv), raw);
                self.shared.table.store(board.key(), entry);
                return Ok(Some(score));
            }
        }
        Ok(None)
    }

    /// Table cutoff: an earlier search of this position, at least as deep, has already answered.
    pub(super) fn table_cutoff(&mut self, site: &Site<'_>) -> Option<Score> {
        let entry = site.entry?;
        let score = usable_score(entry, site.window, site.ply)?;
        if site.node.is_principal()
            || entry.depth() < site.depth
            // Near the fifty-move rule a stored score may be of another history.
            || site.board.halfmove_clock() >= 90
        {
            return None;
        }
        if let Some(mv) = site.hash_move
            && !mv.is_noisy()
            && site.window.fails_high(score)
        {
            let bonus = self.shared.tunables.history_bonus(site.depth);
            self.frames.at_mut(site.ply).threats = self.threats(site.board);
            self.history.update_quiet(site.board, self.frames.scene(site.ply), mv, bonus);
        }
        Some(score)
    }

    /// How much this search may prune.
    pub(super) fn care(&self) -> Care {
        self.shared.tunables.care(self.shared.limits.depth)
    }

    /// Whether hardly anything may be pruned.
    pub(super) fn is_cautious(&self) -> bool {
        self.care() == Care::Cautious
    }
}
