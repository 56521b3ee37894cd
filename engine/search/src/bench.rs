//! The benchmark: the same positions, the same depth, one thread. The number of nodes is the signature of the search, the
//! rate its speed.

use std::fmt;
use std::time::Duration;

use alfiere_chess::board::Board;
use alfiere_chess::positions::POSITIONS;

use crate::engine::{Engine, Position, ScoreScale};
use crate::eval::NetworkChoice;
use crate::platform::Instant;
use crate::search::{Control, Limits, Score, SearchResult, Silent};

/// How deep each position is searched unless asked otherwise.
pub const DEFAULT_DEPTH: u32 = 14;

#[derive(Clone, Debug)]
pub struct Measured {
    /// Its place in the list, from 1.
    pub number: usize,
    pub fen: &'static str,
    /// The outcome, with its score in internal units.
    pub outcome: SearchResult,
    pub normalised: Score,
}

/// The totals of all positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Nodes searched: the signature of the search.
    pub nodes: u64,
    pub time: Duration,
}

impl Summary {
    /// Nodes a second.
    pub fn rate(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// `N nodes M nps`.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.rate())
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>2}/{} {:>9} nodes {:>9}  {}",
            self.number,
            POSITIONS.len(),
            self.outcome.nodes,
            self.normalised.to_string(),
            self.fen
        )
    }
}

/// Why a benchmark could not be run.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    #[error("position {number} is not legal: {source}")]
    Position { number: usize, source: alfiere_chess::board::FenError },
    #[error("cannot spawn the search thread: {0}")]
    Thread(#[from] std::io::Error),
    #[error("stopped")]
    Stopped,
}

/// Searches all positions to a depth with a fresh engine and reports each result.
///
/// # Errors
/// If the search thread cannot be spawned, or `control` stops the benchmark.
pub fn run(
    depth: u32,
    network: NetworkChoice,
    control: &Control,
    mut report: impl FnMut(&Measured),
) -> Result<Summary, BenchError> {
    let mut engine = Engine::new();
    engine.set_network(network);
    let mut summary = Summary { nodes: 0, time: Duration::ZERO };
    for (index, &fen) in POSITIONS.iter().enumerate() {
        let number = index + 1;
        let board = Board::from_fen(fen).map_err(|source| BenchError::Position { number, source })?;
        engine.new_game();
        let scale = ScoreScale::of(&board);
        engine.set_position(Position::new(board));
        let start = Instant::now();
        control.next_search();
        let outcome = engine.search_under(control, &Limits::depth(depth), &mut Silent)?;
        if control.is_stopped() {
            return Err(BenchError::Stopped);
        }
        summary.time += start.elapsed();
        summary.nodes += outcome.nodes;
        report(&Measured { number, fen, normalised: scale.normalise(outcome.score), outcome });
    }
    Ok(summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_nodes_every_time() {
        let nodes = |network| run(4, network, &Control::default(), |_| {}).expect("the positions are legal").nodes;
        let first = nodes(NetworkChoice::default());
        assert!(first > 0);
        assert_eq!(first, nodes(NetworkChoice::default()));
        let other = NetworkChoice::of(Some(concat!(env!("CARGO_MANIFEST_DIR"), "/../../nets/beam.nnue")));
        assert_ne!(first, nodes(other.expect("a network")));
    }
}
