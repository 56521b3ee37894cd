//! The search stack: what is kept about each ply of the current line.

use alfiere_chess::types::{Bitboard, Move};

use super::correction::CorrectionKeys;
use super::history::{HistoryContext, PastMoves, PieceTo};
use super::score::{MAX_PLY, Score};
use super::tunables::Tunables;

/// Frames before the root, so that looking a few plies back needs no test.
const BEFORE_ROOT: usize = 6;
/// Frames after the deepest ply, so that looking ahead needs none either.
const AFTER_LAST: usize = 3;

/// One ply.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The corrected static evaluation; none in check.
    pub(super) static_eval: Option<Score>,
    /// The move being searched from here.
    pub(super) current: Option<Move>,
    /// The same with its piece.
    pub(super) moved: PieceTo,
    /// Squares that the opponent attacks; known once moves are tried, or quiet moves judged.
    pub(super) threats: Bitboard,
    /// The rows of correction history that apply to the position.
    pub(super) correction_keys: CorrectionKeys,
    /// Plies by which the move being searched is reduced.
    pub(super) reduction: i32,
    /// The move left out while its singularity is tested.
    pub(super) excluded: Option<Move>,
    /// Killer moves: quiet moves that last failed high at this ply.
    pub(super) killers: [Option<Move>; 2],
    /// How many nodes at this ply have failed high since their grandparent began.
    pub(super) cutoffs: u32,
}

impl Frame {
    const EMPTY: Self = Self {
        static_eval: None,
        current: None,
        moved: PieceTo::NONE,
        threats: Bitboard::EMPTY,
        correction_keys: CorrectionKeys::EMPTY,
        reduction: 0,
        excluded: None,
        killers: [None; 2],
        cutoffs: 0,
    };

    /// The killers in use.
    pub(super) fn killers(&self, tunables: &Tunables) -> [Option<Move>; 2] {
        let [first, second] = self.killers;
        [first.filter(|_| tunables.killers() > 0), second.filter(|_| tunables.killers() > 1)]
    }

    /// Adds a killer.
    pub(super) fn add_killer(&mut self, mv: Move) {
        if self.killers[0] != Some(mv) {
            self.killers = [Some(mv), self.killers[0]];
        }
    }
}

/// The frames of a line, from a few plies before the root.
pub(super) struct Frames(Box<[Frame]>);

impl Frames {
    pub(super) fn new() -> Self {
        Self(vec![Frame::EMPTY; BEFORE_ROOT + MAX_PLY + AFTER_LAST].into_boxed_slice())
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(Frame::EMPTY);
    }

    pub(super) fn at(&self, ply: usize) -> &Frame {
        &self.0[ply + BEFORE_ROOT]
    }

    pub(super) fn at_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + BEFORE_ROOT]
    }

    /// The frame `back` plies before `ply`, `back` at most 6.
    pub(super) fn before(&self, ply: usize, back: usize) -> &Frame {
        &self.0[ply + BEFORE_ROOT - back]
    }

    /// The moves before `ply` that continuation history uses.
    pub(super) fn past(&self, ply: usize) -> PastMoves {
        [1, 2, 4, 6].map(|back| self.before(ply, back).moved)
    }

    /// The history context of quiet moves at `ply`.
    pub(super) fn context(&self, ply: usize) -> HistoryContext {
        HistoryContext { past: self.past(ply), threats: self.at(ply).threats }
    }

    /// The last two moves, the nearer first.
    pub(super) fn last_two(&self, ply: usize) -> [PieceTo; 2] {
        [1, 2].map(|back| self.before(ply, back).moved)
    }
}
