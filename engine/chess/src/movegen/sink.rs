//! Destinations of generated moves: a list or a counter.

use crate::types::{Bitboard, Move, MoveKind, MoveList, PieceKind, Square};

/// Receives moves as target sets, so that counting does not enumerate them.
pub(super) trait Sink {
    /// Moves of a piece other than a pawn from `source` to any of these squares.
    fn piece_moves(&mut self, source: Square, quiets: Bitboard, captures: Bitboard);
    /// Pawn moves of this kind to any of these squares; each source is its target minus `offset`.
    fn pawn_moves(&mut self, targets: Bitboard, offset: i32, kind: MoveKind);
    /// Promotions to all four kinds on any of these squares.
    fn promotions(&mut self, targets: Bitboard, offset: i32, promotion: fn(PieceKind) -> MoveKind);
    fn single(&mut self, mv: Move);
}

const PROMOTIONS: [PieceKind; 4] = [PieceKind::Queen, PieceKind::Knight, PieceKind::Rook, PieceKind::Bishop];

fn source_of(target: Square, offset: i32) -> Square {
    Square::from_index((target.index() as i32 - offset) as usize)
}

impl Sink for MoveList {
    #[inline]
    fn piece_moves(&mut self, source: Square, quiets: Bitboard, captures: Bitboard) {
        for target in captures {
            self.push(Move::new(source, target, MoveKind::Capture));
        }
        for target in quiets {
            self.push(Move::new(source, target, MoveKind::Quiet));
        }
    }

    #[inline]
    fn pawn_moves(&mut self, targets: Bitboard, offset: i32, kind: MoveKind) {
        for target in targets {
            self.push(Move::new(source_of(target, offset), target, kind));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, offset: i32, promotion: fn(PieceKind) -> MoveKind) {
        for target in targets {
            for kind in PROMOTIONS {
                self.push(Move::new(source_of(target, offset), target, promotion(kind)));
            }
        }
    }

    #[inline]
    fn single(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Counts moves without enumerating them.
#[derive(Default)]
pub(super) struct Count(pub(super) usize);

impl Sink for Count {
    #[inline]
    fn piece_moves(&mut self, _source: Square, quiets: Bitboard, captures: Bitboard) {
        self.0 += (quiets | captures).count() as usize;
    }

    #[inline]
    fn pawn_moves(&mut self, targets: Bitboard, _offset: i32, _kind: MoveKind) {
        self.0 += targets.count() as usize;
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _offset: i32, _promotion: fn(PieceKind) -> MoveKind) {
        self.0 += PROMOTIONS.len() * targets.count() as usize;
    }

    #[inline]
    fn single(&mut self, _mv: Move) {
        self.0 += 1;
    }
}
