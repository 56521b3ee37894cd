//! Extensions: moves that deserve more plies than their depth gives them, or fewer.

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;

use super::depth::Depth;
use super::node::{Node, NodeType};
use super::picker::MovePicker;
use super::score::Score;
use super::window::Window;
use super::worker::{Stopped, Worker};
use crate::eval::Evaluator;

/// What the search without the hash move has shown.
pub(super) enum Singularity {
    /// Plies to add to the hash move; negative to reduce it.
    Extend(i32),
    /// Several moves beat beta: the node is too good whatever is played.
    MultiCut(Score),
}

impl<E: Evaluator> Worker<'_, E> {
    /// Singular extension: if all other moves are clearly worse than the hash move, it deserves more depth; if several
    /// beat beta, none needs more.
    pub(super) fn singularity(&mut self, node: &Node<'_>, depth: Depth, mv: Move) -> Result<Singularity, Stopped> {
        let Node { board, ply, kind: node_type, .. } = *node;
        let beta = node.window.beta;
        let tunables = self.input.tunables;
        let Some(entry) = node.entry else { return Ok(Singularity::Extend(0)) };
        if depth < tunables.singular_depth()
            || ply >= 2 * self.iteration.get() as usize
            || entry.depth() < depth - 3
            || !entry.bound().is_lower()
            || entry.score(ply, board.halfmove_clock()).is_decisive()
        {
            return Ok(Singularity::Extend(0));
        }
        let stored = entry.score(ply, board.halfmove_clock());
        let limit = stored - tunables.singular_margin(depth);
        self.frames.at_mut(ply).excluded = Some(mv);
        let others = self.alpha_beta(
            board,
            Window::just_below(limit),
            Depth::plies((depth.get() - 1) / 2),
            ply,
            if node_type == NodeType::Cut { NodeType::Cut } else { NodeType::All },
        );
        self.frames.at_mut(ply).excluded = None;
        let others = others?;
        Ok(if others < limit {
            let far_below = |margin: i32| !node_type.is_pv() && others < limit - margin;
            let twice = far_below(tunables.double_extension_margin());
            let thrice = twice && !mv.is_noisy() && far_below(tunables.triple_extension_margin());
            Singularity::Extend(1 + i32::from(twice) + i32::from(thrice))
        } else if limit >= beta && !node_type.is_pv() && tunables.multi_cut() > 0 {
            Singularity::MultiCut(limit)
        } else if stored >= beta {
            Singularity::Extend(-tunables.negative_extension_beta())
        } else if node_type == NodeType::Cut {
            Singularity::Extend(-tunables.negative_extension_cut())
        } else {
            Singularity::Extend(0)
        })
    }

    /// Check extension: a check leaves few answers; near the leaves it must lose nothing.
    pub(super) fn extends_check(&self, board: &Board, depth: Depth, ply: usize, mv: Move, picker: &MovePicker) -> bool {
        ply < 2 * self.iteration.get() as usize
            && (self.is_cautious()
                || depth <= self.input.tunables.check_extension_depth()
                    && !picker.is_at_bad_noisy()
                    && board.see_at_least(mv, 0))
    }
}
