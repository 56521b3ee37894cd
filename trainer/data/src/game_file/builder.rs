//! Combines rows into records as long as a legal move leads from each row to the next.

use alfiere_chess::board::Board;

use super::MAX_POSITIONS;
use super::record::{GameFileRecord, Ply};
use crate::rows::board_row::ranked_moves;
use crate::rows::row::Row;

/// Receives rows in order and returns complete records.
#[derive(Default)]
pub(crate) struct RecordBuilder {
    open: Option<Open>,
    /// Number of games so far; a game ends where the full-move number decreases.
    games: u64,
    move_number: u16,
    refused: u64,
}

/// The incomplete record and its last position.
struct Open {
    record: GameFileRecord,
    board: Board,
}

impl RecordBuilder {
    /// Adds a row; returns the previous record if the row starts a new one.
    pub(crate) fn push(&mut self, row: &Row) -> Option<GameFileRecord> {
        let begins_game = row.fullmove_number() < self.move_number || self.games == 0;
        self.move_number = row.fullmove_number();
        self.games += u64::from(begins_game);
        let ply = Ply { label: row.label(), played: None, best: row.best_move_rank() };
        if !begins_game && self.open.as_mut().is_some_and(|open| open.continues_with(row, ply)) {
            return None;
        }
        let ended = self.finish();
        match row.to_board() {
            Ok(board) => {
                let record = GameFileRecord {
                    number: self.games - 1,
                    start: *row,
                    result: row.result(),
                    random_moves: false,
                    plies: vec![ply],
                };
                self.open = Some(Open { record, board });
            }
            Err(_) => self.refused += 1,
        }
        ended
    }

    /// Returns the last record.
    pub(crate) fn finish(&mut self) -> Option<GameFileRecord> {
        self.open.take().map(|open| open.record)
    }

    /// Number of rows left out because their positions are illegal.
    pub(crate) const fn refused(&self) -> u64 {
        self.refused
    }
}

impl Open {
    /// Adds the row if a legal move leads to it; returns whether it did.
    fn continues_with(&mut self, row: &Row, ply: Ply) -> bool {
        if row.result() != self.record.result || self.record.plies.len() >= MAX_POSITIONS {
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
                if let Some(last) = self.record.plies.last_mut() {
                    last.played = Some(rank as u8);
                }
                self.record.plies.push(ply);
                self.board = next;
                return true;
            }
        }
        false
    }
}
