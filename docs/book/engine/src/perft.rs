//! Chapter 1: count move sequences to test the rules.

use alfiere_chess::board::Board;
use alfiere_chess::movegen::legal_moves;

// ANCHOR: perft
/// The number of legal move sequences of length `depth`.
pub fn perft(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    for mv in legal_moves(board) {
        let mut child = board.clone();
        child.play(mv);
        count += perft(&child, depth - 1);
    }
    count
}
// ANCHOR_END: perft
