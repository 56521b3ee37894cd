//! Draws by insufficient material.

use super::Board;
use crate::types::{Bitboard, PieceKind};

impl Board {
    /// Whether checkmate is impossible: kings alone, one minor piece, or only bishops on squares of one colour.
    pub fn has_insufficient_material(&self) -> bool {
        let mating = self.pieces(PieceKind::Pawn) | self.pieces(PieceKind::Rook) | self.pieces(PieceKind::Queen);
        if mating.is_some() {
            return false;
        }
        let bishops = self.pieces(PieceKind::Bishop);
        if self.pieces(PieceKind::Knight).is_some() {
            return self.occupied().count() == 3;
        }
        let dark = bishops & Bitboard::DARK_SQUARES;
        dark.is_empty() || dark == bishops
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insufficient_material_is_detected() {
        for (fen, dead) in [
            ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", true),
            ("8/8/4k3/8/8/3KB3/8/8 w - - 0 1", true),
            ("8/8/4k3/8/8/3KN3/8/8 w - - 0 1", true),
            ("8/2b5/4k3/8/8/3KB3/8/8 w - - 0 1", true),
            ("8/3b4/4k3/8/8/3KB3/8/8 w - - 0 1", false),
            ("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1", false),
            ("8/3n4/4k3/8/8/3KB3/8/8 w - - 0 1", false),
            ("8/8/4k3/8/8/3KP3/8/8 w - - 0 1", false),
            ("8/8/4k3/8/8/3K1R2/8/8 w - - 0 1", false),
        ] {
            let board = Board::from_fen(fen).unwrap();
            assert_eq!(board.has_insufficient_material(), dead, "{fen}");
        }
    }
}
