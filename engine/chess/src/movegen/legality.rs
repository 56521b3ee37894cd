//! Legality check of a move from another position.

use super::generator::{add_noisy_moves, add_quiet_moves};
use crate::board::{Board, attacks};
use crate::types::{Bitboard, Move, MoveKind, MoveList, PieceKind, Rank};

/// Whether a move with arbitrary bits is legal here; used for moves from the transposition table.
pub fn is_legal(board: &Board, mv: Move) -> bool {
    let us = board.side_to_move();
    let (source, target) = (mv.source(), mv.target());
    let Some(piece) = board.piece_on(source).filter(|piece| piece.color() == us) else { return false };
    // Some bits stand for no move.
    if source == target || mv != Move::new(source, target, mv.kind()) {
        return false;
    }
    // Rare, with many conditions.
    if mv.is_castle() || mv.is_en_passant() {
        return is_generated(board, mv);
    }
    let captures = board.color(!us).contains(target);
    if captures != mv.is_capture() || board.color(us).contains(target) {
        return false;
    }
    let king = board.king(us);
    let is_plain = matches!(mv.kind(), MoveKind::Quiet | MoveKind::Capture);
    match piece.kind() {
        PieceKind::King => {
            // The king does not shield the squares behind it.
            let attackers = board.attackers_to(target, board.occupied().without(king)) & board.color(!us);
            return is_plain && attacks::king_attacks(king).contains(target) && attackers.is_empty();
        }
        PieceKind::Pawn if !pawn_reaches(board, mv) => return false,
        PieceKind::Pawn => {}
        kind if !is_plain || !attacks::piece_attacks(kind, source, board.occupied()).contains(target) => return false,
        _ => {}
    }
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

/// Whether a pawn moves like this to a target that is empty or, for a capture, holds an enemy.
fn pawn_reaches(board: &Board, mv: Move) -> bool {
    let us = board.side_to_move();
    let (source, target) = (mv.source(), mv.target());
    let ahead = Bitboard::from(source).forward(us);
    if mv.is_promotion() != (target.rank() == Rank::Eighth.relative_to(us)) {
        return false;
    }
    match mv.kind() {
        MoveKind::DoublePush => {
            source.rank() == Rank::Second.relative_to(us)
                && (ahead & board.occupied()).is_empty()
                && ahead.forward(us).contains(target)
        }
        _ if mv.is_capture() => attacks::pawn_attacks(us, source).contains(target),
        _ => ahead.contains(target),
    }
}

/// Whether the generator produces the move.
fn is_generated(board: &Board, mv: Move) -> bool {
    let mut list = MoveList::new();
    if mv.is_noisy() {
        add_noisy_moves(board, &mut list);
    } else {
        add_quiet_moves(board, &mut list);
    }
    list.contains(&mv)
}
