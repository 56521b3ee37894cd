//! The search of one position, with nodes and time of each iteration.

use alfiere_chess::board::Board;
use alfiere_search::engine::{Engine, Position};
use alfiere_search::search::{Info, Limits, Reporter, ScoreKind, SearchCounts};
use serde::Serialize;

/// A finished iteration.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Iteration {
    /// Depth in plies.
    pub depth: u32,
    /// Nodes of all threads since the start of the search.
    pub nodes: u64,
    /// Seconds since the start of the search.
    pub seconds: f64,
}

/// The search of a position to a depth.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Measurement {
    /// The position.
    pub fen: String,
    /// Its finished iterations.
    pub iterations: Vec<Iteration>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Seconds to the end of the search.
    pub seconds: f64,
    /// Counts of events; `None` without the feature `counters`.
    pub counts: Option<SearchCounts>,
}

impl Measurement {
    /// Nodes per second.
    pub fn rate(&self) -> f64 {
        self.nodes as f64 / self.seconds.max(1e-9)
    }

    /// Effective branching factor: the geometric mean of the nodes to a depth divided by the nodes to the depth before.
    /// `None` for fewer than two iterations.
    pub fn branching_factor(&self) -> Option<f64> {
        let (first, last) = (self.iterations.first()?, self.iterations.last()?);
        // The product of all these ratios is the last number divided by the first.
        let growth = last.nodes as f64 / first.nodes.max(1) as f64;
        (last.depth > first.depth).then(|| growth.powf(1.0 / f64::from(last.depth - first.depth)))
    }
}

/// Searches a position to a depth, with an empty table.
///
/// # Errors
/// If the system cannot start a thread.
pub fn measure(engine: &mut Engine, board: &Board, depth: u32) -> std::io::Result<Measurement> {
    engine.new_game();
    engine.set_position(Position::new(board.clone()));
    engine.take_counts();
    let mut recorder = Recorder::default();
    let outcome = engine.search(&Limits::depth(depth), &mut recorder)?;
    Ok(Measurement {
        fen: board.to_fen(),
        iterations: recorder.iterations,
        nodes: outcome.nodes,
        seconds: outcome.time.as_secs_f64(),
        counts: engine.take_counts(),
    })
}

/// Records finished iterations.
#[derive(Default)]
struct Recorder {
    iterations: Vec<Iteration>,
}

impl Reporter for Recorder {
    fn info(&mut self, info: &Info<'_>) {
        let last = self.iterations.last().map_or(0, |iteration| iteration.depth);
        if info.line == 1 && info.kind == ScoreKind::Exact && info.depth > last {
            let &Info { depth, nodes, time, .. } = info;
            self.iterations.push(Iteration { depth, nodes, seconds: time.as_secs_f64() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_branching_factor_is_a_geometric_mean() {
        let iteration = |(depth, nodes)| Iteration { depth, nodes, seconds: 0.0 };
        let of = |nodes: &[u64]| {
            let iterations = (1..).zip(nodes.iter().copied()).map(iteration).collect();
            let measurement = Measurement { fen: String::new(), iterations, nodes: 0, seconds: 0.0, counts: None };
            measurement.branching_factor()
        };
        // The ratios are 2, 4 and 1.
        assert!(of(&[10, 20, 80, 80]).is_some_and(|factor| (factor - 2.0).abs() < 1e-12));
        assert_eq!((of(&[10]), of(&[])), (None, None));
    }
}
