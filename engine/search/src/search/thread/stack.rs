//! The search stack: what is kept about each ply of the current line, and the principal variation from each.

use alfiere_chess::types::{Move, Piece};

use crate::search::ordering::{ContinuationRow, CorrectionKeys, HistoryContext, PastMoves, PieceTo};
use crate::search::score::{MAX_PLY, Score};

/// Frames before the root, so that looking a few plies back needs no test.
const BEFORE_ROOT: usize = 6;
/// Frames after the deepest ply, so that looking ahead needs none either.
const AFTER_LAST: usize = 3;

/// One ply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// The corrected static evaluation; in check, that of two plies before.
    pub(crate) static_eval: Option<Score>,
    /// Whether the table knew the position.
    pub(crate) table_hit: bool,
    /// Whether the node is, or has been, on a principal variation.
    pub(crate) tt_pv: bool,
    /// Whether the moves so far are those of the last iteration's principal variation.
    pub(crate) follows_variation: bool,
    /// The move being searched from here.
    pub(crate) current: Option<Move>,
    /// The same with its piece.
    pub(crate) moved: PieceTo,
    pub(crate) captured: Option<Piece>,
    pub(crate) continuation: ContinuationRow,
    /// Its position in the move order, from 1; 0 before the moves are tried in order.
    pub(crate) number: usize,
    /// Its history; 0 for a null move.
    pub(crate) history: i32,
    /// The rows of correction history that apply to the position.
    pub(crate) correction_keys: CorrectionKeys,
    /// Plies by which the move being searched is reduced.
    pub(crate) reduction: i32,
    /// The move left out while its singularity is tested.
    pub(crate) excluded: Option<Move>,
    /// How many nodes at this ply have failed high since their grandparent began.
    pub(crate) cutoffs: u32,
}

impl Frame {
    const EMPTY: Self = Self {
        static_eval: None,
        table_hit: false,
        tt_pv: false,
        follows_variation: false,
        current: None,
        moved: PieceTo::NONE,
        captured: None,
        continuation: ContinuationRow::NONE,
        number: 0,
        history: 0,
        correction_keys: CorrectionKeys::EMPTY,
        reduction: 0,
        excluded: None,
        cutoffs: 0,
    };
}

/// The frames of a line, from a few plies before the root.
pub(crate) struct Frames(Box<[Frame]>);

impl Frames {
    pub(crate) fn new() -> Self {
        Self(vec![Frame::EMPTY; BEFORE_ROOT + MAX_PLY + AFTER_LAST].into_boxed_slice())
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(Frame::EMPTY);
    }

    pub(crate) fn at(&self, ply: usize) -> &Frame {
        &self.0[ply + BEFORE_ROOT]
    }

    pub(crate) fn at_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + BEFORE_ROOT]
    }

    /// The frame `back` plies before `ply`, `back` at most 6.
    pub(crate) fn before(&self, ply: usize, back: usize) -> &Frame {
        &self.0[ply + BEFORE_ROOT - back]
    }

    /// The moves before `ply` that continuation history uses.
    pub(crate) fn past(&self, ply: usize) -> PastMoves {
        [1, 2, 3, 4, 5, 6].map(|back| self.before(ply, back).continuation)
    }

    /// The history context of quiet moves at `ply`.
    pub(crate) fn context(&self, ply: usize) -> HistoryContext {
        HistoryContext { past: self.past(ply), ply }
    }

    /// The moves before `ply` that correction history uses.
    pub(crate) fn moves_to_correct(&self, ply: usize) -> [PieceTo; 3] {
        [1, 2, 4].map(|back| self.before(ply, back).moved)
    }
}

#[derive(Clone)]
struct Variation {
    moves: [Option<Move>; MAX_PLY + 1],
    length: usize,
}

/// The triangular table of variations.
pub(crate) struct Variations {
    lines: Vec<Variation>,
}

impl Variations {
    pub(crate) fn new() -> Self {
        Self { lines: vec![Variation { moves: [None; MAX_PLY + 1], length: 0 }; MAX_PLY + 2] }
    }

    pub(crate) fn clear(&mut self, ply: usize) {
        self.lines[ply].length = 0;
    }

    /// Sets the variation at `ply` to `mv` followed by the variation at `ply + 1`.
    pub(crate) fn extend(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let (line, rest) = (&mut above[ply], &below[0]);
        let length = rest.length.min(MAX_PLY);
        line.moves[0] = Some(mv);
        line.moves[1..=length].copy_from_slice(&rest.moves[..length]);
        line.length = length + 1;
    }

    pub(crate) fn line(&self, ply: usize) -> impl Iterator<Item = Move> + '_ {
        let line = &self.lines[ply];
        line.moves[..line.length].iter().flatten().copied()
    }
}
