//! The interface of whatever solves a suite.

use std::fmt;
use std::time::Duration;

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;
use thiserror::Error;

/// The limit of the search of each position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Plies.
    Depth(u32),
    /// Nodes.
    Nodes(u64),
    /// Time.
    MoveTime(Duration),
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(depth) => write!(f, "depth {depth}"),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Self::MoveTime(time) => write!(f, "{} ms", time.as_millis()),
        }
    }
}

/// A solver's answer to a position. Scores are from the side to move.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Its move.
    pub played: Option<Move>,
    /// Moves to an announced mate: positive if the side to move gives it.
    pub mate: Option<i32>,
    /// Its score in centipawns; absent with a mate.
    pub centipawns: Option<i32>,
    /// Plies searched.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// Why a position has no answer.
#[derive(Debug, Error)]
pub enum SolveError {
    /// An illegal move, a crash, or no answer in time. The next position may have one.
    #[error("{0}")]
    NoAnswer(String),
    /// The solver cannot be started: there will be no more answers.
    #[error("{0}")]
    Unusable(String),
    /// The user stopped the run.
    #[error("stopped")]
    Stopped,
}

/// Something that solves positions.
pub trait Solver {
    /// Searches a position that is independent of the one before.
    ///
    /// # Errors
    /// If there is no legal answer.
    fn solve(&mut self, board: &Board, effort: Effort) -> Result<Answer, SolveError>;
}
