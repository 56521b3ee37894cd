//! The evaluators that a player may use, as one type.

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;

use super::{Classical, Evaluator, NetworkChoice, Neural};

/// The evaluator of a player.
pub enum AnyEvaluator {
    /// A network.
    Neural(Box<Neural>),
    /// The hand-written evaluation.
    Classical(Classical),
}

impl AnyEvaluator {
    /// Evaluates with this network.
    pub fn neural(network: NetworkChoice) -> Self {
        Self::Neural(Box::new(Neural::new(network)))
    }
}

impl Evaluator for AnyEvaluator {
    fn reset(&mut self, board: &Board) {
        match self {
            Self::Neural(neural) => neural.reset(board),
            Self::Classical(classical) => classical.reset(board),
        }
    }

    fn play(&mut self, board: &mut Board, mv: Move) {
        match self {
            Self::Neural(neural) => neural.play(board, mv),
            Self::Classical(classical) => classical.play(board, mv),
        }
    }

    fn undo(&mut self) {
        match self {
            Self::Neural(neural) => neural.undo(),
            Self::Classical(classical) => classical.undo(),
        }
    }

    fn evaluate(&mut self, board: &Board) -> i32 {
        match self {
            Self::Neural(neural) => neural.evaluate(board),
            Self::Classical(classical) => classical.evaluate(board),
        }
    }
}
