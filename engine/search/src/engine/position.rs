//! A position with its past: what repetition is counted from.

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::movegen::{MoveError, parse_uci_move};
use alfiere_chess::types::Move;

/// A board and the positions played before it.
#[derive(Clone, Default, Debug)]
pub struct Position {
    board: Board,
    keys: KeyHistory,
}

impl Position {
    /// A position without a past.
    pub fn new(board: Board) -> Self {
        Self { board, keys: KeyHistory::new() }
    }

    /// The board as it stands.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The positions played before.
    pub fn keys(&self) -> &KeyHistory {
        &self.keys
    }

    /// Plays a move that is legal here.
    pub fn play(&mut self, mv: Move) {
        self.keys.push(&self.board);
        self.board.play(mv);
    }

    /// Plays a move as UCI writes it.
    ///
    /// # Errors
    /// If it is no move or not legal here; the position stays as it was.
    pub fn play_uci(&mut self, text: &str) -> Result<(), MoveError> {
        let mv = parse_uci_move(&self.board, text)?;
        self.play(mv);
        Ok(())
    }
}
