//! Random positions, so that measurements need no data files.

use alfiere_chess::board::Board;
use alfiere_chess::movegen::legal_moves;
use alfiere_data::{Label, Row};
use alfiere_model::random::{Purpose, derive};

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
            rows.push(Row::of_board(&board).with_label(label));
        }
    }
    rows
}
