//! Scaling of endgames: a material advantage that is hard to win with counts less.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Bitboard, Color, PieceKind};

/// The scale at which the endgame value counts in full.
pub(super) const FULL_SCALE: i32 = 64;

/// Non-pawn material: minor piece 3, rook 5, queen 9.
fn pieces(board: &Board, side: Color) -> i32 {
    let count = |kind: PieceKind| board.colored(side, kind).count() as i32;
    3 * (count(PieceKind::Knight) + count(PieceKind::Bishop)) + 5 * count(PieceKind::Rook) + 9 * count(PieceKind::Queen)
}

/// The scale factor of an endgame value in favour of `side`, in sixty-fourths.
pub(super) fn scale(board: &Board, side: Color) -> i32 {
    let (own, theirs) = (pieces(board, side), pieces(board, !side));
    let pawns = board.colored(side, PieceKind::Pawn).count() as i32;
    if pawns == 0 && own - theirs <= 3 {
        // Without pawns an extra minor piece does not win, and a single minor piece cannot mate.
        return if own < 5 {
            0
        } else if theirs <= 3 {
            8
        } else {
            14
        };
    }
    if has_opposite_bishops(board) {
        return if own == 3 && theirs == 3 { 28 } else { 46 };
    }
    (40 + 6 * pawns).min(FULL_SCALE)
}

/// One bishop each, on squares of different colours.
fn has_opposite_bishops(board: &Board) -> bool {
    let [white, black] = Color::ALL.map(|side| board.colored(side, PieceKind::Bishop));
    let is_dark = |bishops: Bitboard| (bishops & Bitboard::DARK_SQUARES).is_some();
    white.count() == 1 && black.count() == 1 && is_dark(white) != is_dark(black)
}
