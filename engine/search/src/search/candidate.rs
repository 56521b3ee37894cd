//! A move about to be searched, with the facts that pruning and reductions use.

use alfiere_chess::types::Move;

use super::depth::Depth;
use super::score::Score;
use super::tunables::Tunables;

/// A move of a node.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// The move count: its position in the move order, from 1.
    pub(super) number: usize,
    /// Neither a capture nor a promotion.
    pub(super) quiet: bool,
    pub(super) gives_check: bool,
    /// Its history score.
    pub(super) history: i32,
    /// Plies left at the node.
    pub(super) depth: Depth,
    /// Alpha when the move is tried.
    pub(super) alpha: Score,
    /// The base reduction by depth and move count, in 1024ths of a ply.
    pub(super) base_reduction: i32,
}

impl Candidate {
    /// The approximate reduced depth, on which pruning near the leaves depends.
    pub(super) fn reduced_depth(&self, tunables: &Tunables) -> i32 {
        let by_history = self.history / tunables.pruning_history_divisor();
        (self.depth.get() - self.base_reduction / 1024 + by_history).max(0)
    }
}
