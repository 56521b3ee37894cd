//! What a move changes on the board, as the accumulators need it.

use alfiere_chess::board::{Board, BoardObserver};
use alfiere_chess::types::{Move, Piece, Square};
use arrayvec::ArrayVec;

/// The most pieces a move adds, and the most it removes (castling does both).
const MAX_CHANGES: usize = 2;

/// The pieces that one move adds to and removes from the board; empty for a null move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Delta {
    pub(super) added: ArrayVec<(Piece, Square), MAX_CHANGES>,
    pub(super) removed: ArrayVec<(Piece, Square), MAX_CHANGES>,
}

impl Delta {
    /// Plays a legal move and returns what it changed.
    #[inline]
    pub fn of_played(board: &mut Board, mv: Move) -> Self {
        let mut delta = Self::default();
        board.play_observed(mv, &mut delta);
        delta
    }

    /// Rows that the move adds or removes.
    pub(super) fn len(&self) -> usize {
        self.added.len() + self.removed.len()
    }
}

/// Collects one move: make a new one for each.
impl BoardObserver for Delta {
    fn piece_added(&mut self, piece: Piece, square: Square) {
        // No move adds more than two pieces; a third would be a delta used for two moves.
        self.added.push((piece, square));
    }

    fn piece_removed(&mut self, piece: Piece, square: Square) {
        self.removed.push((piece, square));
    }
}
