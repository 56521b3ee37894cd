//! Attacks of bishops, rooks and queens: one table lookup by the blockers on the lines of the square.
//!
//! The build script generates one table with the attack set of every square and blocker arrangement (841 KB). The index
//! into it is computed by `PEXT` if the build target has BMI2, otherwise by a magic multiplication.

use crate::types::{Bitboard, Square};

/// Lookup data for the attack sets of one square.
struct Slider {
    /// The relevant occupancy: the lines of the square without their last squares.
    mask: u64,
    /// Magic number: maps the masked occupancy to the top bits of the product.
    #[cfg_attr(target_feature = "bmi2", allow(dead_code, reason = "PEXT needs no magic number"))]
    magic: u64,
    /// 64 minus the number of bits in the mask.
    #[cfg_attr(target_feature = "bmi2", allow(dead_code, reason = "PEXT needs no shift"))]
    shift: u32,
    /// Index of the square's first attack set in the table.
    offset: u32,
}

include!(concat!(env!("OUT_DIR"), "/sliders.rs"));

impl Slider {
    #[inline]
    fn attacks(&self, occupied: Bitboard) -> Bitboard {
        Bitboard(SLIDER_ATTACKS[self.offset as usize + self.index(occupied.0)])
    }

    #[cfg(target_feature = "bmi2")]
    #[inline]
    fn index(&self, occupied: u64) -> usize {
        pext(occupied, self.mask) as usize
    }

    #[cfg(not(target_feature = "bmi2"))]
    #[inline]
    fn index(&self, occupied: u64) -> usize {
        ((occupied & self.mask).wrapping_mul(self.magic) >> self.shift) as usize
    }
}

#[inline]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOPS[square.index()].attacks(occupied)
}

#[inline]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    ROOKS[square.index()].attacks(occupied)
}

#[inline]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    bishop_attacks(square, occupied) | rook_attacks(square, occupied)
}

/// The attacks of a bishop on `square` on an empty board.
#[inline]
pub fn bishop_rays(square: Square) -> Bitboard {
    Bitboard(BISHOP_RAYS[square.index()])
}

/// The attacks of a rook on `square` on an empty board.
#[inline]
pub fn rook_rays(square: Square) -> Bitboard {
    Bitboard(ROOK_RAYS[square.index()])
}

/// The BMI2 instruction `PEXT`: extracts the bits of `value` selected by `mask` into the low bits of the result.
#[cfg(target_feature = "bmi2")]
#[allow(unsafe_code, reason = "a processor intrinsic, as in the network's kernels")]
#[inline]
fn pext(value: u64, mask: u64) -> u64 {
    // SAFETY: compiled only if the build target has BMI2.
    unsafe { std::arch::x86_64::_pext_u64(value, mask) }
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
    fn tables_match_square_by_square_attacks() {
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
