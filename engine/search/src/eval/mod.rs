//! Evaluation: the static score of a position, from the side to move.
//!
//! The search uses only [`Evaluator`]; evaluators are independent of search. `wdl` holds the win, draw and loss probabilities of scores.

mod any_evaluator;
mod classical;
mod lone_king;
mod neural;
mod wdl;

pub use any_evaluator::{AnyEvaluator, EvaluatorSource};
pub use classical::{
    Classical, ClassicalReport, ClassicalTrace, Coefficient, Term, TermValue, WEIGHT_COUNT, Weights, WeightsError,
};
pub use lone_king::lone_king;
pub use neural::{NetworkChoice, Neural};
pub use wdl::{Material, WdlModel, WdlProbabilities};

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;

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
