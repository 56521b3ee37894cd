//! Evaluation: the static score of a position, from the side to move, and the evaluators that a player may use.
//!
//! The search uses only [`Evaluator`]; evaluators are independent of search. `wdl` holds the win, draw and loss probabilities of scores.

mod classical;
mod lone_king;
mod neural;
mod wdl;

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;

pub use classical::{Classical, ClassicalReport, Term, TermValue};
pub use lone_king::lone_king;
pub use neural::{NetworkChoice, Neural};
pub use wdl::{Material, WdlModel, WdlProbabilities};

/// Evaluates positions along a line of play.
pub trait Evaluator: Send {
    /// Starts from this position.
    fn reset(&mut self, board: &Board);

    /// Plays a legal move on `board` and records what changed.
    fn play(&mut self, board: &mut Board, mv: Move);

    /// Takes back the last move played; the evaluator sees no null moves.
    fn undo(&mut self);

    /// Internal units for the side to move of `board`, the position at the end of the line played (or a null move further).
    fn evaluate(&mut self, board: &Board) -> i32;
}

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
