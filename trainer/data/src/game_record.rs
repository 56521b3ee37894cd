//! Games as the formats of games hold them: a start position and plies; and how they are found in consecutive rows.

use alfiere_chess::board::Board;

use crate::filter::{LeftOut, LeftOutReason};
use crate::rows::board_row::ranked_moves;
use crate::rows::label::Label;
use crate::rows::result::RowResult;
use crate::rows::row::Row;

/// Maximum number of positions of a game that is built from rows.
const MAX_POSITIONS: usize = 8_000;

/// The score of a position, and the ranks of its played and best move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The score from White's point of view.
    pub label: Label,
    /// The move played; `None` only for the last position of a game.
    pub played: Option<u8>,
    /// The best move, if known.
    pub best: Option<u8>,
}

/// Consecutive positions of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// The first position; label, result and best move of this row are ignored.
    pub start: Row,
    /// How the game ended.
    pub result: RowResult,
    pub plies: Vec<Ply>,
}

impl GameRecord {
    /// The first position of a game with a result; counts the positions of other games, which formats of games leave out.
    pub(crate) fn start_with_result(&self, left_out: &mut LeftOut) -> Option<Board> {
        let count = self.plies.len() as u64;
        let Ok(board) = self.start.to_board() else {
            left_out.add(LeftOutReason::Illegal, count);
            return None;
        };
        if self.result == RowResult::Unknown {
            left_out.add(LeftOutReason::NoResult, count);
            return None;
        }
        Some(board)
    }
}

/// Receives rows in order and returns complete games. A game ends where the full-move number decreases, or no legal move leads
/// to the next row.
#[derive(Default)]
pub(crate) struct GameBuilder {
    open: Option<Open>,
    move_number: u16,
    refused: u64,
}

/// The incomplete game and its last position.
struct Open {
    game: GameRecord,
    board: Board,
}

impl GameBuilder {
    /// Adds a row; returns the previous game if the row starts a new one.
    pub(crate) fn push(&mut self, row: &Row) -> Option<GameRecord> {
        let begins_game = row.fullmove_number() < self.move_number;
        self.move_number = row.fullmove_number();
        let ply = Ply { label: row.label(), played: None, best: row.best_move_rank() };
        if !begins_game && self.open.as_mut().is_some_and(|open| open.continues_with(row, ply)) {
            return None;
        }
        let ended = self.finish();
        match row.to_board() {
            Ok(board) => {
                let game = GameRecord { start: *row, result: row.result(), plies: vec![ply] };
                self.open = Some(Open { game, board });
            }
            Err(_) => self.refused += 1,
        }
        ended
    }

    /// Returns the last game.
    pub(crate) fn finish(&mut self) -> Option<GameRecord> {
        self.open.take().map(|open| open.game)
    }

    /// Number of rows left out because their positions are illegal.
    pub(crate) const fn refused(&self) -> u64 {
        self.refused
    }
}

impl Open {
    /// Adds the row if a legal move leads to it; returns whether it did.
    fn continues_with(&mut self, row: &Row, ply: Ply) -> bool {
        if row.result() != self.game.result || self.game.plies.len() >= MAX_POSITIONS {
            return false;
        }
        for (rank, &mv) in ranked_moves(&self.board).iter().enumerate() {
            // Comparing two squares rejects most moves early.
            if row.occupied().contains(mv.source()) && !mv.is_castle() {
                continue;
            }
            let mut next = self.board.clone();
            next.play(mv);
            if next.occupied() == row.occupied() && Row::of_board(&next).is_same_position(row) {
                if let Some(last) = self.game.plies.last_mut() {
                    last.played = Some(rank as u8);
                }
                self.game.plies.push(ply);
                self.board = next;
                return true;
            }
        }
        false
    }
}
