//! The engine's evaluation of a position, as the page shows it.

use alfiere_chess::board::Board;
use alfiere_chess::types::Color;
use alfiere_search::engine::WdlPermille;
use alfiere_search::search::Score;
use serde::Serialize;

/// A score or mate distance and the expected score, from White's point of view.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(super) struct Evaluation {
    /// Normalised centipawns; `None` for mate scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    /// Moves to mate, negative if White is mated, zero for checkmate on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    /// White's expected score, 0 to 1.
    expected_score: f64,
}

impl Evaluation {
    /// Creates it from the score and the WDL of the side to move.
    pub(super) fn new(board: &Board, shown: Score, wdl_permille: WdlPermille) -> Self {
        let sign = if board.side_to_move() == Color::White { 1 } else { -1 };
        let own = wdl_permille.expected_score();
        let mate = shown.moves_to_mate().map(|moves| sign * moves);
        Self {
            cp: mate.is_none().then_some(sign * shown.value()),
            mate,
            expected_score: if sign > 0 { own } else { 1.0 - own },
        }
    }

    /// The value of a drawn game.
    pub(super) const fn draw() -> Self {
        Self { cp: Some(0), mate: None, expected_score: 0.5 }
    }
}
