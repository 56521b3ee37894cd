//! Search limits: depth, nodes, time, mate distance and root moves.

use std::time::Duration;

use alfiere_chess::game::Limit;
use alfiere_chess::types::Move;

use crate::platform::Instant;

/// How long a search may run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeLimit {
    /// Until it is stopped or another limit is met.
    None,
    /// This long, whatever the clock says.
    MoveTime(Duration),
    /// As the game's clock allows.
    Clock {
        /// Remaining time of the side to move.
        remaining: Duration,
        /// Increment per move.
        increment: Duration,
        /// Moves until the next time control, if there is one.
        moves_to_go: Option<u32>,
    },
}

/// When a finished search may answer, as `go`, `go infinite` and `go ponder` ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchMode {
    /// As soon as it is done.
    Normal,
    /// Only when it is stopped, even if there is nothing left to search.
    Infinite,
    /// The search thinks on the opponent's time: it answers once the expected move was played, or when stopped.
    Ponder,
}

/// The limits of one search; the first that is met ends it. The default has none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// When the search was asked for: time is counted from here.
    pub start: Instant,
    /// Maximum depth of iterative deepening, in plies.
    pub depth: Option<u32>,
    /// Maximum number of nodes of all threads together.
    pub nodes: Option<u64>,
    /// Number of nodes after which no further iteration is started.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in this number of moves is found.
    pub mate: Option<u32>,
    /// Time.
    pub time: TimeLimit,
    /// Nodes that count as a millisecond of that time, so that the machine's load does not matter; 0: time is time.
    pub nodes_per_ms: u64,
    /// When the search may answer.
    pub mode: SearchMode,
    /// Root moves to search; all legal moves if empty.
    pub search_moves: Vec<Move>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            start: Instant::now(),
            depth: None,
            nodes: None,
            soft_nodes: None,
            mate: None,
            time: TimeLimit::None,
            nodes_per_ms: 0,
            mode: SearchMode::Normal,
            search_moves: Vec::new(),
        }
    }
}

impl Limits {
    /// A number of iterations.
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Finishes the iteration in which `soft` nodes are reached, but stops at `hard` nodes.
    pub fn soft_nodes(soft: u64, hard: u64) -> Self {
        Self { nodes: Some(hard), soft_nodes: Some(soft), ..Self::default() }
    }

    /// A fixed time, counted from now.
    pub fn move_time(time: Duration) -> Self {
        Self { time: TimeLimit::MoveTime(time), ..Self::default() }
    }

    /// A clock with a remainder and an increment.
    pub fn clock(remaining: Duration, increment: Duration) -> Self {
        Self { time: TimeLimit::Clock { remaining, increment, moves_to_go: None }, ..Self::default() }
    }
}

/// From now on; of a clock, its first move.
impl From<Limit> for Limits {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Depth(depth) => Self::depth(depth),
            Limit::Nodes(nodes) => Self::nodes(nodes),
            Limit::MoveTime(time) => Self::move_time(time),
            Limit::Clock(control) => Self::clock(control.base, control.increment),
        }
    }
}
