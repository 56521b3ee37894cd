//! A move about to be searched, with the facts that pruning and reductions use.

use alfiere_chess::types::Move;

use super::depth::Depth;
use super::history::QuietHistory;
use super::score::Score;
use super::tunables::Tunables;

/// A move of a node.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// The move count: its position in the move order, from 1.
    pub(super) number: usize,
    pub(super) gives_check: bool,
    pub(super) history: MoveHistory,
    /// Plies left at the node.
    pub(super) depth: Depth,
    /// Alpha when the move is tried.
    pub(super) alpha: Score,
    /// The base reduction, in 1024ths of a ply.
    pub(super) base_reduction: i32,
}

/// How a move has done before.
#[derive(Clone, Copy)]
pub(super) enum MoveHistory {
    Quiet(QuietHistory),
    /// A capture or promotion: its history, and the material that it gains, in centipawns.
    Noisy {
        history: i32,
        gain: i32,
    },
}

impl MoveHistory {
    /// The sum that reductions use.
    pub(super) fn sum(self, tunables: &Tunables) -> i32 {
        match self {
            Self::Quiet(history) => 2 * history.butterfly + history.continuation,
            Self::Noisy { history, gain } => history + gain * tunables.reduction_gain(),
        }
    }
}

impl Candidate {
    /// The depth to which a late move reduction would search it if only the base reduction counted.
    pub(super) fn reduced_depth(&self) -> i32 {
        self.depth.get() - 1 - self.base_reduction / 1024
    }
}
