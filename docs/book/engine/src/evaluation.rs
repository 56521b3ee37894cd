//! Chapter 6: evaluation by hand.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, Move, PieceKind, Square};

/// Scores positions in centipawns for the side to move.
///
/// The search reports every move, so that an evaluator can update what it knows in place of starting afresh.
pub trait Evaluator {
    /// A search starts from this position.
    fn reset(&mut self, _root: &Board) {}

    /// The position after a legal move.
    fn play(&mut self, board: &Board, mv: Move) -> Board {
        let mut child = board.clone();
        child.play(mv);
        child
    }

    /// The position after passing the turn.
    fn pass(&mut self, board: &Board) -> Board {
        let mut child = board.clone();
        child.play_null();
        child
    }

    /// The last move or pass is taken back.
    fn undo(&mut self) {}

    /// The score of the current position.
    fn evaluate(&mut self, board: &Board) -> i32;
}

/// Centipawns of a piece.
pub const fn value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 100,
        PieceKind::Knight => 320,
        PieceKind::Bishop => 330,
        PieceKind::Rook => 500,
        PieceKind::Queen => 900,
        PieceKind::King => 0,
    }
}

// ANCHOR: material
/// The material of the side to move minus that of the other side.
pub fn material(board: &Board) -> i32 {
    let us = board.side_to_move();
    let count = |side: Color, kind| board.colored(side, kind).count() as i32;
    PieceKind::ALL.into_iter().map(|kind| value(kind) * (count(us, kind) - count(!us, kind))).sum()
}
// ANCHOR_END: material

/// Counts material alone.
pub struct Material;

impl Evaluator for Material {
    fn evaluate(&mut self, board: &Board) -> i32 {
        material(board)
    }
}

/// Counts material and where the pieces stand.
pub struct Placement;

impl Evaluator for Placement {
    fn evaluate(&mut self, board: &Board) -> i32 {
        let us = board.side_to_move();
        material(board) + placement(board, us) - placement(board, !us)
    }
}

// ANCHOR: placement
/// Centipawns for the squares of a side's pieces.
fn placement(board: &Board, side: Color) -> i32 {
    let queens = board.pieces(PieceKind::Queen).is_some();
    let on_square = |kind, square: Square| {
        let (file, rank) = (square.file().index() as i32, square.relative_to(side).rank().index() as i32);
        // 0 at the edge of the board to 6 on its four middle squares.
        let central = file.min(7 - file) + rank.min(7 - rank);
        match kind {
            PieceKind::Pawn => 4 * rank + 2 * file.min(7 - file),
            PieceKind::Knight => 8 * central - 24,
            PieceKind::Bishop => 5 * central - 15,
            PieceKind::Rook => 15 * i32::from(rank == 6),
            PieceKind::Queen => central,
            // A king hides while there are queens, and fights when they are gone.
            PieceKind::King if queens => -12 * rank - 4 * file.min(7 - file),
            PieceKind::King => 6 * central,
        }
    };
    let of_kind = |kind| board.colored(side, kind).into_iter().map(move |square| on_square(kind, square)).sum::<i32>();
    PieceKind::ALL.into_iter().map(of_kind).sum()
}
// ANCHOR_END: placement
