//! A move about to be searched, and what is known of it before it is played.

use alfiere_chess::types::Move;

use super::depth::Depth;
use super::score::Score;
use super::tunables::Tunables;

/// One move of a node, in its turn.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// Its place in the order, from 1.
    pub(super) number: usize,
    /// Neither a capture nor a promotion.
    pub(super) quiet: bool,
    pub(super) gives_check: bool,
    /// How it has done elsewhere.
    pub(super) history: i32,
    /// Plies left at the node.
    pub(super) depth: Depth,
    /// What is already assured.
    pub(super) alpha: Score,
    /// How much less deeply it is looked at by its place in the order alone, in 1024ths of a ply.
    pub(super) base_reduction: i32,
}

impl Candidate {
    /// The depth that it would be searched to, roughly: what pruning near the leaves goes by.
    pub(super) fn reduced_depth(&self, tunables: &Tunables) -> i32 {
        let by_history = self.history / tunables.pruning_history_divisor();
        (self.depth.get() - self.base_reduction / 1024 + by_history).max(0)
    }
}
