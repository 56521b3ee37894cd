//! Pruning of single moves: reasons not to search a late move at all.

use alfiere_chess::types::Move;

use super::{
    candidate::Candidate,
    node::Node,
    picker::{MovePicker, gain_of},
    worker::Worker,
};
use crate::eval::Evaluator;

impl<E: Evaluator> Worker<'_, E> {
    /// Whether a move is pruned; may also tell the picker to skip the remaining quiet moves.
    ///
    /// Call it only after a move that does not lose was found, and only if the side to move has non-pawn material.
    pub(super) fn is_hopeless(&self, node: &Node<'_>, candidate: &Candidate, picker: &mut MovePicker) -> bool {
        let reduced = candidate.reduced_depth(self.input.tunables);
        if candidate.quiet {
            self.late_move_pruning(node, candidate, picker);
            self.futility(node, candidate, reduced, picker)
                || self.history_pruning(candidate)
                || !self.is_unattacked(node, candidate.mv)
                    && !node.board.see_at_least(candidate.mv, self.input.tunables.see_quiet_margin(reduced))
        } else {
            self.capture_futility(node, candidate, reduced, picker) || self.loses_too_much(node, candidate)
        }
    }

    /// Late move pruning: near the leaves, quiet moves late in the order are skipped.
    fn late_move_pruning(&self, node: &Node<'_>, candidate: &Candidate, picker: &mut MovePicker) {
        if candidate.number >= self.input.tunables.late_move_count(candidate.depth, node.improving) {
            picker.skip_quiets();
        }
    }

    // ANCHOR: futility
    /// Futility pruning: the static evaluation is too far below alpha for this quiet move and all later ones.
    fn futility(&self, node: &Node<'_>, candidate: &Candidate, reduced: i32, picker: &mut MovePicker) -> bool {
        let hopeless = node.static_eval.is_some_and(|eval| {
            !candidate.gives_check
                && reduced <= self.input.tunables.futility_depth()
                && eval + self.input.tunables.futility_margin(reduced) <= candidate.alpha
        });
        if hopeless {
            picker.skip_quiets();
        }
        hopeless
    }
    // ANCHOR_END: futility

    /// Whether the opponent attacks neither square of a quiet move: then no exchange follows, and it loses nothing.
    fn is_unattacked(&self, node: &Node<'_>, mv: Move) -> bool {
        let threats = self.frames.at(node.ply).threats;
        self.input.tunables.order_threats() > 0 && !threats.contains(mv.source()) && !threats.contains(mv.target())
    }

    /// History pruning: a quiet move with a very low history score.
    fn history_pruning(&self, candidate: &Candidate) -> bool {
        !candidate.gives_check
            && candidate.depth <= self.input.tunables.history_pruning_depth()
            && candidate.history < self.input.tunables.history_pruning_margin(candidate.depth)
    }

    /// Futility pruning of captures: even the captured piece is not enough.
    fn capture_futility(&self, node: &Node<'_>, candidate: &Candidate, reduced: i32, picker: &MovePicker) -> bool {
        node.static_eval.is_some_and(|eval| {
            !candidate.gives_check
                && picker.is_at_bad_noisy()
                && reduced <= self.input.tunables.capture_futility_depth()
                && eval + gain_of(node.board, candidate.mv) + self.input.tunables.capture_futility_margin(reduced)
                    <= candidate.alpha
        })
    }

    /// Exchange pruning of captures: it loses too much material.
    fn loses_too_much(&self, node: &Node<'_>, candidate: &Candidate) -> bool {
        let margin = self.input.tunables.see_capture_margin(candidate.depth) - candidate.history / 64;
        !node.board.see_at_least(candidate.mv, margin)
    }
}
