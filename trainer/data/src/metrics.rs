//! Error metrics of predictions against labels, over a whole set, in double precision.
//!
//! All metrics are measured in **clipped centipawns**: `clamp(cp / 1000, -1, 1)`, with mates at ±1. Every printed R²,
//! MSE, RMSE and MAE is in this unit, so networks with different losses are comparable. Independent of networks and of
//! position files.

use std::ops::RangeInclusive;

use alfiere_chess::random::Random;
use ndarray::ArrayView1;

pub use alfiere_chess::centipawns::{CLIP_CENTIPAWNS, clipped};

/// If the variance of the labels is below this fraction of their mean square, it is rounding error and the labels are
/// equal.
const ROUNDING: f64 = 1e-9;

/// Errors of predictions over a whole set, in clipped centipawns.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Metrics {
    pub rows: u64,
    /// Mean squared error.
    pub mse: f64,
    /// Root of the mean squared error.
    pub rmse: f64,
    /// Mean absolute error.
    pub mae: f64,
    /// `1 - mse / variance of the labels`; 0 if the labels are constant and the error is not 0.
    pub r2: f64,
    pub label_mean: f64,
    /// Variance of the labels, equal to the MSE of the best constant predictor.
    pub label_variance: f64,
}

impl Metrics {
    /// RMSE in centipawns, with labels clipped at [`CLIP_CENTIPAWNS`].
    pub fn rmse_centipawns(&self) -> f64 {
        self.rmse * CLIP_CENTIPAWNS
    }
}

/// Accumulated sums for [`Metrics`].
///
/// Label moments are taken about a fixed shift near zero: values are in [-1, 1], where sums of squares in double
/// precision are accurate over billions of rows.
#[derive(Clone, Copy, Default, Debug)]
pub struct MetricSums {
    rows: u64,
    squared: f64,
    absolute: f64,
    label: f64,
    label_squared: f64,
}

impl MetricSums {
    /// Adds one row; both values in clipped centipawns.
    pub fn add(&mut self, prediction: f64, label: f64) {
        let error = prediction - label;
        self.rows += 1;
        self.squared += error * error;
        self.absolute += error.abs();
        self.label += label;
        self.label_squared += label * label;
    }

    /// Adds the rows of other sums.
    fn include(&mut self, other: &Self) {
        self.rows += other.rows;
        self.squared += other.squared;
        self.absolute += other.absolute;
        self.label += other.label;
        self.label_squared += other.label_squared;
    }

    /// The metrics of all rows added so far; `None` without rows.
    pub fn metrics(&self) -> Option<Metrics> {
        if self.rows == 0 {
            return None;
        }
        let rows = self.rows as f64;
        let (mse, label_mean) = (self.squared / rows, self.label / rows);
        let label_square = self.label_squared / rows;
        let spread = label_square - label_mean * label_mean;
        let label_variance = if spread > ROUNDING * label_square { spread } else { 0.0 };
        let r2 = match (label_variance > 0.0, mse > 0.0) {
            (true, _) => 1.0 - mse / label_variance,
            (false, true) => 0.0,
            (false, false) => 1.0,
        };
        Some(Metrics {
            rows: self.rows,
            mse,
            rmse: mse.sqrt(),
            mae: self.absolute / rows,
            r2,
            label_mean,
            label_variance,
        })
    }
}

impl FromIterator<(f64, f64)> for MetricSums {
    /// Sums (prediction, label) pairs in clipped centipawns.
    fn from_iter<I: IntoIterator<Item = (f64, f64)>>(pairs: I) -> Self {
        let mut sums = Self::default();
        for (prediction, label) in pairs {
            sums.add(prediction, label);
        }
        sums
    }
}

/// Mean and sample standard deviation (n − 1; 0 for one value) of a list of values; `None` if it is empty.
pub fn mean_and_deviation(values: &[f64]) -> Option<(f64, f64)> {
    let values = ArrayView1::from(values);
    Some((values.mean()?, if values.len() > 1 { values.std(1.0) } else { 0.0 }))
}

const RESAMPLES: usize = 1_000;
/// Resamples beyond the interval on each side: 2.5 %.
const TAIL: usize = RESAMPLES / 40;
/// More units than this are resampled in this many random groups, which gives the same interval.
const MAX_GROUPS: usize = 10_000;
const SEED: u64 = 1;
/// An interval wider than ± this, or over fewer units, calls for cross-validation.
const WIDE: f64 = 0.03;
const FEW_UNITS: usize = 20;

/// A 95 % interval of R².
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct R2Interval {
    /// 2.5 % of the resamples are below.
    pub low: f64,
    /// 2.5 % of the resamples are above.
    pub high: f64,
    /// Number of games (positions where games are unknown) that were resampled.
    pub units: usize,
}

