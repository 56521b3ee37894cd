//! What pieces are worth where moves are ordered.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Move, PieceKind};

/// Centipawns by kind.
pub(crate) const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 0];

/// The value of what a move captures or promotes to.
pub(crate) fn gain_of(board: &Board, mv: Move) -> i32 {
    let captured = board.captured(mv).map_or(0, |piece| VALUES[piece.kind().index()]);
    let promoted = mv.promotion().map_or(0, |kind| VALUES[kind.index()] - VALUES[PieceKind::Pawn.index()]);
    captured + promoted
}
