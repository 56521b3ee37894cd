//! Bishops, rooks and queens: one look-up by what stands on the lines of the square.
//!
//! The build script fills one table with the attack set of every square and every arrangement of blockers (841 KB). Where
//! the processor that the build is for has BMI2, an arrangement's place in it is found by `PEXT`, otherwise by
//! multiplication with a "magic" number.

use crate::types::{Bitboard, Square};

/// How the attack sets of one square are found.
struct Slider {
    /// The squares whose occupation matters: the lines of the square without their last squares.
    mask: u64,
    /// Spreads the masked occupation into the top bits of a product.
    #[cfg_attr(target_feature = "bmi2", allow(dead_code, reason = "PEXT needs no magic number"))]
    magic: u64,
    /// 64 less the number of bits in the mask.
    #[cfg_attr(target_feature = "bmi2", allow(dead_code, reason = "PEXT needs no shift"))]
    shift: u32,
    /// Where the square's sets begin in the table.
    offset: u32,
}

include!(concat!(env!("OUT_DIR"), "/sliders.rs"));

impl Slider {
    fn attacks(&self, occupied: Bitboard) -> Bitboard {
        Bitboard(SLIDER_ATTACKS[self.offset as usize + self.index(occupied.0)])
    }

    #[cfg(target_feature = "bmi2")]
    fn index(&self, occupied: u64) -> usize {
        super::pext::pext(occupied, self.mask) as usize
    }

    #[cfg(not(target_feature = "bmi2"))]
    fn index(&self, occupied: u64) -> usize {
        ((occupied & self.mask).wrapping_mul(self.magic) >> self.shift) as usize
    }
}

/// What a bishop on `square` attacks when these squares are occupied.
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOPS[square.index()].attacks(occupied)
}

/// What a rook on `square` attacks when these squares are occupied.
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    ROOKS[square.index()].attacks(occupied)
}

/// What a queen on `square` attacks when these squares are occupied.
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    bishop_attacks(square, occupied) | rook_attacks(square, occupied)
}

/// The diagonals through `square`, as on an empty board.
pub fn bishop_rays(square: Square) -> Bitboard {
    Bitboard(BISHOP_RAYS[square.index()])
}

/// The rank and file through `square`, as on an empty board.
pub fn rook_rays(square: Square) -> Bitboard {
    Bitboard(ROOK_RAYS[square.index()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{File, Rank};

    fn walk(square: Square, occupied: Bitboard, steps: [(i32, i32); 4]) -> Bitboard {
        let mut attacks = Bitboard::EMPTY;
        for (files, ranks) in steps {
            let (mut file, mut rank) = (square.file() as i32 + files, square.rank() as i32 + ranks);
            while (0..8).contains(&file) && (0..8).contains(&rank) {
                let target = Square::new(File::ALL[file as usize], Rank::ALL[rank as usize]);
                attacks = attacks.with(target);
                if occupied.contains(target) {
                    break;
                }
                file += files;
                rank += ranks;
            }
        }
        attacks
    }

    #[test]
    fn tables_equal_a_walk_along_the_lines() {
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        for round in 0..2_000 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let occupied = Bitboard(if round % 2 == 0 { seed } else { seed & seed.rotate_left(23) });
            for square in Square::ALL {
                assert_eq!(
                    bishop_attacks(square, occupied),
                    walk(square, occupied, [(1, 1), (1, -1), (-1, -1), (-1, 1)])
                );
                assert_eq!(rook_attacks(square, occupied), walk(square, occupied, [(1, 0), (0, -1), (-1, 0), (0, 1)]));
            }
        }
    }
}
