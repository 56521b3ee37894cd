//! Legal moves: generation, counting, legality check, and the SAN and UCI notations.
//!
//! One generator serves move lists and counts. It generates only legal moves, by check masks and pins, so no move has
//! to be played to test its legality.

mod generator;
mod notation;

use crate::board::Board;
use crate::types::Move;

pub use generator::{add_noisy_moves, add_quiet_moves, count_legal_moves, has_legal_move, is_legal, legal_moves};
pub(crate) use notation::find_move;
pub use notation::{CastlingNotation, MoveError, UciMove, format_san, format_uci_move, parse_san, parse_uci_move};

/// The number of legal move sequences of length `depth`. The last ply is counted without playing the moves (bulk
/// counting).
pub fn perft(board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count_legal_moves(board) as u64,
        _ => divide(board, depth).map(|(_, nodes)| nodes).sum(),
    }
}

/// The deepest subtree that [`perft_while`] counts without asking whether to go on: about a hundred thousand leaves.
const UNINTERRUPTED_DEPTH: u32 = 3;

/// The perft count, or `None` as soon as `goes_on` is false; it is called every few milliseconds.
pub fn perft_while(board: &Board, depth: u32, goes_on: &impl Fn() -> bool) -> Option<u64> {
    if depth <= UNINTERRUPTED_DEPTH {
        return goes_on().then(|| perft(board, depth));
    }
    divide_while(board, depth, goes_on).map(|(_, nodes)| nodes).sum()
}

/// [`divide`], with `None` for counts that [`perft_while`] does not finish.
pub fn divide_while(
    board: &Board,
    depth: u32,
    goes_on: &impl Fn() -> bool,
) -> impl Iterator<Item = (Move, Option<u64>)> {
    children(board).map(move |(mv, child)| (mv, perft_while(&child, depth.saturating_sub(1), goes_on)))
}

/// The perft count of each root move; `depth` is at least 1.
pub fn divide(board: &Board, depth: u32) -> impl Iterator<Item = (Move, u64)> {
    children(board).map(move |(mv, child)| (mv, perft(&child, depth.saturating_sub(1))))
}

/// The legal moves and the positions after them.
fn children(board: &Board) -> impl Iterator<Item = (Move, Board)> {
    legal_moves(board).into_iter().map(|mv| {
        let mut child = board.clone();
        child.play(mv);
        (mv, child)
    })
}
