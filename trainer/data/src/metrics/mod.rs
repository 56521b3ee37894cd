//! Error metrics of predictions against labels, over a whole set, in double precision.
//!
//! All metrics are measured in **clipped centipawns**: `clamp(cp / 1000, -1, 1)`, with mates at ±1. Every printed R²,
//! MSE, RMSE and MAE is in this unit, so networks with different losses are comparable. Independent of networks and of
//! position files.

mod interval;
mod phase;

use ndarray::ArrayView1;

pub use alfiere_chess::centipawns::{CLIP_CENTIPAWNS, clipped};
pub use interval::R2Interval;
pub use phase::{PhaseMetrics, by_pieces};

/// If the variance of the labels is below this fraction of their mean square, it is rounding error and the labels are
/// equal.
const ROUNDING: f64 = 1e-9;

/// Errors of predictions over a whole set, in clipped centipawns.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Metrics {
    /// Number of rows.
    pub rows: u64,
    /// Mean squared error.
    pub mse: f64,
    /// Root of the mean squared error.
    pub rmse: f64,
    /// Mean absolute error.
    pub mae: f64,
    /// `1 - mse / variance of the labels`; 0 if the labels are constant and the error is not 0.
    pub r2: f64,
    /// Mean of the labels.
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
}
