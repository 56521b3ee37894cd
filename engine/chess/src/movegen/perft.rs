//! Perft: the number of move sequences of a given length, by which generators are checked and timed.

use super::{count_legal_moves, legal_moves};
use crate::board::Board;
use crate::types::Move;

/// How many sequences of `depth` legal moves begin here; the last moves are counted without being played.
pub fn perft(board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count_legal_moves(board) as u64,
        _ => divide(board, depth).map(|(_, nodes)| nodes).sum(),
    }
}

/// The sequences that each first move begins; `depth` is at least 1.
pub fn divide(board: &Board, depth: u32) -> impl Iterator<Item = (Move, u64)> {
    legal_moves(board).into_iter().map(move |mv| {
        let mut child = board.clone();
        child.play(mv);
        (mv, perft(&child, depth.saturating_sub(1)))
    })
}
