//! Why a FEN is refused.

use thiserror::Error;

use crate::types::{Color, Piece, Square};

/// The field of a FEN that is wrong, and what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    /// Fewer than four or more than six fields.
    #[error("FEN has {0} fields, expected 4 to 6 (pieces, side, castling, en passant, clocks)")]
    FieldCount(usize),
    /// Not eight ranks.
    #[error("FEN pieces: {0} ranks, expected 8")]
    RankCount(usize),
    /// A rank without exactly eight squares.
    #[error("FEN pieces: rank {rank} has {squares} squares, expected 8")]
    RankLength {
        /// 8 to 1.
        rank: usize,
        /// Squares described.
        squares: usize,
    },
    /// A letter that names no piece.
    #[error("FEN pieces: '{0}' is no piece, expected one of PNBRQKpnbrqk or a digit 1 to 8")]
    UnknownPiece(char),
    /// A side without exactly one king.
    #[error("FEN pieces: {color:?} has {count} kings, expected 1")]
    Kings {
        /// Whose.
        color: Color,
        /// How many.
        count: u32,
    },
    /// More men than a side can have.
    #[error("FEN pieces: {color:?} has {pawns} pawns and {extra} promoted pieces, more than 8 pawns can become")]
    TooManyPieces {
        /// Whose.
        color: Color,
        /// Pawns on the board.
        pawns: u32,
        /// Pieces beyond the initial set.
        extra: u32,
    },
    /// A pawn where none can stand.
    #[error("FEN pieces: a pawn on {0}, where none can stand")]
    PawnOnLastRank(Square),
    /// Neither `w` nor `b`.
    #[error("FEN side to move: '{0}', expected w or b")]
    SideToMove(String),
    /// The king of the side that has just moved can be taken.
    #[error("FEN side to move: {0:?} is to move and could take the king")]
    OpponentInCheck(Color),
    /// More checkers than one move can bring.
    #[error("FEN pieces: {0} pieces give check at once, at most 2 can")]
    TooManyCheckers(u32),
    /// Letters that name no right.
    #[error("FEN castling: '{0}', expected - or letters of KQkq or rook files")]
    CastlingText(String),
    /// A right without its king or rook at home.
    #[error("FEN castling: '{letter}' needs {needed:?} on its first rank at the right place")]
    CastlingImpossible {
        /// The right as written.
        letter: char,
        /// The piece that is not there.
        needed: Piece,
    },
    /// Not a square.
    #[error("FEN en passant: '{0}', expected - or a square")]
    EnPassantText(String),
    /// No pawn can have just passed it.
    #[error("FEN en passant: no pawn can have just passed {0}")]
    EnPassantImpossible(Square),
    /// Not a whole number.
    #[error("FEN half-move clock: '{0}', expected a whole number")]
    HalfmoveClock(String),
    /// Not a whole number.
    #[error("FEN move number: '{0}', expected a whole number")]
    FullmoveNumber(String),
}
