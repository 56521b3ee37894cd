//! A position as the first layer sees it, to be compared with others.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Bitboard, Color, PieceKind, Square};
use arrayvec::ArrayVec;

use crate::shape::inputs::Inputs;
use crate::shape::relations::{Relations, state};

/// The pieces of a position and, where inputs depend on them, their states.
///
/// A piece has a code of eight bits: three for its kind, one for its colour, two each for the classes of what attacks and
/// defends it. Each bit is a bitboard, so that all squares of two positions are compared at once.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Snapshot {
    occupied: Bitboard,
    bits: [Bitboard; 8],
}

/// The pieces in which a position differs from an earlier one.
pub(crate) struct Change {
    pub(crate) added: ArrayVec<StatedPiece, 32>,
    pub(crate) removed: ArrayVec<StatedPiece, 32>,
}

/// A piece, with its state, on a square.
#[derive(Clone, Copy)]
pub(crate) struct StatedPiece {
    code: usize,
    pub(crate) square: Square,
}

impl Snapshot {
    pub(crate) fn new(board: &Board, inputs: &Inputs) -> Self {
        let [_, knights, bishops, rooks, queens, kings] = PieceKind::ALL.map(|kind| board.pieces(kind));
        let kind = [knights | rooks | kings, bishops | rooks, queens | kings];
        let Relations { attackers, defenders } = Relations::on(board, inputs);
        let bits = [
            kind[0],
            kind[1],
            kind[2],
            board.color(Color::Black),
            attackers[0],
            attackers[1],
            defenders[0],
            defenders[1],
        ];
        Self { occupied: board.occupied(), bits }
    }

    pub(crate) fn piece_count(&self) -> usize {
        self.occupied.count() as usize
    }

    #[inline]
    pub(crate) fn change_from(&self, before: &Self) -> Change {
        let bits = self.bits.iter().zip(&before.bits);
        let differing = bits.fold(self.occupied ^ before.occupied, |all, (&now, &before)| all | (now ^ before));
        Change { added: self.pieces(differing), removed: before.pieces(differing) }
    }

    #[inline]
    fn pieces(&self, squares: Bitboard) -> ArrayVec<StatedPiece, 32> {
        let code = |square: Square| {
            let bits = self.bits.iter().enumerate();
            bits.fold(0, |code, (place, bit)| code | ((bit.0 >> square.index()) as usize & 1) << place)
        };
        (self.occupied & squares).into_iter().map(|square| StatedPiece { code: code(square), square }).collect()
    }
}

impl Change {
    /// Rows that the change adds or removes.
    pub(crate) fn len(&self) -> usize {
        self.added.len() + self.removed.len()
    }
}

impl StatedPiece {
    /// The index of its [`PieceKind`].
    #[inline]
    pub(crate) const fn kind(self) -> usize {
        self.code & 7
    }

    #[inline]
    pub(crate) const fn is_black(self) -> usize {
        self.code >> 3 & 1
    }

    #[inline]
    pub(crate) const fn state(self) -> usize {
        state(self.code >> 4 & 3, self.code >> 6)
    }
}
