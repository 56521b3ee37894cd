//! The facts about a node and about each of its moves, which pruning, extensions and reductions use.

use alfiere_chess::board::Board;
use alfiere_chess::movegen::is_legal;
use alfiere_chess::types::Move;

use crate::eval::Evaluator;
use crate::search::ordering::QuietHistory;
use crate::search::score::{Depth, Score, Window};
use crate::search::table::Entry;
use crate::search::thread::Worker;
use crate::search::tunables::Tunables;

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

    /// Whether the node is on a principal variation, or has been by its table entry.
    pub(crate) fn tt_pv(self, entry: Option<Entry>) -> bool {
        self.is_pv() || entry.is_some_and(Entry::tt_pv)
    }

    /// The type of a child that is searched with a null window.
    pub(crate) fn child(self) -> Self {
        match self {
            Self::Cut => Self::All,
            Self::Pv | Self::All => Self::Cut,
        }
    }
}

/// The facts about a node.
#[derive(Clone, Copy)]
pub(crate) struct Node<'a> {
    pub(crate) board: &'a Board,
    pub(crate) window: Window,
    pub(crate) depth: Depth,
    pub(crate) ply: usize,
    pub(crate) kind: NodeType,
    /// The transposition table's entry.
    pub(crate) entry: Option<Entry>,
    /// The move from the transposition table, legal here; at the root, the first root move.
    pub(crate) hash_move: Option<Move>,
    /// The static evaluation as the table keeps it; none in check.
    pub(crate) raw_eval: Option<Score>,
    /// The same with its corrections.
    pub(crate) static_eval: Option<Score>,
    /// The static evaluation or, if it is a tighter bound, the score of the table entry.
    pub(crate) estimate: Score,
    /// Centipawns by which correction history changes the evaluation.
    pub(crate) correction: i32,
    /// Whether the static evaluation has risen since the side to move's last turn.
    pub(crate) rising: bool,
    /// The same, or whether it is above beta anyway.
    pub(crate) improving: bool,
    /// Whether the node is, or has been, on a principal variation.
    pub(crate) tt_pv: bool,
}

impl Node<'_> {
    /// Whether the stored score, whatever its bound, is above `alpha`.
    pub(crate) fn entry_beats(&self, alpha: Score) -> bool {
        self.entry.and_then(|entry| entry.known_score(self.ply)).is_some_and(|score| score > alpha)
    }
}

/// A move of a node.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    /// The move count: its position in the move order, from 1.
    pub(crate) number: usize,
    pub(crate) gives_check: bool,
    pub(crate) history: MoveHistory,
    /// Plies left at the node.
    pub(crate) depth: Depth,
    /// Alpha when the move is tried.
    pub(crate) alpha: Score,
    /// The base reduction, in 1024ths of a ply.
    pub(crate) base_reduction: i32,
}

/// How a move has done before.
#[derive(Clone, Copy)]
pub(crate) enum MoveHistory {
    Quiet(QuietHistory),
    /// A capture or promotion: its history, and the material that it gains, in centipawns.
    Noisy {
        history: i32,
        gain: i32,
    },
}

impl MoveHistory {
    /// The sum that reductions use.
    pub(crate) fn sum(self, tunables: &Tunables) -> i32 {
        match self {
            Self::Quiet(history) => 2 * history.butterfly + history.continuation,
            Self::Noisy { history, gain } => history + gain * tunables.reduction_gain(),
        }
    }
}

impl Candidate {
    /// The depth to which a late move reduction would search it if only the base reduction counted.
    pub(crate) fn reduced_depth(&self) -> i32 {
        self.depth.get() - 1 - self.base_reduction / 1024
    }
}

/// The stored score, if its bound is usable in this window: a lower bound that fails high, or an upper bound that does
/// not.
pub(crate) fn usable_score(entry: Entry, window: Window, ply: usize) -> Option<Score> {
    let score = entry.score(ply);
    let fits = if window.fails_high(score) { entry.bound().is_lower() } else { entry.bound().is_upper() };
    fits.then_some(score)
}

/// The static evaluation or, where the table's bound is tighter, the table's score.
pub(crate) fn refine(static_eval: Score, entry: Option<Entry>, ply: usize) -> Score {
    let Some(entry) = entry else { return static_eval };
    let score = entry.score(ply);
    let better = if score > static_eval { entry.bound().is_lower() } else { entry.bound().is_upper() };
    // A mate is for a search to prove, move by move.
    if better && !score.is_decisive() { score } else { static_eval }
}

impl<E: Evaluator> Worker<'_, E> {
    /// Looks the position up, evaluates it, and starts its frame; the evaluation may change the depth by a ply.
    pub(crate) fn facts<'b>(
        &mut self,
        board: &'b Board,
        window: Window,
        mut depth: Depth,
        ply: usize,
        kind: NodeType,
    ) -> Node<'b> {
        let (root, in_check) = (ply == 0, board.in_check());
        let is_singularity_test = self.frames.at(ply).excluded.is_some();

        // Transposition table.
        let entry = self.probe(board);
        let hash_move = if root {
            self.root.leader().map(|leader| leader.mv)
        } else {
            entry.and_then(Entry::mv).filter(|&mv| is_legal(board, mv))
        };
        // A singularity test is a search of the same node, and keeps its mark.
        let tt_pv = if is_singularity_test { self.frames.at(ply).tt_pv } else { kind.tt_pv(entry) };

        // Static evaluation, from the table if it is stored there.
        let raw_eval = match entry.and_then(Entry::static_eval) {
            _ if in_check => None,
            Some(stored) => Some(stored),
            None => Some(self.evaluate(board)),
        };
        let correction = if in_check { 0 } else { self.correction(ply) };
        let static_eval = raw_eval.map(|raw| self.corrected(board, raw, ply, correction));
        let rising = self.is_rising(static_eval, ply);

        // In check, the evaluation of the last turn stands in for this one's.
        let earlier_eval = self.frames.before(ply, 2).static_eval;
        let follows_variation = self.follows_variation(ply);
        let frame = self.frames.at_mut(ply);
        frame.static_eval = static_eval.or(earlier_eval);
        frame.table_hit = entry.is_some();
        frame.tt_pv = tt_pv;
        frame.follows_variation = follows_variation;
        frame.number = 0;
        frame.history = 0;
        self.frames.at_mut(ply + 2).cutoffs = 0;

        // Hindsight: corrects the reduction of the move before by its effect on the evaluation.
        if !root && !is_singularity_test {
            depth += self.hindsight(static_eval, depth, ply);
        }
        Node {
            board,
            window,
            depth,
            ply,
            kind,
            entry,
            hash_move,
            raw_eval,
            static_eval,
            estimate: static_eval.map_or(Score::DRAW, |eval| refine(eval, entry, ply)),
            correction: correction.abs(),
            rising,
            improving: rising || static_eval.is_some_and(|eval| eval >= window.beta),
            tt_pv,
        }
    }

    /// Whether the line to `ply` is the beginning of the last iteration's principal variation.
    fn follows_variation(&self, ply: usize) -> bool {
        let before = self.frames.before(ply, 1);
        ply == 0
            || before.follows_variation
                && before.current.is_some()
                && before.current == self.expected.get(ply - 1).copied()
    }
}

/// A move that is not searched.
pub(crate) struct Pruned {
    /// What it may reach at most, if that is known.
    pub(crate) reachable: Option<Score>,
}

impl Pruned {
    pub(crate) fn when(pruned: bool) -> Option<Self> {
        pruned.then_some(Self { reachable: None })
    }
}
