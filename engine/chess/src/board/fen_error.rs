//! Errors of FEN parsing.

use thiserror::Error;

use crate::types::{Color, Piece, Square};

/// The invalid field of a FEN and the reason.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    /// Fewer than four or more than six fields.
    #[error("FEN has {0} fields, expected 4 to 6 (pieces, side, castling, en passant, clocks)")]
    FieldCount(usize),
    /// The piece field does not have eight ranks.
    #[error("FEN pieces: {0} ranks, expected 8")]
    RankCount(usize),
    /// A rank does not have exactly eight squares.
    #[error("FEN pieces: rank {rank} has {squares} squares, expected 8")]
    RankLength {
        /// The rank, 1 to 8.
        rank: usize,
        /// Number of squares described.
        squares: usize,
    },
    /// A letter that is not a piece letter.
    #[error("FEN pieces: '{0}' is not a piece, expected one of PNBRQKpnbrqk or a digit 1 to 8")]
    UnknownPiece(char),
    /// A side does not have exactly one king.
    #[error("FEN pieces: {color} has {count} kings, expected 1")]
    Kings {
        /// The side.
        color: Color,
        /// Number of kings.
        count: u32,
    },
    /// A side has more pieces than eight promotions allow.
    #[error("FEN pieces: {color} has {pawns} pawns and {extra} extra pieces, more than 8 promotions allow")]
    TooManyPieces {
        /// The side.
        color: Color,
        /// Pawns on the board.
        pawns: u32,
        /// Pieces beyond the initial set.
        extra: u32,
    },
    /// A pawn on the first or last rank.
    #[error("FEN pieces: a pawn on {0}, expected no pawn on the first or last rank")]
    PawnOnLastRank(Square),
    /// Neither `w` nor `b`.
    #[error("FEN side to move: '{0}', expected w or b")]
    SideToMove(String),
    /// The side that is not to move is in check.
    #[error("FEN side to move: {0} is to move and could capture the king")]
    OpponentInCheck(Color),
    /// More checkers than a legal move can give.
    #[error("FEN pieces: {0} pieces give check at once, expected at most 2")]
    TooManyCheckers(u32),
    /// Letters that are not castling rights.
    #[error("FEN castling: '{0}', expected - or letters of KQkq or rook files")]
    CastlingText(String),
    /// A castling right without its king or rook on the required square.
    #[error("FEN castling: '{letter}' needs a {} on its castling square", words(*needed))]
    CastlingImpossible {
        /// The right as written.
        letter: char,
        /// The missing piece.
        needed: Piece,
    },
    /// Not a square.
    #[error("FEN en passant: '{0}', expected - or a square")]
    EnPassantText(String),
    /// No pawn can have just made a double push across this square.
    #[error("FEN en passant: no double push can have just crossed {0}")]
    EnPassantImpossible(Square),
    /// Not a whole number.
    #[error("FEN half-move clock: '{0}', expected a whole number")]
    HalfmoveClock(String),
    /// Not a whole number.
    #[error("FEN move number: '{0}', expected a whole number")]
    FullmoveNumber(String),
}

/// A piece in words: `white rook`.
fn words(piece: Piece) -> String {
    format!("{} {:?}", piece.color(), piece.kind()).to_lowercase()
}
