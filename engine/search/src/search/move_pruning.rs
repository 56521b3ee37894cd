//! Pruning of single moves: reasons not to search a late move at all.

use super::{
    candidate::Candidate,
    node::Site,
    picker::{MovePicker, gain_of},
    worker::Worker,
};
use crate::eval::Evaluator;

impl<E: Evaluator> Worker<'_, E> {
    /// Whether a move is not worth a search; may also tell the picker that no more quiet moves are wanted.
    ///
    /// To be asked only once some move has been found that does not lose, and where passing is no zugzwang.
    pub(super) fn is_hopeless(&self, site: &Site<'_>, candidate: &Candidate, picker: &mut MovePicker) -> bool {
        let reduced = candidate.reduced_depth(self.shared.tunables);
        if candidate.quiet {
            self.late_move_pruning(site, candidate, picker);
            self.futility(site, candidate, reduced, picker)
                || self.history_pruning(candidate)
                || !site.board.see_at_least(candidate.mv, self.shared.tunables.see_quiet_margin(reduced))
        } else {
            self.capture_futility(site, candidate, reduced, picker) || self.loses_too_much(site, candidate)
        }
    }

    /// Late move pruning: with good order, what comes late does not matter near the leaves.
    fn late_move_pruning(&self, site: &Site<'_>, candidate: &Candidate, picker: &mut MovePicker) {
        if candidate.number >= self.shared.tunables.late_move_count(candidate.depth, site.trend) {
            picker.skip_quiets();
        }
    }

    /// Futility pruning: a quiet move does not gain what is missing, and neither will the next.
    fn futility(&self, site: &Site<'_>, candidate: &Candidate, reduced: i32, picker: &mut MovePicker) -> bool {
        let hopeless = site.static_eval.is_some_and(|eval| {
            !candidate.gives_check
                && reduced <= self.shared.tunables.futility_depth()
                && eval + self.shared.tunables.futility_margin(reduced) <= candidate.alpha
        });
        if hopeless {
            picker.skip_quiets();
        }
        hopeless
    }

    /// History pruning: it has hardly ever worked.
    fn history_pruning(&self, candidate: &Candidate) -> bool {
        !candidate.gives_check
            && candidate.depth <= self.shared.tunables.history_pruning_depth()
            && candidate.history < self.shared.tunables.history_pruning_margin(candidate.depth)
    }

    /// Futility pruning of captures: even the captured piece is not enough.
    fn capture_futility(&self, site: &Site<'_>, candidate: &Candidate, reduced: i32, picker: &MovePicker) -> bool {
        site.static_eval.is_some_and(|eval| {
            !candidate.gives_check
                && picker.is_at_bad_noisy()
                && reduced <= self.shared.tunables.capture_futility_depth()
                && eval + gain_of(site.board, candidate.mv) + self.shared.tunables.capture_futility_margin(reduced)
                    <= candidate.alpha
        })
    }

    /// Exchange pruning of captures: it loses too much material.
    fn loses_too_much(&self, site: &Site<'_>, candidate: &Candidate) -> bool {
        let margin = self.shared.tunables.see_capture_margin(candidate.depth) - candidate.history / 64;
        !site.board.see_at_least(candidate.mv, margin)
    }
}
