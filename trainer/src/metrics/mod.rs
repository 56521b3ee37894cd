//! How well predictions fit labels, over a whole set, in double precision.
//!
//! Report space is `clamp(cp / 1000, -1, 1)` with mates at ±1: every R², MSE, RMSE and MAE that is printed is measured
//! there, so that networks compare. Knows labels; knows nothing of networks.

mod phase;

use alfiere_chess::types::Color;

use crate::data::Label;

pub use phase::{PhaseMetrics, by_pieces};

/// Centipawns at which report space ends.
pub const REPORT_CENTIPAWNS: f64 = 1_000.0;

/// A variance of the labels below this share of their mean square is what rounding leaves of labels that are all equal.
const ROUNDING: f64 = 1e-9;

/// A score in centipawns, in report space.
pub fn report_value(centipawns: f64) -> f64 {
    (centipawns / REPORT_CENTIPAWNS).clamp(-1.0, 1.0)
}

/// A label in report space, from White's side.
pub fn report_label(label: Label) -> f64 {
    match label {
        Label::Centipawns(value) => report_value(f64::from(value)),
        Label::Mate { winner: Color::White, .. } => 1.0,
        Label::Mate { winner: Color::Black, .. } => -1.0,
    }
}

/// Errors of predictions over a whole set, in report space.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Metrics {
    /// Rows measured.
    pub rows: u64,
    /// Mean squared error.
    pub mse: f64,
    /// Its root.
    pub rmse: f64,
    /// Mean absolute error.
    pub mae: f64,
    /// `1 - mse / variance of the labels`; 0 where the labels do not vary and the error is not 0.
    pub r2: f64,
    /// Mean of the labels.
    pub label_mean: f64,
    /// Variance of the labels: the MSE of the best constant predictor.
    pub label_variance: f64,
}

impl Metrics {
    /// The root of the mean squared error in centipawns, of labels that are clipped at [`REPORT_CENTIPAWNS`].
    pub fn rmse_centipawns(&self) -> f64 {
        self.rmse * REPORT_CENTIPAWNS
    }
}

/// Sums from which [`Metrics`] follow; parts of a set may be summed apart and merged.
///
/// Label moments are taken about a fixed shift near zero: report space lies in [-1, 1], where sums of squares in double
/// precision lose nothing that matters over billions of rows.
#[derive(Clone, Copy, Default, Debug)]
pub struct MetricSums {
    rows: u64,
    squared: f64,
    absolute: f64,
    label: f64,
    label_squared: f64,
}

impl MetricSums {
    /// Adds one row; both values in report space.
    pub fn add(&mut self, prediction: f64, label: f64) {
        let error = prediction - label;
        self.rows += 1;
        self.squared += error * error;
        self.absolute += error.abs();
        self.label += label;
        self.label_squared += label * label;
    }

    /// Both sets together.
    pub fn merged(self, other: Self) -> Self {
        Self {
            rows: self.rows + other.rows,
            squared: self.squared + other.squared,
            absolute: self.absolute + other.absolute,
            label: self.label + other.label,
            label_squared: self.label_squared + other.label_squared,
        }
    }

    /// The metrics of the rows added so far; `None` when there are none.
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
    /// Sums of (prediction, label) pairs in report space.
    fn from_iter<I: IntoIterator<Item = (f64, f64)>>(pairs: I) -> Self {
        let mut sums = Self::default();
        for (prediction, label) in pairs {
            sums.add(prediction, label);
        }
        sums
    }
}

