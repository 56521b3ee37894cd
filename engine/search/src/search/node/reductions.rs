//! How deep a move is searched: late move reductions, and extensions of moves that deserve more plies than their depth gives
//! them, or fewer.
//!
//! A thread keeps the table by depth and move count from search to search, so that is in `thread/mod.rs`.

use alfiere_chess::types::Move;

use super::{Candidate, Node, NodeType};
use crate::eval::Evaluator;
use crate::search::score::{Depth, Score, Window};
use crate::search::thread::{Stopped, Worker};
use crate::search::tunables::{self, when};

impl<E: Evaluator> Worker<'_, E> {
    /// The reduction by depth, move count and window, in 1024ths of a ply. Pruning of moves uses it, too.
    pub(super) fn base_reduction(&self, node: &Node<'_>, number: usize) -> i32 {
        let by_order = self.data.reductions.at(node.depth, number);
        let declining = when(!node.improving, by_order * tunables::reduction_not_improving() / 1024);
        let open = tunables::reduction_window() * (node.window.beta - node.window.alpha) / self.root_width.max(1);
        let shallow_pv = when(node.tt_pv, tunables::pruning_principal());
        tunables::reduction_base() + by_order + declining + shallow_pv - open
    }

    /// The reduction of a move in 1024ths of a ply, from the base reduction and the facts about the move and the node.
    pub(super) fn reduction(&self, node: &Node<'_>, candidate: &Candidate) -> i32 {
        let (cut, all) = (node.kind == NodeType::Cut, node.kind == NodeType::All);
        let cutoffs_below = self.data.frames.at(node.ply + 1).cutoffs;
        let deep_entry = node.entry.is_some_and(|entry| entry.depth() >= node.depth);
        // ANCHOR: reduction
        let reduction = candidate.base_reduction + tunables::reduction_late()
            - tunables::reduction_number() * candidate.number as i32
            + when(cut, tunables::reduction_cut_node())
            + when(cut && node.hash_move.is_none(), tunables::reduction_no_hash())
            + when(node.hash_move.is_some_and(Move::is_noisy), tunables::reduction_noisy_hash())
            + when(cutoffs_below > 1, tunables::reduction_cutoffs())
            + when(cutoffs_below > 2, tunables::reduction_many_cutoffs())
            + when(cutoffs_below > 1 && all, tunables::reduction_all_node())
            - when(node.tt_pv, tunables::reduction_principal())
            - when(node.kind.is_pv(), tunables::reduction_pv_node())
            - when(node.tt_pv && node.entry_beats_alpha(), tunables::reduction_entry_score())
            - when(node.tt_pv && deep_entry, tunables::reduction_entry_depth())
            - when(node.tt_pv && deep_entry && cut, tunables::reduction_entry_cut())
            - tunables::reduction_correction() * node.correction
            - candidate.history.sum() * 1024 / tunables::reduction_history_divisor();
        // ANCHOR_END: reduction
        reduction + when(all, reduction / (node.depth.get() + 1))
    }

    /// The reduction in plies, 0 to 2, of a null-window search without late move reduction: mostly of the first move of a cut node
    /// without a hash move. `full` is the depth without it.
    pub(super) fn first_reduction(&self, node: &Node<'_>, candidate: &Candidate, full: Depth) -> i32 {
        let is_hash_move = node.hash_move == Some(candidate.mv);
        let reduction = self.reduction(node, candidate) + when(node.hash_move.is_none(), tunables::first_no_hash())
            - when(is_hash_move && self.data.frames.at(node.ply + 1).cutoffs <= 1, tunables::first_hash_move());
        i32::from(reduction > tunables::first_one_ply())
            + i32::from(reduction > tunables::first_two_plies() && full > 2)
    }

    /// Plies to add if the move before was reduced too much, negative if it was reduced too little.
    pub(super) fn hindsight(&self, node: &Node<'_>) -> i32 {
        let before = self.data.frames.before(node.ply, 1);
        let (Some(now), Some(then)) = (node.static_eval, before.static_eval) else { return 0 };
        let worsening = now.value() + then.value();
        if before.reduction >= tunables::hindsight_deeper() && worsening <= 0 {
            1
        } else if before.reduction >= tunables::hindsight_reduction()
            && node.depth >= 2
            && worsening > tunables::hindsight_shallower()
        {
            -1
        } else {
            0
        }
    }
}

/// What the search without the hash move has shown.
pub(crate) enum Singularity {
    /// Plies to add to the hash move; negative to reduce it.
    Extend(i32),
    /// Several moves beat beta: the node is too good whatever is played.
    MultiCut(Score),
}

impl<E: Evaluator> Worker<'_, E> {
    /// Singular extension: if all other moves are clearly worse than the hash move, it deserves more depth; if several
    /// beat beta, none needs more.
    pub(super) fn singularity(&mut self, node: &Node<'_>, mv: Move) -> Result<Singularity, Stopped> {
        let Node { board, ply, depth, kind: node_type, .. } = *node;
        let beta = node.window.beta;
        let Some(entry) = node.entry else { return Ok(Singularity::Extend(0)) };
        let stored = entry.score(ply);
        if depth < tunables::singular_depth() + i32::from(node.tt_pv)
            || ply >= 2 * self.iteration.get() as usize
            || entry.depth() < depth - tunables::singular_entry_plies()
            || !entry.bound().is_lower()
            || stored.is_decisive()
        {
            return Ok(Singularity::Extend(0));
        }
        let slope =
            tunables::singular_slope() + when(node.tt_pv && !node_type.is_pv(), tunables::singular_slope_principal());
        let limit = stored - slope * depth.get() / 64;
        let reduced = Depth::plies((depth.get() - 1) / 2);
        let kind = if node_type == NodeType::Cut { NodeType::Cut } else { NodeType::All };
        self.data.frames.at_mut(ply).excluded = Some(mv);
        let others = self.alpha_beta(board, Window::just_below(limit), reduced, ply, kind);
        self.data.frames.at_mut(ply).excluded = None;
        let others = others?;
        Ok(if others < limit {
            let uncertain = node.correction * tunables::extension_correction() / 64;
            let known = uncertain + self.data.history.hash_move() / tunables::extension_history_divisor();
            let double = tunables::double_extension_margin() + when(node_type.is_pv(), tunables::double_extension_pv())
                - when(!mv.is_noisy(), tunables::double_extension_quiet());
            let triple = tunables::triple_extension_margin()
                + when(node_type.is_pv(), tunables::triple_extension_pv())
                + when(node.tt_pv, tunables::triple_extension_principal())
                - when(!mv.is_noisy(), tunables::triple_extension_quiet());
            // A line far beyond the iteration is not made longer still: in bare endings the search would not come back.
            let near = ply <= self.iteration.get() as usize;
            let twice = near && others < limit - (double - known);
            let thrice = near && others < limit - (triple - uncertain);
            Singularity::Extend(1 + i32::from(twice) + i32::from(thrice))
        } else if others >= beta && !others.is_decisive() {
            self.update_at_multi_cut(node, reduced, others);
            Singularity::MultiCut(others)
        } else if stored >= beta || node_type == NodeType::Cut {
            Singularity::Extend(-tunables::negative_extension())
        } else {
            Singularity::Extend(0)
        })
    }
}
