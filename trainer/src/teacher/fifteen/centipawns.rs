//! From the network's value to centipawns, as Stockfish 15.1 does it for its own search.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, PieceKind};

/// Internal units that are 100 centipawns: an even chance to win.
const UNITS_OF_A_PAWN: i32 = 361;
/// What knights, bishops, rooks and queens weigh when a side's material is counted.
const PIECE_UNITS: [(PieceKind, i32); 4] =
    [(PieceKind::Knight, 781), (PieceKind::Bishop, 825), (PieceKind::Rook, 1276), (PieceKind::Queen, 2538)];

/// Centipawns of a network value: more with more pieces on the board, as the program has it; what it takes off for
/// moves without progress is left to the search.
pub(super) fn centipawns(value: i32, board: &Board) -> i32 {
    let pieces: i32 = PIECE_UNITS
        .iter()
        .map(|&(kind, units)| {
            let count = board.colored(Color::White, kind).count() + board.colored(Color::Black, kind).count();
            count as i32 * units
        })
        .sum();
    let scale = 1064 + 106 * pieces / 5120;
    // 195 of 211: the program's factor right after a capture or pawn move.
    (value * scale / 1024 * 195 / 211) * 100 / UNITS_OF_A_PAWN
}
