//! The interface through which a search reports its progress and its result.

use std::time::Duration;

use alfiere_chess::types::Move;

use crate::search::score::{Score, ScoreKind};

/// A principal variation with its score and statistics, as in a UCI `info` line.
#[derive(Clone, Copy, Debug)]
pub struct Info<'a> {
    /// The iteration, in plies.
    pub depth: u32,
    /// The selective depth: the longest line searched, in plies.
    pub selective_depth: u32,
    /// Rank of the line, from 1 (MultiPV).
    pub line: usize,
    /// The score, from the side to move.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub kind: ScoreKind,
    /// Nodes searched so far by all threads.
    pub nodes: u64,
    /// Tablebase hits of all threads.
    pub tablebase_hits: u64,
    /// Time since the search was asked for.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub table_permille: usize,
    /// The expected moves; never empty unless there is no legal move.
    pub variation: &'a [Move],
}

impl<'a> Info<'a> {
    /// The best line of an iteration with an exact score; all counts are 0.
    pub const fn new(depth: u32, score: Score, variation: &'a [Move]) -> Self {
        Self {
            depth,
            selective_depth: depth,
            line: 1,
            score,
            kind: ScoreKind::Exact,
            nodes: 0,
            tablebase_hits: 0,
            time: Duration::ZERO,
            table_permille: 0,
            variation,
        }
    }
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// The move to play; `None` only without legal moves.
    pub best: Option<Move>,
    /// The answer to expect.
    pub ponder: Option<Move>,
    /// The score of the best move.
    pub score: Score,
    /// The last iteration completed.
    pub depth: u32,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Time since the search was asked for.
    pub time: Duration,
    /// The expected moves, the best first.
    pub variation: Vec<Move>,
}

/// Listens to a search. Every method does nothing unless overridden.
pub trait Reporter: Send {
    /// Whether [`Self::info`] is wanted; if not, the search skips the statistics it would need.
    fn wants_lines(&self) -> bool {
        true
    }

    /// A line has a new score or bound.
    fn info(&mut self, info: &Info<'_>) {
        let _ = info;
    }

    /// A root move is about to be searched, counted from 1; told only when a search has run for some seconds.
    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        let _ = (depth, mv, number);
    }

    /// The search panicked; [`Self::finished`] follows with the best line found before.
    fn failed(&mut self, reason: &str) {
        let _ = reason;
    }

    /// The search is over. Told exactly once.
    fn finished(&mut self, outcome: &SearchResult) {
        let _ = outcome;
    }
}

/// Listens to nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Reporter for Silent {
    fn wants_lines(&self) -> bool {
        false
    }
}
