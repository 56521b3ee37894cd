//! The interface of a solver.

use std::fmt;
use std::time::Duration;

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;
use thiserror::Error;

/// A limit of each search without a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FixedLimit {
    /// Depth in plies.
    Depth(u32),
    /// Nodes.
    Nodes(u64),
    /// Time per position.
    MoveTime(Duration),
}

impl fmt::Display for FixedLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(depth) => write!(f, "depth {depth}"),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Self::MoveTime(time) => write!(f, "{} ms", time.as_millis()),
        }
    }
}

/// A solver's answer. Scores are from the point of view of the side to move.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The move.
    pub played: Option<Move>,
    /// Moves to mate: positive if the side to move mates.
    pub mate: Option<i32>,
    /// Score in centipawns; `None` with a mate score.
    pub centipawns: Option<i32>,
    /// Depth in plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
}

/// Why a position has no answer.
#[derive(Debug, Error)]
pub enum SolveError {
    /// An illegal move, a crash, or no answer in time. The solver can continue with the next position.
    #[error("{0}")]
    NoAnswer(String),
    /// The solver cannot be started.
    #[error("{0}")]
    Unusable(String),
    /// The user stopped the run.
    #[error("stopped")]
    Stopped,
}

/// A program that solves positions.
pub trait Solver {
    /// Searches a position independently of the previous one.
    ///
    /// # Errors
    /// If there is no legal answer.
    fn solve(&mut self, board: &Board, limit: FixedLimit) -> Result<Answer, SolveError>;
}
