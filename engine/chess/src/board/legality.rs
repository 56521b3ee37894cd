//! What a legal position must be, whether it is read from a FEN or made of pieces.

use super::{Board, FenError};
use crate::types::{Bitboard, Color, Piece, PieceKind, Rank, Square};

impl Board {
    /// The position of these pieces, each on a square of its own, without castling rights and en passant.
    ///
    /// # Errors
    /// If it is not legal.
    pub fn from_pieces(
        pieces: impl IntoIterator<Item = (Piece, Square)>,
        side_to_move: Color,
    ) -> Result<Self, FenError> {
        let mut board = Self::empty();
        for (piece, square) in pieces {
            board.put(piece, square);
        }
        board.check_pieces()?;
        board.set_side_to_move(side_to_move);
        board.refresh_checks_and_pins();
        board.check_checks()?;
        board.complete_key();
        Ok(board)
    }

    /// Checks that each side has one king, no pawn is on the first or last rank, and no side has more pieces than eight
    /// promotions allow.
    pub(super) fn check_pieces(&self) -> Result<(), FenError> {
        for color in Color::ALL {
            let count = |kind| self.colored(color, kind).count();
            let kings = count(PieceKind::King);
            if kings != 1 {
                return Err(FenError::Kings { color, count: kings });
            }
            let pawns = count(PieceKind::Pawn);
            let extra = count(PieceKind::Knight).saturating_sub(2)
                + count(PieceKind::Bishop).saturating_sub(2)
                + count(PieceKind::Rook).saturating_sub(2)
                + count(PieceKind::Queen).saturating_sub(1);
            if pawns + extra > 8 {
                return Err(FenError::TooManyPieces { color, pawns, extra });
            }
        }
        let last_ranks = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
        match (self.pieces(PieceKind::Pawn) & last_ranks).first() {
            Some(square) => Err(FenError::PawnOnLastRank(square)),
            None => Ok(()),
        }
    }

    /// Checks that the side not to move is not in check and that there are at most two checkers.
    pub(super) fn check_checks(&self) -> Result<(), FenError> {
        let us = self.side_to_move();
        if (self.attackers_to(self.king(!us), self.occupied()) & self.color(us)).is_some() {
            return Err(FenError::OpponentInCheck(us));
        }
        match self.checkers().count() {
            0..=2 => Ok(()),
            count => Err(FenError::TooManyCheckers(count)),
        }
    }

    /// Checks that an enemy pawn is in front of the en passant square and that this square and the pawn's source are
    /// empty.
    pub(super) fn check_en_passant(&self, passed: Square) -> Result<(), FenError> {
        let them = !self.side_to_move();
        let on = |rank: Rank| Square::new(passed.file(), rank.relative_to(them));
        let possible = passed.rank() == Rank::Third.relative_to(them)
            && self.piece_on(on(Rank::Fourth)) == Some(Piece::new(them, PieceKind::Pawn))
            && self.piece_on(passed).is_none()
            && self.piece_on(on(Rank::Second)).is_none();
        if possible { Ok(()) } else { Err(FenError::EnPassantImpossible(passed)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_alone_give_a_position_without_rights() {
        let board = Board::from_fen("r3k2r/8/8/3q4/8/8/8/R3K2R b - - 0 1").unwrap();
        let pieces = || board.occupied().into_iter().map(|square| (board.piece_on(square).unwrap(), square));
        assert_eq!(Board::from_pieces(pieces(), Color::Black).as_ref(), Ok(&board));
        let without_king = pieces().filter(|&(piece, _)| piece != Piece::WhiteKing);
        let color = Color::White;
        assert_eq!(Board::from_pieces(without_king, color).unwrap_err(), FenError::Kings { color, count: 0 });
        let in_check = pieces().chain([(Piece::WhiteQueen, Square::E5)]);
        assert_eq!(Board::from_pieces(in_check, color).unwrap_err(), FenError::OpponentInCheck(color));
    }
}
