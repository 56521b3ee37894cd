//! Late move reduction: how many plies shallower a late move is searched, by its order and by what is known about it.

use alfiere_chess::types::Move;

use super::candidate::Candidate;
use super::node::{Node, NodeType};
use super::worker::Worker;
use crate::eval::Evaluator;

impl<E: Evaluator> Worker<'_, E> {
    /// The reduction of a late move in plies, from the base reduction and the facts about the move and the node.
    pub(super) fn reduction(&self, node: &Node<'_>, candidate: &Candidate) -> i32 {
        let tunables = self.input.tunables;
        let killers = self.frames.at(node.ply).killers(tunables);
        let many_cutoffs_below = self.frames.at(node.ply + 1).cutoffs > 3;
        let when = |condition: bool, amount: i32| if condition { amount } else { 0 };
        // ANCHOR: reduction
        let reduction = candidate.base_reduction
            + when(node.kind == NodeType::Cut, tunables.reduction_cut_node())
            + when(node.kind == NodeType::Cut && node.hash_move.is_none(), tunables.reduction_no_hash())
            + when(node.hash_move.is_some_and(Move::is_noisy), tunables.reduction_noisy_hash())
            + when(!node.improving, tunables.reduction_not_improving())
            + when(many_cutoffs_below, tunables.reduction_cutoffs())
            - when(node.tt_pv, tunables.reduction_principal())
            - when(candidate.gives_check, tunables.reduction_check())
            - when(killers.contains(&Some(candidate.mv)), tunables.reduction_killer())
            - candidate.history * 1024 / tunables.reduction_history_divisor();
        reduction / 1024
        // ANCHOR_END: reduction
    }
}
