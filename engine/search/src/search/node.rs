//! What a node is expected to be, and what is known of it before its moves are tried.

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;

use super::depth::Depth;
use super::entry::{Entry, Importance};
use super::score::Score;
use super::window::Window;

/// What kind of node the search expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Node {
    /// On the principal variation: its window is open.
    Principal,
    /// Some move is expected to fail high.
    Cut,
    /// No move is expected to raise alpha.
    All,
}

impl Node {
    pub(super) fn is_principal(self) -> bool {
        self == Self::Principal
    }

    /// Whether it stands on a principal variation, or by its entry once did.
    pub(super) fn importance(self, entry: Option<Entry>) -> Importance {
        if self.is_principal() { Importance::Principal } else { entry.map_or(Importance::Ordinary, Entry::importance) }
    }

    /// What a node searched with a null window below this one is expected to be.
    pub(super) fn child(self) -> Self {
        match self {
            Self::Cut => Self::All,
            Self::Principal | Self::All => Self::Cut,
        }
    }
}

/// Whether the side to move stands better than at its last turns, or so well that this does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trend {
    Improving,
    NotImproving,
}

/// A node before its moves are tried.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    pub(super) board: &'a Board,
    pub(super) window: Window,
    pub(super) depth: Depth,
    pub(super) ply: usize,
    pub(super) node: Node,
    /// What the table knows.
    pub(super) entry: Option<Entry>,
    /// The table's move, legal here.
    pub(super) hash_move: Option<Move>,
    /// The corrected static evaluation; none in check.
    pub(super) static_eval: Option<Score>,
    /// The static evaluation or, where the table knows better, its score.
    pub(super) estimate: Score,
    pub(super) trend: Trend,
    /// Whether it stands on a principal variation, or once did.
    pub(super) importance: Importance,
}

/// The stored score, if it may stand for one in this window: a lower bound that fails high, an upper bound that does not.
pub(super) fn usable_score(entry: Entry, window: Window, ply: usize) -> Option<Score> {
    let score = entry.score(ply);
    let fits = if window.fails_high(score) { entry.bound().is_lower() } else { entry.bound().is_upper() };
    fits.then_some(score)
}

/// The better of two guesses at a node's score: the static evaluation, or the table's score where its bound says more.
pub(super) fn refine(static_eval: Score, entry: Option<Entry>, ply: usize) -> Score {
    let Some(entry) = entry else { return static_eval };
    let score = entry.score(ply);
    let better = if score > static_eval { entry.bound().is_lower() } else { entry.bound().is_upper() };
    // A mate is for a search to prove, move by move.
    if better && !score.is_decisive() { score } else { static_eval }
}
