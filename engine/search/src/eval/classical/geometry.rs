//! Squares as the evaluation sees them: ahead, behind, beside, near.

use alfiere_chess::types::{Bitboard, Color, File, Rank, Square};

/// The ranks in front of this one, as `color` goes.
#[inline]
pub(super) const fn ranks_ahead(rank: Rank, color: Color) -> Bitboard {
    let rank = rank as u32;
    match color {
        // Two shifts, because a shift by 64 bits would overflow.
        Color::White => Bitboard(u64::MAX << (8 * rank) << 8),
        Color::Black => Bitboard((1 << (8 * rank)) - 1),
    }
}

/// The squares of the same file in front of this one, as `color` goes.
#[inline]
pub(super) fn ahead(square: Square, color: Color) -> Bitboard {
    Bitboard::file(square.file()) & ranks_ahead(square.rank(), color)
}

/// The files beside this one.
#[inline]
pub(super) const fn neighbours(file: File) -> Bitboard {
    let file = Bitboard::file(file);
    Bitboard(file.east().0 | file.west().0)
}

/// The rank as `color` counts it, 0 to 7.
#[inline]
pub(super) fn relative_rank(square: Square, color: Color) -> usize {
    square.relative_to(color).rank().index()
}

/// Everything in front of these squares, as `color` goes.
#[inline]
pub(super) const fn front_fill(squares: Bitboard, color: Color) -> Bitboard {
    let mut filled = squares.0;
    match color {
        Color::White => {
            filled |= filled << 8;
            filled |= filled << 16;
            filled |= filled << 32;
            Bitboard(filled << 8)
        }
        Color::Black => {
            filled |= filled >> 8;
            filled |= filled >> 16;
            filled |= filled >> 32;
            Bitboard(filled >> 8)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ahead_is_where_pawns_go() {
        for square in Square::ALL {
            for color in Color::ALL {
                let mut walked = Bitboard::EMPTY;
                let mut step = Bitboard::from(square).forward(color);
                while step.is_some() {
                    walked |= step;
                    step = step.forward(color);
                }
                assert_eq!(ahead(square, color), walked, "{square} {color:?}");
                assert_eq!(front_fill(square.into(), color), walked, "{square} {color:?}");
            }
        }
    }
}
