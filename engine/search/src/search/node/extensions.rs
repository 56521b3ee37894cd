//! Extensions: moves that deserve more plies than their depth gives them, or fewer.

use alfiere_chess::types::Move;

use super::facts::{Node, NodeType};
use crate::eval::Evaluator;
use crate::search::depth::Depth;
use crate::search::score::Score;
use crate::search::thread::{Stopped, Worker};
use crate::search::tunables::when;
use crate::search::window::Window;

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
    pub(crate) fn singularity(&mut self, node: &Node<'_>, depth: Depth, mv: Move) -> Result<Singularity, Stopped> {
        let Node { board, ply, kind: node_type, .. } = *node;
        let beta = node.window.beta;
        let tunables = self.input.tunables;
        let Some(entry) = node.entry else { return Ok(Singularity::Extend(0)) };
        let stored = entry.score(ply);
        if depth < tunables.singular_depth() + i32::from(node.tt_pv)
            || ply >= 2 * self.iteration.get() as usize
            || entry.depth() < depth - tunables.singular_entry_plies()
            || !entry.bound().is_lower()
            || stored.is_decisive()
        {
            return Ok(Singularity::Extend(0));
        }
        let slope =
            tunables.singular_slope() + when(node.tt_pv && !node_type.is_pv(), tunables.singular_slope_principal());
        let limit = stored - slope * depth.get() / 64;
        let reduced = Depth::plies((depth.get() - 1) / 2);
        let kind = if node_type == NodeType::Cut { NodeType::Cut } else { NodeType::All };
        self.frames.at_mut(ply).excluded = Some(mv);
        let others = self.alpha_beta(board, Window::just_below(limit), reduced, ply, kind);
        self.frames.at_mut(ply).excluded = None;
        let others = others?;
        Ok(if others < limit {
            let uncertain = node.correction * tunables.extension_correction() / 64;
            let known = uncertain + self.history.hash_move() / tunables.extension_history_divisor();
            let double = tunables.double_extension_margin() + when(node_type.is_pv(), tunables.double_extension_pv())
                - when(!mv.is_noisy(), tunables.double_extension_quiet());
            let triple = tunables.triple_extension_margin()
                + when(node_type.is_pv(), tunables.triple_extension_pv())
                + when(node.tt_pv, tunables.triple_extension_principal())
                - when(!mv.is_noisy(), tunables.triple_extension_quiet());
            // A line far beyond the iteration is not made longer still: in bare endings the search would not come back.
            let near = ply <= self.iteration.get() as usize;
            let twice = near && others < limit - (double - known);
            let thrice = near && others < limit - (triple - uncertain);
            Singularity::Extend(1 + i32::from(twice) + i32::from(thrice))
        } else if others >= beta && !others.is_decisive() {
            self.update_at_multi_cut(node, reduced, others);
            Singularity::MultiCut(others)
        } else if stored >= beta || node_type == NodeType::Cut {
            Singularity::Extend(-tunables.negative_extension())
        } else {
            Singularity::Extend(0)
        })
    }

    /// Check extension: in a search of a few plies, a check leaves few answers.
    pub(crate) fn extends_check(&self, ply: usize) -> bool {
        self.is_cautious() && ply < 2 * self.iteration.get() as usize
    }
}
