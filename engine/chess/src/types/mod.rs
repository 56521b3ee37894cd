//! The words of chess: colours, pieces, squares, sets of squares, castling rights, moves.
//!
//! Enums wherever a value indexes a table, so that the compiler proves the index. Knows no position and no rule.

mod bitboard;
mod castling;
mod color;
mod moves;
mod piece;
mod square;

pub use bitboard::Bitboard;
pub use castling::{CastleSide, CastlingRights};
pub use color::Color;
pub use moves::{Move, MoveKind, MoveList};
pub use piece::{Piece, PieceKind};
pub use square::{File, Rank, Square};
