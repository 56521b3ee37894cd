//! Basic types: colours, pieces, squares, bitboards, castling rights, moves.
//!
//! Types that index tables are enums, so that the compiler can prove the index in range. Independent of positions and
//! rules.

mod bitboard;
mod by_index;
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
