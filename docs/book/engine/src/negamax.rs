//! Chapter 2: negamax, which searches everything. It is slow, and the reference that alpha-beta is tested against.

use alfiere_chess::board::Board;
use alfiere_chess::movegen::legal_moves;

use crate::evaluation::material;
use crate::search::{INFINITY, MATE};

// ANCHOR: negamax
/// The score for the side to move after the best play of both sides for `depth` plies, and the positions visited.
pub fn negamax(board: &Board, depth: i32, ply: i32) -> (i32, u64) {
    if depth == 0 {
        return (material(board), 1);
    }
    let (mut best, mut nodes) = (-INFINITY, 1);
    for mv in legal_moves(board) {
        let mut child = board.clone();
        child.play(mv);
        let (reply, below) = negamax(&child, depth - 1, ply + 1);
        // What is good for the opponent is bad for us.
        best = best.max(-reply);
        nodes += below;
    }
    if nodes == 1 {
        // No legal move: checkmate or stalemate. An earlier mate is worse for the side that is mated.
        best = if board.in_check() { ply - MATE } else { 0 };
    }
    (best, nodes)
}
// ANCHOR_END: negamax
