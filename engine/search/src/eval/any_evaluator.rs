//! The evaluators that a player may use, as one type.

use std::sync::Arc;

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;

use super::{Classical, Evaluator, NetworkChoice, Neural};

/// The evaluator of a player.
pub enum AnyEvaluator {
    /// A network.
    Neural(Box<Neural>),
    /// The hand-written evaluation.
    Classical(Classical),
    /// One that another crate provides.
    Custom(Box<dyn Evaluator>),
}

/// Makes a custom evaluator for each thread that searches.
pub type EvaluatorSource = Arc<dyn Fn() -> Box<dyn Evaluator> + Send + Sync>;

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
            Self::Custom(custom) => custom.reset(board),
        }
    }

    fn play(&mut self, board: &mut Board, mv: Move) {
        match self {
            Self::Neural(neural) => neural.play(board, mv),
            Self::Classical(classical) => classical.play(board, mv),
            Self::Custom(custom) => custom.play(board, mv),
        }
    }

    fn undo(&mut self) {
        match self {
            Self::Neural(neural) => neural.undo(),
            Self::Classical(classical) => classical.undo(),
            Self::Custom(custom) => custom.undo(),
        }
    }

    fn evaluate(&mut self, board: &Board) -> i32 {
        match self {
            Self::Neural(neural) => neural.evaluate(board),
            Self::Classical(classical) => classical.evaluate(board),
            Self::Custom(custom) => custom.evaluate(board),
        }
    }
}
