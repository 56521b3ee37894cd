//! Which squares a piece attacks: leapers and rays from `const` tables, sliders from tables made by the build script.

mod leapers;
#[cfg(target_feature = "bmi2")]
mod pext;
mod rays;
mod sliders;

pub use leapers::{king_attacks, knight_attacks, knight_attacks_of_all, pawn_attacks, pawn_attacks_of_all};
pub use rays::{between, line};
pub use sliders::{bishop_attacks, bishop_rays, queen_attacks, rook_attacks, rook_rays};

use crate::types::{Bitboard, PieceKind, Square};

/// What a knight, bishop, rook, queen or king on `square` attacks; nothing for a pawn, whose attacks need a colour.
pub fn piece_attacks(kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => Bitboard::EMPTY,
        PieceKind::Knight => knight_attacks(square),
        PieceKind::Bishop => bishop_attacks(square, occupied),
        PieceKind::Rook => rook_attacks(square, occupied),
        PieceKind::Queen => queen_attacks(square, occupied),
        PieceKind::King => king_attacks(square),
    }
}
