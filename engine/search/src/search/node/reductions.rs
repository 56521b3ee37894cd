//! Late move reduction: how many plies shallower a late move is searched.
//!
//! A thread keeps the table by depth and move count from search to search, so that is in `thread/thread_data.rs`.

use alfiere_chess::types::Move;

use super::facts::{Candidate, Node, NodeType};
use crate::eval::Evaluator;
use crate::search::depth::Depth;
use crate::search::score::Score;
use crate::search::thread::Worker;
use crate::search::tunables::when;
use crate::search::window::Window;

impl<E: Evaluator> Worker<'_, E> {
    /// The reduction by depth, move count and window, in 1024ths of a ply. Pruning of moves uses it, too.
    pub(crate) fn base_reduction(&self, node: &Node<'_>, depth: Depth, window: Window, number: usize) -> i32 {
        let tunables = self.input.tunables;
        let by_order = self.reductions.at(depth, number);
        let declining = when(!node.improving, by_order * tunables.reduction_not_improving() / 1024);
        let open = tunables.reduction_window() * (window.beta - window.alpha) / self.root_width.max(1);
        let shallow_pv = when(node.tt_pv, tunables.pruning_principal());
        tunables.reduction_base() + by_order + declining + shallow_pv - open
    }

    /// The reduction of a move in 1024ths of a ply, from the base reduction and the facts about the move and the node.
    pub(crate) fn reduction(&self, node: &Node<'_>, candidate: &Candidate) -> i32 {
        let tunables = self.input.tunables;
        let (cut, all) = (node.kind == NodeType::Cut, node.kind == NodeType::All);
        let cutoffs_below = self.frames.at(node.ply + 1).cutoffs;
        let deep_entry = node.entry.is_some_and(|entry| entry.depth() >= candidate.depth);
        // ANCHOR: reduction
        let reduction = candidate.base_reduction + tunables.reduction_late()
            - tunables.reduction_number() * candidate.number as i32
            + when(cut, tunables.reduction_cut_node())
            + when(cut && node.hash_move.is_none(), tunables.reduction_no_hash())
            + when(node.hash_move.is_some_and(Move::is_noisy), tunables.reduction_noisy_hash())
            + when(cutoffs_below > 1, tunables.reduction_cutoffs())
            + when(cutoffs_below > 2, tunables.reduction_many_cutoffs())
            + when(cutoffs_below > 1 && all, tunables.reduction_all_node())
            - when(node.tt_pv, tunables.reduction_principal())
            - when(node.kind.is_pv(), tunables.reduction_pv_node())
            - when(node.tt_pv && node.entry_beats(candidate.alpha), tunables.reduction_entry_score())
            - when(node.tt_pv && deep_entry, tunables.reduction_entry_depth())
            - when(node.tt_pv && deep_entry && cut, tunables.reduction_entry_cut())
            - tunables.reduction_correction() * node.correction
            - candidate.history.sum(tunables) * 1024 / tunables.reduction_history_divisor();
        // ANCHOR_END: reduction
        reduction + when(all, reduction / (candidate.depth.get() + 1))
    }

    /// The reduction in plies, 0 to 2, of a null-window search without late move reduction: mostly of the first move of a cut node
    /// without a hash move. `full` is the depth without it.
    pub(crate) fn first_reduction(&self, node: &Node<'_>, candidate: &Candidate, full: Depth) -> i32 {
        let tunables = self.input.tunables;
        let is_hash_move = node.hash_move == Some(candidate.mv);
        let reduction = self.reduction(node, candidate) + when(node.hash_move.is_none(), tunables.first_no_hash())
            - when(is_hash_move && self.frames.at(node.ply + 1).cutoffs <= 1, tunables.first_hash_move());
        i32::from(reduction > tunables.first_one_ply()) + i32::from(reduction > tunables.first_two_plies() && full > 2)
    }

    /// Plies to add if the move before was reduced too much, negative if it was reduced too little.
    pub(crate) fn hindsight(&self, static_eval: Option<Score>, depth: Depth, ply: usize) -> i32 {
        let before = self.frames.before(ply, 1);
        let (Some(now), Some(then)) = (static_eval, before.static_eval) else { return 0 };
        let worsening = now.value() + then.value();
        let tunables = self.input.tunables;
        if before.reduction >= tunables.hindsight_deeper() && worsening <= 0 {
            1
        } else if before.reduction >= tunables.hindsight_reduction()
            && depth >= 2
            && worsening > tunables.hindsight_shallower()
        {
            -1
        } else {
            0
        }
    }
}
