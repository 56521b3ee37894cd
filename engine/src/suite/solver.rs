//! Who solves: the built-in engine, or any program that is wrapped to look like it.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;

/// How much thought each position gets.
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

/// What a solver made of a position.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Its move.
    pub played: Option<Move>,
    /// Moves to a mate that it announces, from the side to move's view: positive when it gives it.
    pub mate: Option<i32>,
    /// Its score in centipawns, side to move's view; absent with a mate.
    pub centipawns: Option<i32>,
    /// Plies searched.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// Something that can be put to a position.
pub trait Solver {
    /// Thinks about a position that has nothing to do with the one before.
    ///
    /// # Errors
    /// If the solver cannot answer any more, as a program that has ended; an illegal move too.
    fn solve(&mut self, board: &Board, effort: Effort) -> Result<Answer, Box<dyn Error + Send + Sync>>;
}
