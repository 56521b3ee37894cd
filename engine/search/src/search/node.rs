//! The type of a node, and the facts about it that are known before its moves are tried.

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;

use super::depth::Depth;
use super::entry::Entry;
use super::score::Score;
use super::window::Window;

/// The node type that the search expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeType {
    /// On the principal variation: its window is open.
    Pv,
    /// Some move is expected to fail high.
    Cut,
    /// No move is expected to raise alpha.
    All,
}

impl NodeType {
    pub(super) fn is_pv(self) -> bool {
        self == Self::Pv
    }

    /// Whether the node is on a principal variation, or has been by its table entry.
    pub(super) fn tt_pv(self, entry: Option<Entry>) -> bool {
        self.is_pv() || entry.is_some_and(Entry::tt_pv)
    }

    /// The type of a child that is searched with a null window.
    pub(super) fn child(self) -> Self {
        match self {
            Self::Cut => Self::All,
            Self::Pv | Self::All => Self::Cut,
        }
    }
}

/// The facts about a node.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    pub(super) board: &'a Board,
    pub(super) window: Window,
    pub(super) depth: Depth,
    pub(super) ply: usize,
    pub(super) kind: NodeType,
    /// The transposition table's entry.
    pub(super) entry: Option<Entry>,
    /// The move from the transposition table, legal here; at the root, the first root move.
    pub(super) hash_move: Option<Move>,
    /// The static evaluation as the table keeps it; none in check.
    pub(super) raw_eval: Option<Score>,
    /// The same with its corrections.
    pub(super) static_eval: Option<Score>,
    /// The static evaluation or, if it is a tighter bound, the score of the table entry.
    pub(super) estimate: Score,
    /// Centipawns by which correction history changes the evaluation.
    pub(super) correction: i32,
    /// Whether the static evaluation has risen since the side to move's last turn.
    pub(super) rising: bool,
    /// The same, or whether it is above beta anyway.
    pub(super) improving: bool,
    /// Whether the node is, or has been, on a principal variation.
    pub(super) tt_pv: bool,
}

impl Node<'_> {
    /// Whether the stored score, whatever its bound, is above `alpha`.
    pub(super) fn entry_beats(&self, alpha: Score) -> bool {
        self.entry.and_then(|entry| entry.known_score(self.ply)).is_some_and(|score| score > alpha)
    }
}

/// The stored score, if its bound is usable in this window: a lower bound that fails high, or an upper bound that does
/// not.
pub(super) fn usable_score(entry: Entry, window: Window, ply: usize) -> Option<Score> {
    let score = entry.score(ply);
    let fits = if window.fails_high(score) { entry.bound().is_lower() } else { entry.bound().is_upper() };
    fits.then_some(score)
}

/// The static evaluation or, where the table's bound is tighter, the table's score.
pub(super) fn refine(static_eval: Score, entry: Option<Entry>, ply: usize) -> Score {
    let Some(entry) = entry else { return static_eval };
    let score = entry.score(ply);
    let better = if score > static_eval { entry.bound().is_lower() } else { entry.bound().is_upper() };
    // A mate is for a search to prove, move by move.
    if better && !score.is_decisive() { score } else { static_eval }
}
