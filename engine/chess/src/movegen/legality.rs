//! Legality check of a move from another position.

use super::generator::{add_noisy_moves, add_quiet_moves};
use crate::board::{Board, attacks};
use crate::types::{Move, MoveKind, MoveList, PieceKind};

/// Whether a move with arbitrary bits is legal here; used for moves from the transposition table.
pub fn is_legal(board: &Board, mv: Move) -> bool {
    let us = board.side_to_move();
    let (source, target) = (mv.source(), mv.target());
    let Some(piece) = board.piece_on(source).filter(|piece| piece.color() == us) else { return false };
    let is_minor_or_major =
        matches!(piece.kind(), PieceKind::Knight | PieceKind::Bishop | PieceKind::Rook | PieceKind::Queen);
    let is_plain = matches!(mv.kind(), MoveKind::Quiet | MoveKind::Capture);
    if !is_minor_or_major || !is_plain {
        return is_generated(board, mv);
    }
    let captures = board.color(!us).contains(target);
    if captures != mv.is_capture() || board.color(us).contains(target) {
        return false;
    }
    if !attacks::piece_attacks(piece.kind(), source, board.occupied()).contains(target) {
        return false;
    }
    let king = board.king(us);
    if board.pinned().contains(source) && !attacks::line(king, source).contains(target) {
        return false;
    }
    match board.checkers().first() {
        None => true,
        Some(checker) => {
            !board.checkers().has_several() && (target == checker || attacks::between(king, checker).contains(target))
        }
    }
}

/// For kings and pawns, whose moves have many conditions: whether the generator produces the move.
fn is_generated(board: &Board, mv: Move) -> bool {
    let mut list = MoveList::new();
    if mv.is_noisy() {
        add_noisy_moves(board, &mut list);
    } else {
        add_quiet_moves(board, &mut list);
    }
    list.contains(&mv)
}
