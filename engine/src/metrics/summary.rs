//! Totals over all positions, and the gain of more threads.

use alfiere_search::search::SearchCounts;
use serde::Serialize;

use super::measurement::Measurement;

/// The searches of all positions with one number of threads.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Run {
    /// Their totals.
    pub total: Summary,
    /// The searches in the order of the positions.
    pub positions: Vec<Measurement>,
}

impl Run {
    /// Sums up the searches with this number of threads.
    pub fn new(threads: usize, positions: Vec<Measurement>) -> Self {
        Self { total: Summary::new(threads, &positions), positions }
    }
}

/// The totals of all positions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// Number of threads.
    pub threads: usize,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Seconds of all searches.
    pub seconds: f64,
    /// Nodes per second.
    pub rate: f64,
    /// Geometric mean of the positions' effective branching factors.
    pub branching_factor: Option<f64>,
    /// Sum of all counts; `None` without the feature `counters`.
    pub counts: Option<SearchCounts>,
}

impl Summary {
    fn new(threads: usize, measured: &[Measurement]) -> Self {
        let nodes = measured.iter().map(|each| each.nodes).sum();
        let seconds: f64 = measured.iter().map(|each| each.seconds).sum();
        let mut counts: Option<SearchCounts> = None;
        for each in measured.iter().filter_map(|each| each.counts) {
            counts.get_or_insert_default().merge(each);
        }
        Self {
            threads,
            nodes,
            seconds,
            rate: nodes as f64 / seconds.max(1e-9),
            branching_factor: geometric_mean(measured.iter().filter_map(Measurement::branching_factor)),
            counts,
        }
    }
}

/// The gain of more threads.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SpeedUp {
    /// Number of threads.
    pub threads: usize,
    /// Nodes per second, divided by those of the first number of threads.
    pub rate: f64,
    /// Geometric mean over positions of the time to the depth with the first number of threads, divided by this one's.
    pub time: f64,
}

/// The gain over the first of several searches of the same positions.
pub fn speed_up(runs: &[Run]) -> Vec<SpeedUp> {
    let Some(base) = runs.first() else { return Vec::new() };
    let of = |Run { total, positions }: &Run| {
        let ratio = |(base, each): (&Measurement, &Measurement)| base.seconds.max(1e-6) / each.seconds.max(1e-6);
        SpeedUp {
            threads: total.threads,
            rate: total.rate / base.total.rate.max(1e-9),
            time: geometric_mean(base.positions.iter().zip(positions).map(ratio)).unwrap_or(1.0),
        }
    };
    runs.iter().map(of).collect()
}

/// The geometric mean; `None` of no values.
pub(super) fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value.ln(), count + 1));
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measurement(nodes: u64, seconds: f64) -> Measurement {
        Measurement { fen: String::new(), iterations: Vec::new(), nodes, seconds, counts: None }
    }

    #[test]
    fn the_gain_is_relative_to_the_first_run() {
        let one = Run::new(1, vec![measurement(100, 1.0), measurement(300, 3.0)]);
        let two = Run::new(2, vec![measurement(150, 0.5), measurement(450, 6.0)]);
        let [first, second] = speed_up(&[one, two])[..] else { panic!("two runs") };
        assert_eq!(first, SpeedUp { threads: 1, rate: 1.0, time: 1.0 });
        // Twice as fast in one position, half as fast in the other.
        assert!((second.time - 1.0).abs() < 1e-12 && (second.rate - 600.0 / 6.5 / 100.0).abs() < 1e-12);
        assert!(speed_up(&[]).is_empty());
    }
}
