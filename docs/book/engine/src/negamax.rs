//! Chapter 2: negamax, which searches everything, and alpha-beta, which gets the same score from fewer positions.

use alfiere_chess::board::Board;
use alfiere_chess::movegen::legal_moves;

use crate::evaluation::material;
use crate::search::{INFINITY, MATE};

// ANCHOR: negamax
/// The score for the side to move after the best play of both sides for `depth` plies.
pub fn negamax(board: &Board, depth: i32, ply: i32, nodes: &mut u64) -> i32 {
    *nodes += 1;
    if depth == 0 {
        return material(board);
    }
    let moves = legal_moves(board);
    if moves.is_empty() {
        // Checkmate or stalemate. A later mate is better for the side that is mated.
        return if board.in_check() { ply - MATE } else { 0 };
    }
    let mut best = -INFINITY;
    for mv in moves {
        let mut child = board.clone();
        child.play(mv);
        best = best.max(-negamax(&child, depth - 1, ply + 1, nodes));
    }
    best
}
// ANCHOR_END: negamax

// ANCHOR: alpha_beta
/// The same score if it is between alpha and beta; otherwise a bound on the same side of the window.
pub fn alpha_beta(board: &Board, depth: i32, ply: i32, mut alpha: i32, beta: i32, nodes: &mut u64) -> i32 {
    *nodes += 1;
    if depth == 0 {
        return material(board);
    }
    let moves = legal_moves(board);
    if moves.is_empty() {
        return if board.in_check() { ply - MATE } else { 0 };
    }
    let mut best = -INFINITY;
    for mv in moves {
        let mut child = board.clone();
        child.play(mv);
        best = best.max(-alpha_beta(&child, depth - 1, ply + 1, -beta, -alpha, nodes));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}
// ANCHOR_END: alpha_beta