impl R2Interval {
    /// The interval of the rows with these (prediction, label) pairs in clipped centipawns; rows with equal keys are of one
    /// game. `None` with fewer than two games.
    pub fn new(keys: &[u64], pairs: impl IntoIterator<Item = (f64, f64)>) -> Option<Self> {
        let mut distinct = keys.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let units = distinct.len();
        if units < 2 {
            return None;
        }
        let mut groups = vec![MetricSums::default(); units.min(MAX_GROUPS)];
        for (key, (prediction, label)) in keys.iter().zip(pairs) {
            let place = distinct.partition_point(|other| other < key) % groups.len();
            groups[place].add(prediction, label);
        }
        let mut random = Random::new(SEED);
        let mut resample = || {
            let mut sums = MetricSums::default();
            for _ in 0..groups.len() {
                sums.include(&groups[random.below(groups.len() as u64) as usize]);
            }
            sums.metrics().map_or(0.0, |metrics| metrics.r2)
        };
        let mut found: Vec<f64> = (0..RESAMPLES).map(|_| resample()).collect();
        found.sort_unstable_by(f64::total_cmp);
        Some(Self { low: found[TAIL], high: found[RESAMPLES - 1 - TAIL], units })
    }

    /// A hint for the user if the interval is wider than ±0.03, or of fewer than 20 games, too few for a bootstrap.
    pub fn hint(&self) -> Option<String> {
        let wide = format!("the interval is wider than ±{WIDE}");
        let few = format!("an interval of fewer than {FEW_UNITS} games is uncertain itself");
        let reason = match (self.units < FEW_UNITS, self.high - self.low > 2.0 * WIDE) {
            (true, _) => few,
            (false, true) => wide,
            (false, false) => return None,
        };
        Some(format!("{reason}: `trainer cross-validate` measures R2 on every game of the data"))
    }
}

/// Piece counts per bin, as in the output buckets of a network.
const WIDTH: u32 = 4;
/// Maximum number of pieces on a board.
const MAX_PIECES: u32 = 32;

/// Errors over the positions with a given range of piece counts.
#[derive(Clone, PartialEq, Debug)]
pub struct PhaseMetrics {
    /// Number of pieces, including kings.
    pub pieces: RangeInclusive<u32>,
    /// The errors; `None` without rows.
    pub metrics: Option<Metrics>,
}

