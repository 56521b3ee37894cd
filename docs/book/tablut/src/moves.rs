//! Legal moves.

use crate::{
    board::{Board, Move},
    geometry::{ALL_CAMPS, CAMPS, CASTLE, ESCAPES, Set, Square, slides, squares},
};

/// The legal moves of the side to move; none once the game is won.
pub fn legal_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::with_capacity(96);
    if board.winner().is_none() {
        for from in squares(board.pieces_of(board.side())) {
            moves.extend(squares(destinations(board, from)).map(|to| Move { from, to }));
        }
    }
    moves
}

/// The edge squares that the king reaches in one move.
pub fn king_escape(board: &Board) -> Set {
    destinations(board, board.king()) & ESCAPES
}

/// The squares that the piece on `from` can reach.
pub fn destinations(board: &Board, from: Square) -> Set {
    let own_camp = CAMPS.iter().find(|camp| **camp & from.bit() != 0).copied().unwrap_or(0);
    slides(from, board.occupied() | CASTLE.bit() | (ALL_CAMPS & !own_camp))
}

/// Whether the side to move can make this move.
pub fn is_legal(board: &Board, candidate: Move) -> bool {
    board.winner().is_none()
        && board.pieces_of(board.side()) & candidate.from.bit() != 0
        && destinations(board, candidate.from) & candidate.to.bit() != 0
}