/// The factor by which predictions in centipawns are multiplied before they meet the labels in report space, so that the
/// mean squared error is least: found by golden section over `0.1..=10`, since clipping makes it non-linear.
/// The pairs are (prediction in centipawns, label).
pub fn best_scale(pairs: &[(f64, Label)]) -> f64 {
    let error = |scale: f64| -> f64 {
        pairs.iter().map(|&(value, label)| (report_value(value * scale) - report_label(label)).powi(2)).sum()
    };
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (0.1f64.ln(), 10f64.ln());
    let (mut left, mut right) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut error_left, mut error_right) = (error(left.exp()), error(right.exp()));
    while high - low > 1e-4 {
        if error_left <= error_right {
            (high, right, error_right) = (right, left, error_left);
            left = high - ratio * (high - low);
            error_left = error(left.exp());
        } else {
            (low, left, error_left) = (left, right, error_right);
            right = low + ratio * (high - low);
            error_right = error(right.exp());
        }
    }
    f64::midpoint(low, high).exp()
}

/// Mean and sample standard deviation (n − 1; 0 for one value) of a list of figures; `None` when it is empty.
pub fn mean_and_deviation(values: &[f64]) -> Option<(f64, f64)> {
    if values.is_empty() {
        return None;
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((mean, if values.len() > 1 { (squares / (count - 1.0)).sqrt() } else { 0.0 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(left: f64, right: f64) {
        assert!((left - right).abs() < 1e-12, "{left} is not {right}");
    }

    #[test]
    fn hand_computed_metrics() {
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
    fn parts_merge_to_the_whole() {
        let pairs: Vec<(f64, f64)> =
            (0..100).map(|i| ((f64::from(i) * 0.7).sin(), (f64::from(i) * 0.3).cos())).collect();
        let whole = pairs.iter().copied().collect::<MetricSums>().metrics().expect("rows");
        let left: MetricSums = pairs[..37].iter().copied().collect();
        let right: MetricSums = pairs[37..].iter().copied().collect();
        near(left.merged(right).metrics().expect("rows").r2, whole.r2);
    }

    #[test]
    fn the_mean_has_an_r2_of_zero_and_the_labels_one() {
        let labels = [0.5, -0.5, 0.25, 0.75];
        let constant: MetricSums = labels.iter().map(|&label| (0.25, label)).collect();
        near(constant.metrics().expect("rows").r2, 0.0);
        let exact: MetricSums = labels.iter().map(|&label| (label, label)).collect();
        near(exact.metrics().expect("rows").r2, 1.0);
        assert_eq!(MetricSums::default().metrics(), None);
    }

    #[test]
    fn equal_labels_do_not_vary_whatever_rounding_leaves() {
        for (label, rows) in [(0.03, 3), (0.03, 1_500), (0.57, 1_000_000)] {
            let sums: MetricSums = (0..rows).map(|_| (label + 0.01, label)).collect();
            let metrics = sums.metrics().expect("rows");
            assert!(metrics.label_variance == 0.0 && metrics.r2 == 0.0, "{label} {rows}: {metrics:?}");
        }
        // One centipawn in a thousand rows is variance.
        let sums: MetricSums = (0..1_000).map(|row| (0.5, if row == 7 { 0.501 } else { 0.5 })).collect();
        assert!(sums.metrics().expect("rows").label_variance > 0.9e-9);
    }

    #[test]
    fn report_space_clips_and_mates_are_its_ends() {
        near(report_label(Label::Centipawns(250)), 0.25);
        near(report_label(Label::Centipawns(-1_700)), -1.0);
        near(report_label(Label::Mate { winner: Color::Black, distance: 1 }), -1.0);
        near(report_label(Label::Mate { winner: Color::White, distance: 30 }), 1.0);
    }

    #[test]
    fn the_best_scale_is_found() {
        let pairs: Vec<(f64, Label)> =
            (-40..=40).map(|i| (f64::from(i) * 10.0, Label::centipawns((f64::from(i) * 13.0) as i64))).collect();
        assert!((best_scale(&pairs) - 1.3).abs() < 1e-3);
    }

    #[test]
    fn deviation_of_folds() {
        let (mean, deviation) = mean_and_deviation(&[1.0, 2.0, 3.0]).expect("values");
        near(mean, 2.0);
        near(deviation, 1.0);
        assert_eq!(mean_and_deviation(&[4.0]), Some((4.0, 0.0)));
    }
}
