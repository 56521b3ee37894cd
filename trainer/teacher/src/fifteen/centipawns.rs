//! Converts the network's output to centipawns as Stockfish 15.1 does for its own search.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, PieceKind};

/// Internal units per 100 centipawns.
const UNITS_PER_PAWN: i32 = 361;
/// Material values for counting a side's pieces.
const PIECE_UNITS: [(PieceKind, i32); 4] =
    [(PieceKind::Knight, 781), (PieceKind::Bishop, 825), (PieceKind::Rook, 1276), (PieceKind::Queen, 2538)];

/// Converts a network output to centipawns, scaled up with the material on the board as in Stockfish. Stockfish's
/// damping by the fifty-move counter is left to our own search.
pub(super) fn centipawns(value: i32, board: &Board) -> i32 {
    let pieces: i32 = PIECE_UNITS
        .iter()
        .map(|&(kind, units)| {
            let count = board.colored(Color::White, kind).count() + board.colored(Color::Black, kind).count();
            count as i32 * units
        })
        .sum();
    let scale = 1064 + 106 * pieces / 5120;
    // 195 of 211: Stockfish's damping factor right after a capture or pawn move.
    (value * scale / 1024 * 195 / 211) * 100 / UNITS_PER_PAWN
}
