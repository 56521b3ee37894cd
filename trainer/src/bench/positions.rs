//! Random positions, so that measurements need no data files.

use alfiere_chess::board::Board;
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::types::Square;

use crate::data::{Label, ROW_BYTES, Row};
use crate::model::random::{Purpose, derive};

/// Plies per game.
const GAME_PLIES: u64 = 120;

/// Rows of random games from the start position, with meaningless labels.
pub fn random_rows(count: usize, seed: u64) -> Vec<Row> {
    let mut rows = Vec::with_capacity(count);
    let mut state = seed;
    let mut next = || {
        state = derive(state, Purpose::Shuffle { epoch: 0, window: 0 });
        state >> 33
    };
    while rows.len() < count {
        let mut board = Board::startpos();
        for _ in 0..GAME_PLIES {
            let moves = legal_moves(&board);
            if moves.is_empty() || rows.len() == count {
                break;
            }
            board.play(moves[next() as usize % moves.len()]);
            let label = Label::centipawns(next() as i64 % 1000 - 500);
            rows.extend(row_of(&board).map(|row| row.with_label(label)));
        }
    }
    rows
}

/// Converts a board to a row, in the layout read by [`Row::from_bytes`].
fn row_of(board: &Board) -> Option<Row> {
    let mut bytes = [0; ROW_BYTES];
    let pieces = Square::ALL.into_iter().filter_map(|square| board.piece_on(square));
    for (index, piece) in pieces.enumerate() {
        bytes[8 + index / 2] |= (piece.index() as u8) << (index % 2 * 4);
    }
    bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
    bytes[26] = board.side_to_move() as u8 | (board.castling_rights().index() as u8) << 1;
    Row::from_bytes(&bytes)
}
