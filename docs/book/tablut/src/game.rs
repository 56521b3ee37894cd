//! A game: its position, its history, and its end.

use crate::{
    board::{Board, Move, Side},
    history::History,
    moves::{is_legal, legal_moves},
};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A player won.
    Win(Side),
    /// A position was repeated.
    Draw,
}

/// A game in progress or finished.
#[derive(Clone, Debug)]
pub struct Game {
    board: Board,
    history: History,
    outcome: Option<Outcome>,
}

impl Game {
    /// A game from a position.
    pub fn new(board: Board) -> Self {
        let mut history = History::default();
        history.play(board.keys().own(), true);
        let outcome = legal_moves(&board).is_empty().then(|| Outcome::Win(board.side().opponent()));
        Self { board, history, outcome }
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The positions since the last capture, for a search to continue.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// How the game ended; `None` if it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Plays a move. `false`, and nothing happens, if it is illegal or the game is over.
    #[must_use]
    pub fn play(&mut self, played: Move) -> bool {
        if self.outcome.is_some() || !is_legal(&self.board, played) {
            return false;
        }
        let undo = self.board.make(played);
        let repeated = self.history.play(self.board.keys().own(), undo.is_capture());
        self.outcome = match self.board.winner() {
            Some(winner) => Some(Outcome::Win(winner)),
            None if repeated => Some(Outcome::Draw),
            None => legal_moves(&self.board).is_empty().then(|| Outcome::Win(self.board.side().opponent())),
        };
        true
    }
}

impl Default for Game {
    /// A game from the initial position.
    fn default() -> Self {
        Self::new(Board::default())
    }
}
