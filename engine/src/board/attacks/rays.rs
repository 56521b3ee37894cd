//! Straight lines between squares: for pins, checks and their evasions.

use crate::types::{Bitboard, Square};

static BETWEEN: [[Bitboard; 64]; 64] = between_table();
static LINE: [[Bitboard; 64]; 64] = line_table();

/// The squares strictly between two squares of one rank, file or diagonal; empty otherwise.
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two different squares, both included; empty if there is none.
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

/// The step (file, rank) from one square towards another, if they share a line.
const fn direction(from: i32, to: i32) -> Option<(i32, i32)> {
    let files = to % 8 - from % 8;
    let ranks = to / 8 - from / 8;
    if (files == 0) == (ranks == 0) && (files == 0 || files.abs() != ranks.abs()) {
        return None;
    }
    Some((files.signum(), ranks.signum()))
}

#[allow(clippy::large_stack_arrays, reason = "computed by the compiler")]
const fn between_table() -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            if let Some((files, ranks)) = direction(from, to) {
                let mut square = from + files + 8 * ranks;
                while square != to {
                    table[from as usize][to as usize].0 |= 1 << square;
                    square += files + 8 * ranks;
                }
            }
            to += 1;
        }
        from += 1;
    }
    table
}

#[allow(clippy::large_stack_arrays, reason = "computed by the compiler")]
const fn line_table() -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            if let Some((files, ranks)) = direction(from, to) {
                table[from as usize][to as usize].0 = ray(from, files, ranks) | ray(from, -files, -ranks) | 1 << from;
            }
            to += 1;
        }
        from += 1;
    }
    table
}

/// The squares from `from` to the edge of the board, `from` excluded.
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
