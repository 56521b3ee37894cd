//! Lines between squares, used for pins, checks and check evasions.

use crate::types::{Bitboard, Square};

static RAYS: Rays = Rays::new();

/// Lookup tables indexed by two squares.
struct Rays {
    between: [[Bitboard; 64]; 64],
    line: [[Bitboard; 64]; 64],
}

/// The squares strictly between two squares on the same rank, file or diagonal; empty otherwise.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    RAYS.between[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two different squares, including both; empty if they share no line.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    RAYS.line[a.index()][b.index()]
}

/// The step (file, rank) from one square towards another if they share a line.
#[inline]
const fn direction(from: i32, to: i32) -> Option<(i32, i32)> {
    let files = to % 8 - from % 8;
    let ranks = to / 8 - from / 8;
    if (files == 0) == (ranks == 0) && (files == 0 || files.abs() != ranks.abs()) {
        return None;
    }
    Some((files.signum(), ranks.signum()))
}

impl Rays {
    #[allow(clippy::large_stack_arrays, reason = "computed by the compiler")]
    const fn new() -> Self {
        let mut rays = Self { between: [[Bitboard::EMPTY; 64]; 64], line: [[Bitboard::EMPTY; 64]; 64] };
        let mut from = 0;
        while from < 64 {
            let mut to = 0;
            while to < 64 {
                if let Some((files, ranks)) = direction(from, to) {
                    let (ahead, behind) = (ray(from, files, ranks), ray(from, -files, -ranks));
                    let beyond = ray(to, files, ranks);
                    rays.between[from as usize][to as usize].0 = ahead & !beyond & !(1 << to);
                    rays.line[from as usize][to as usize].0 = ahead | behind | 1 << from;
                }
                to += 1;
            }
            from += 1;
        }
        rays
    }
}

/// The squares from `from` to the edge of the board, `from` excluded.
#[inline]
const fn ray(from: i32, files: i32, ranks: i32) -> u64 {
    let (mut file, mut rank) = (from % 8 + files, from / 8 + ranks);
    let mut squares = 0;
    while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
        squares |= 1 << (rank * 8 + file);
        file += files;
        rank += ranks;
    }
    squares
}
