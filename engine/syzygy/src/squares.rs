//! Square indices: binomial coefficients, king pairs and pawn squares.
//!
//! All tables are computed at compile time. Squares are 0 (a1) to 63 (h8).

/// The number of non-adjacent king pairs, up to symmetry.
pub(super) const KING_PAIRS: u64 = 462;
/// The number of placements of three different pieces, up to symmetry.
pub(super) const TRIPLES: u64 = 31_332;

/// The binomial coefficient of `n` (at most 63) over `k` (at most 6).
pub(super) const fn choose(k: usize, n: usize) -> u64 {
    CHOOSE[k][n]
}

const CHOOSE: [[u64; 64]; 7] = {
    let mut table = [[0; 64]; 7];
    let mut n = 0;
    while n < 64 {
        table[0][n] = 1;
        let mut k = 1;
        while k < 7 && n > 0 {
            table[k][n] = table[k][n - 1] + table[k - 1][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Positive above the diagonal a1-h8, zero on it, negative below.
pub(super) const fn off_diagonal(square: usize) -> i32 {
    (square / 8) as i32 - (square % 8) as i32
}

/// The square mirrored at the diagonal a1-h8.
pub(super) const fn transposed(square: usize) -> usize {
    square % 8 * 8 + square / 8
}

/// The index of a square in the triangle a1-d1-d4: first the six below the diagonal, then the four on it.
pub(super) const fn triangle(square: usize) -> usize {
    let (file, rank) = (square % 8, square / 8);
    if file == rank { 6 + file } else { below_diagonal_of(4, file, rank) }
}

/// The index of one of the 28 squares below the diagonal, rank by rank.
pub(super) const fn below_diagonal(square: usize) -> usize {
    below_diagonal_of(8, square % 8, square / 8)
}

/// The index of a square below the diagonal of a board with this number of files.
const fn below_diagonal_of(files: usize, file: usize, rank: usize) -> usize {
    // Each rank has one square fewer than the previous one: the sum over lower ranks, plus the offset in the rank.
    rank * (2 * files - 1 - rank) / 2 + file - rank - 1
}

/// The index of a king pair: the first in the triangle, the second anywhere (on or below the diagonal if the first is
/// on it). Impossible pairs have an index out of range.
pub(super) const fn king_pair(first: usize, second: usize) -> u64 {
    KINGS[triangle(first)][second] as u64
}

const KINGS: [[u16; 64]; 10] = {
    let mut table = [[u16::MAX; 64]; 10];
    let mut next = 0;
    // First the pairs with a king off the diagonal, then those with both kings on it.
    let mut diagonal = false;
    loop {
        let mut slot = 0;
        while slot < 10 {
            let king = TRIANGLE_SQUARES[slot];
            let mut square = 0;
            while square < 64 {
                let is_included = if diagonal {
                    slot >= 6 && off_diagonal(square) == 0
                } else {
                    slot < 6 || off_diagonal(square) < 0
                };
                if is_included && !are_adjacent(king, square) {
                    table[slot][square] = next;
                    next += 1;
                }
                square += 1;
            }
            slot += 1;
        }
        if diagonal {
            break;
        }
        diagonal = true;
    }
    assert!(next as u64 == KING_PAIRS);
    table
};

const TRIANGLE_SQUARES: [usize; 10] = {
    let mut squares = [0; 10];
    let mut square = 0;
    while square < 28 {
        if square % 8 < 4 && off_diagonal(square) <= 0 {
            squares[triangle(square)] = square;
        }
        square += 1;
    }
    squares
};

const fn are_adjacent(a: usize, b: usize) -> bool {
    (a % 8).abs_diff(b % 8) <= 1 && (a / 8).abs_diff(b / 8) <= 1
}

/// The file of a pawn, folded: 0 for a and h, 3 for d and e.
pub(super) const fn folded_file(square: usize) -> usize {
    let file = square % 8;
    if file < 4 { file } else { 7 - file }
}

/// The order of leading pawns: the pawn with the lowest number leads, by file and then by rank.
pub(super) const fn pawn_order(square: usize) -> usize {
    6 * folded_file(square) + square / 8 - 1
}

/// The index of a non-leading pawn: from 47 on the a-file downwards, so that the squares allowed behind a leading pawn
/// have the lowest indices.
pub(super) const fn pawn_square_index(square: usize) -> usize {
    47 - 12 * folded_file(square) - 2 * (square / 8 - 1) - (square % 8 > 3) as usize
}

/// The number of placements of `pawns` (1 to 6) pawns on this file whose leading pawn comes before this order.
pub(super) const fn pawns_before(pawns: usize, order: usize) -> u64 {
    PAWNS.0[pawns - 1][order]
}

/// The number of placements of `pawns` (1 to 6) pawns whose leading pawn is on this folded file.
pub(super) const fn pawns_on_file(pawns: usize, file: usize) -> u64 {
    PAWNS.1[pawns - 1][file]
}

const PAWNS: ([[u64; 24]; 6], [[u64; 4]; 6]) = {
    let mut before = [[0; 24]; 6];
    let mut totals = [[0; 4]; 6];
    let mut others = 0;
    while others < 6 {
        let mut order = 0;
        while order < 24 {
            let (file, rank) = (order / 6, 1 + order % 6);
            before[others][order] = totals[others][file];
            totals[others][file] += choose(others, pawn_square_index(8 * rank + file));
            order += 1;
        }
        others += 1;
    }
    (before, totals)
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_match_the_format() {
        // b1, c1, d1, c2, d2, d3, then the diagonal.
        assert_eq!([1, 2, 3, 10, 11, 19, 0, 9, 18, 27].map(triangle), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!([1, 7, 10, 15, 19, 62 - 1, 62].map(off_diagonal).map(i32::signum), [-1, -1, -1, -1, -1, 1, 1]);
        assert_eq!([1, 7, 10, 15, 19, 55].map(below_diagonal), [0, 6, 7, 12, 13, 27]);
        assert_eq!(
            [king_pair(1, 3), king_pair(1, 63), king_pair(0, 2), king_pair(0, 18), king_pair(27, 63)],
            [0, 57, 339, 441, 461]
        );
        assert_eq!([8, 15, 11, 12, 16, 23, 51, 55].map(pawn_square_index), [47, 46, 11, 10, 45, 44, 1, 36]);
        assert_eq!([8, 16, 9, 14, 52].map(pawn_order), [0, 1, 6, 6, 23]);
        assert_eq!((pawns_on_file(1, 0), choose(2, 5), choose(3, 2), choose(6, 63)), (6, 10, 0, 67_945_521));
    }
}