/// Errors for 1 to 4, 5 to 8, … 29 to 32 pieces, from (pieces, prediction, label) with values in clipped centipawns.
pub fn by_pieces(rows: impl IntoIterator<Item = (u32, f64, f64)>) -> Vec<PhaseMetrics> {
    let mut sums = [MetricSums::default(); (MAX_PIECES / WIDTH) as usize];
    for (pieces, prediction, label) in rows {
        sums[(pieces.clamp(1, MAX_PIECES) as usize - 1) / WIDTH as usize].add(prediction, label);
    }
    let bins = (1..=MAX_PIECES).step_by(WIDTH as usize).zip(sums);
    bins.map(|(first, sums)| PhaseMetrics { pieces: first..=first + WIDTH - 1, metrics: sums.metrics() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(left: f64, right: f64) {
        assert!((left - right).abs() < 1e-12, "{left} is not {right}");
    }

    #[test]
    fn metrics_match_hand_computed_values() {
        // Labels 0.1, -0.3, 1.0, 0.0: mean 0.2, variance (0.01 + 0.09 + 1) / 4 - 0.04 = 0.235.
        // Errors 0.1, 0.1, -0.5, 0.0: squares 0.01 + 0.01 + 0.25 = 0.27.
        let sums: MetricSums = [(0.2, 0.1), (-0.2, -0.3), (0.5, 1.0), (0.0, 0.0)].into_iter().collect();
        let metrics = sums.metrics().expect("four rows");
        assert_eq!(metrics.rows, 4);
        near(metrics.mse, 0.0675);
        near(metrics.rmse, 0.0675f64.sqrt());
        near(metrics.rmse_centipawns(), 1_000.0 * 0.0675f64.sqrt());
        near(metrics.mae, 0.175);
        near(metrics.label_mean, 0.2);
        near(metrics.label_variance, 0.235);
        near(metrics.r2, 1.0 - 0.0675 / 0.235);
    }

    #[test]
    fn r2_is_zero_for_the_mean_and_one_for_the_labels() {
        let labels = [0.5, -0.5, 0.25, 0.75];
        let constant: MetricSums = labels.iter().map(|&label| (0.25, label)).collect();
        near(constant.metrics().expect("rows").r2, 0.0);
        let exact: MetricSums = labels.iter().map(|&label| (label, label)).collect();
        near(exact.metrics().expect("rows").r2, 1.0);
        assert_eq!(MetricSums::default().metrics(), None);
    }

    #[test]
    fn equal_labels_have_zero_variance_despite_rounding() {
        for (label, rows) in [(0.03, 3), (0.03, 1_500), (0.57, 1_000_000)] {
            let sums: MetricSums = (0..rows).map(|_| (label + 0.01, label)).collect();
            let metrics = sums.metrics().expect("rows");
            assert!(metrics.label_variance == 0.0 && metrics.r2 == 0.0, "{label} {rows}: {metrics:?}");
        }
        // A single row that differs by one centipawn in a thousand rows is real variance.
        let sums: MetricSums = (0..1_000).map(|row| (0.5, if row == 7 { 0.501 } else { 0.5 })).collect();
        assert!(sums.metrics().expect("rows").label_variance > 0.9e-9);
    }

    #[test]
    fn mean_and_deviation_match_hand_computed_values() {
        let (mean, deviation) = mean_and_deviation(&[1.0, 2.0, 3.0]).expect("values");
        near(mean, 2.0);
        near(deviation, 1.0);
        assert_eq!(mean_and_deviation(&[4.0]), Some((4.0, 0.0)));
    }

    /// Games of ten rows that share their error, with labels of variance 1/3 and errors of variance 1/12.
    fn interval(games: u64) -> R2Interval {
        let mut random = Random::new(7);
        let mut uniform = || random.below(1 << 20) as f64 / f64::from(1 << 19) - 1.0;
        let (mut keys, mut pairs) = (Vec::new(), Vec::new());
        for game in 0..games {
            let error = uniform() / 2.0;
            for _ in 0..10 {
                let label = uniform();
                keys.push(game << 40);
                pairs.push((label + error, label));
            }
        }
        R2Interval::new(&keys, pairs).expect("games")
    }

    #[test]
    fn an_interval_covers_r2_and_shrinks_with_games() {
        let (few, many) = (interval(100), interval(10_000));
        for found in [few, many] {
            assert!(found.low < 0.75 && 0.75 < found.high, "{found:?}");
        }
        let ratio = (few.high - few.low) / (many.high - many.low);
        assert!((7.0..14.0).contains(&ratio), "{ratio}: the root of 100 is 10");
        // More games than groups.
        let grouped = interval(40_000);
        let ratio = (many.high - many.low) / (grouped.high - grouped.low);
        assert!((1.6..2.5).contains(&ratio), "{ratio}");
        assert_eq!(interval(100), few, "the seed is fixed");
    }

    #[test]
    fn games_and_not_rows_are_resampled() {
        // All rows of a game have the error of the game: ten times as many rows say nothing more.
        let found = interval(100);
        let rows: Vec<u64> = (0..1_000).collect();
        let mut random = Random::new(7);
        let mut uniform = || random.below(1 << 20) as f64 / f64::from(1 << 19) - 1.0;
        let mut error = 0.0;
        let pairs: Vec<(f64, f64)> = (0..1_000)
            .map(|row| {
                error = if row % 10 == 0 { uniform() / 2.0 } else { error };
                let label = uniform();
                (label + error, label)
            })
            .collect();
        let by_rows = R2Interval::new(&rows, pairs).expect("rows");
        assert!(by_rows.high - by_rows.low < 0.6 * (found.high - found.low), "{by_rows:?} {found:?}");
    }

    #[test]
    fn few_games_and_wide_intervals_call_for_cross_validation() {
        assert_eq!(R2Interval::new(&[5, 5], [(0.1, 0.2), (0.1, 0.3)]), None);
        let of = |units, width| R2Interval { low: 0.3, high: 0.3 + width, units }.hint();
        assert_eq!(of(100, 0.05), None);
        assert!(
            of(100, 0.07).is_some_and(|hint| hint.starts_with("the interval is wider than ±0.03: `trainer cross-"))
        );
        assert!(of(19, 0.01).is_some_and(|hint| hint.contains("fewer than 20 games")));
    }

    #[test]
    fn rows_are_counted_in_the_bin_of_their_piece_count() {
        let bins = by_pieces([(4, 0.5, 0.0), (5, 0.1, 0.1), (32, 0.25, 0.5), (29, 0.0, -0.25)]);
        assert_eq!(bins.len(), 8);
        let rows: Vec<u64> = bins.iter().map(|bin| bin.metrics.map_or(0, |metrics| metrics.rows)).collect();
        assert_eq!(rows, [1, 1, 0, 0, 0, 0, 0, 2]);
        assert_eq!(bins[0].metrics.map(|metrics| metrics.mae), Some(0.5));
        assert_eq!((bins[1].pieces.clone(), bins[7].pieces.clone()), (5..=8, 29..=32));
        assert_eq!(bins[7].metrics.map(|metrics| metrics.mse), Some(0.0625));
    }
}
