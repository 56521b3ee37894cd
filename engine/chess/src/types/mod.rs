//! Basic types: colours, pieces, squares, bitboards, castling rights, moves.
//!
//! Types that index tables are enums, so that the compiler can prove the index in range. Independent of positions and
//! rules.

mod bitboard;
mod castling;
mod moves;
mod piece;
mod square;

pub use bitboard::Bitboard;
pub use castling::{CastleSide, CastlingRights};
pub use moves::{Move, MoveKind, MoveList};
pub use piece::{Color, Piece, PieceKind};
pub use square::{File, Rank, Square};

/// Implements `by_index`, the value with an index that must be in range.
///
/// A `match` and not an array: the compiler sees that a value equals its index, and reads no memory.
macro_rules! impl_by_index {
    ($name:ident: $($variant:ident)*) => {
        impl $name {
            #[inline]
            #[allow(non_upper_case_globals, reason = "constants named for the values")]
            const fn by_index(index: usize) -> Self {
                $(const $variant: usize = $name::$variant as usize;)*
                match index {
                    $($variant => Self::$variant,)*
                    _ => unreachable!(),
                }
            }
        }
    };
}
use impl_by_index;
