//! A node of the tree: what is known about it and its moves (here), the main search as a list of steps (`alpha_beta`), and
//! each technique with its conditions and margins.

mod alpha_beta;
mod draws;
mod evaluation;
mod history_updates;
mod pruning;
mod quiescence;
mod reductions;

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;

use crate::search::ordering::QuietHistory;
use crate::search::score::{Depth, Score, Window};
use crate::search::table::Entry;
use crate::search::tunables;

pub(crate) use draws::is_draw;

/// The node type that the search expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NodeType {
    /// On the principal variation: its window is open.
    Pv,
    /// Some move is expected to fail high.
    Cut,
    /// No move is expected to raise alpha.
    All,
}

impl NodeType {
    pub(crate) fn is_pv(self) -> bool {
        self == Self::Pv
    }

    /// The type of a child that is searched with a null window.
    fn child(self) -> Self {
        match self {
            Self::Cut => Self::All,
            Self::Pv | Self::All => Self::Cut,
        }
    }
}

/// A node, as far as the steps of the search know it.
#[allow(clippy::struct_excessive_bools, reason = "facts that do not depend on one another")]
struct Node<'a> {
    board: &'a Board,
    ply: usize,
    kind: NodeType,
    /// Alpha rises with the best move.
    window: Window,
    /// Plies left; steps and moves change them.
    depth: Depth,
    /// The move left out while its singularity is tested.
    excluded: Option<Move>,
    /// The transposition table's entry.
    entry: Option<Entry>,
    /// The move from the transposition table, legal here; at the root, the first root move.
    hash_move: Option<Move>,
    /// Whether the node is, or has been, on a principal variation.
    tt_pv: bool,
    /// Whether the line to here is the beginning of the last iteration's principal variation.
    follows_variation: bool,
    /// The static evaluation as the table keeps it; none in check.
    raw_eval: Option<Score>,
    /// The same with its corrections.
    static_eval: Option<Score>,
    /// The static evaluation or, if it is a tighter bound, the score of the table entry.
    estimate: Score,
    /// Centipawns by which correction history changes the evaluation.
    correction: i32,
    /// Whether the static evaluation has risen since the side to move's last turn.
    rising: bool,
    /// The same, or whether it is above beta anyway.
    improving: bool,
}

impl Node<'_> {
    fn is_root(&self) -> bool {
        self.ply == 0
    }

    /// Whether the stored score, whatever its bound, is above alpha.
    fn entry_beats_alpha(&self) -> bool {
        self.entry.and_then(|entry| entry.known_score(self.ply)).is_some_and(|score| score > self.window.alpha)
    }
}

/// A move of a node.
struct Candidate {
    mv: Move,
    /// The move count: its position in the move order, from 1.
    number: usize,
    gives_check: bool,
    history: MoveHistory,
    /// The base reduction, in 1024ths of a ply.
    base_reduction: i32,
}

/// How a move has done before.
#[derive(Clone, Copy)]
enum MoveHistory {
    Quiet(QuietHistory),
    /// A capture or promotion: its history, and the material that it gains, in centipawns.
    Noisy {
        history: i32,
        gain: i32,
    },
}

impl MoveHistory {
    /// The sum that reductions use.
    fn sum(self) -> i32 {
        match self {
            Self::Quiet(history) => 2 * history.butterfly + history.continuation,
            Self::Noisy { history, gain } => history + gain * tunables::reduction_gain(),
        }
    }
}

impl Candidate {
    /// The depth to which a late move reduction would search it if only the base reduction counted.
    fn reduced_depth(&self, node: &Node<'_>) -> i32 {
        node.depth.get() - 1 - self.base_reduction / 1024
    }
}

/// A move that is not searched.
struct Pruned {
    /// What it may reach at most, if that is known.
    reachable: Option<Score>,
}

impl Pruned {
    fn when(pruned: bool) -> Option<Self> {
        pruned.then_some(Self { reachable: None })
    }
}

/// The stored score, if its bound is usable in this window: a lower bound that fails high, or an upper bound that does
/// not.
fn usable_score(entry: Entry, window: Window, ply: usize) -> Option<Score> {
    let score = entry.score(ply);
    let fits = if window.fails_high(score) { entry.bound().is_lower() } else { entry.bound().is_upper() };
    fits.then_some(score)
}

/// The static evaluation or, where the table's bound is tighter, the table's score.
fn refine(static_eval: Score, entry: Option<Entry>, ply: usize) -> Score {
    let Some(entry) = entry else { return static_eval };
    let score = entry.score(ply);
    let better = if score > static_eval { entry.bound().is_lower() } else { entry.bound().is_upper() };
    // A mate is for a search to prove, move by move.
    if better && !score.is_decisive() { score } else { static_eval }
}

/// Static exchange to evaluation: its centipawns in those of the evaluation, which values a pawn at less than 100.
fn eval_of_material(material: i32) -> i32 {
    material * tunables::material_worth() / 64
}

/// Evaluation to static exchange: the inverse of [`eval_of_material`].
fn material_of_eval(eval: i32) -> i32 {
    eval * 64 / tunables::material_worth()
}
