//! Whether two runs differ by more than chance: the corrected resampled t-test, fold by fold.
//!
//! Variation between folds cancels out in differences, but the training sides of the folds overlap, so the differences
//! are not independent and a plain paired t-test is far too sure. The test multiplies their variance by 1/k + n₂/n₁
//! instead of 1/k, for k folds (of all repeats) with n₁ training and n₂ validation rows (Nadeau and Bengio, "Inference
//! for the Generalization Error", Machine Learning 52, 2003).

use alfiere_data::metrics::mean_and_deviation;
use distrs::StudentsT;
use serde::Serialize;

use super::fold::FoldResult;

/// Probability that the interval contains the difference.
const CONFIDENCE: f64 = 0.95;

/// Difference in R² between two runs over the folds that both have finished.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct PairedDifference {
    pub folds: usize,
    pub mean: f64,
    /// Standard deviation over the folds.
    pub sd: f64,
    /// `None` for a single fold, and if all differences are equal.
    #[serde(flatten)]
    pub test: Option<PairedTest>,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct PairedTest {
    /// Lower end of the 95 % confidence interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Two-sided probability of a difference at least this large between runs that are equally good.
    pub p: f64,
}

/// Difference in R² on one fold.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct FoldDifference {
    pub(super) fold: usize,
    pub(super) difference: f64,
    /// The smaller number of training rows of the two runs, which gives the wider interval.
    pub(super) training_rows: usize,
    pub(super) validation_rows: u64,
}

impl FoldDifference {
    /// R² of one run minus that of another, on each fold that both have finished.
    pub(super) fn of(folds: &[FoldResult], others: &[FoldResult]) -> Vec<Self> {
        let one = |fold: &FoldResult| {
            let other = others.iter().find(|other| other.fold == fold.fold)?;
            Some(Self {
                fold: fold.fold,
                difference: fold.metrics.r2 - other.metrics.r2,
                training_rows: fold.training_rows.min(other.training_rows),
                validation_rows: fold.metrics.rows,
            })
        };
        folds.iter().filter_map(one).collect()
    }
}

impl PairedDifference {
    /// R² of one run minus that of another; `None` without a common fold.
    pub(super) fn of(folds: &[FoldResult], others: &[FoldResult]) -> Option<Self> {
        Self::mean_of(&FoldDifference::of(folds, others))
    }

    /// The mean of differences; `None` without one.
    pub(super) fn mean_of(folds: &[FoldDifference]) -> Option<Self> {
        let (mean, sd) = mean_and_deviation(&folds.iter().map(|fold| fold.difference).collect::<Vec<_>>())?;
        let training: usize = folds.iter().map(|fold| fold.training_rows).sum();
        let validation: u64 = folds.iter().map(|fold| fold.validation_rows).sum();
        let count = folds.len() as f64;
        let error = sd * f64::sqrt(1.0 / count + validation as f64 / training.max(1) as f64);
        let test = (error > 0.0).then(|| {
            let half = error * StudentsT::ppf(f64::midpoint(1.0, CONFIDENCE), count - 1.0);
            let p = 2.0 * StudentsT::cdf(-(mean / error).abs(), count - 1.0);
            PairedTest { low: mean - half, high: mean + half, p }
        });
        Some(Self { folds: folds.len(), mean, sd, test })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::test_store::fold_result;

    /// Folds of 1000 training and 250 validation rows.
    fn run(r2: &[f64]) -> Vec<FoldResult> {
        r2.iter().enumerate().map(|(index, &r2)| fold_result(index + 1, r2)).collect()
    }

    #[test]
    fn variance_is_corrected_for_overlapping_training_sides() {
        let first = [0.30, 0.50, 0.40, 0.35, 0.45];
        let better: Vec<f64> = first.iter().zip([0.010, 0.030, 0.020, 0.015, 0.025]).map(|(r2, by)| r2 + by).collect();
        let found = PairedDifference::of(&run(&better), &run(&first)).expect("five folds");
        let test = found.test.expect("more than one fold");
        // By numerical integration of the density; without the correction, p is 0.0048.
        for (found, expected) in [
            (found.mean, 0.02),
            (found.sd, 0.0079057),
            (test.low, 0.0052757),
            (test.high, 0.0347243),
            (test.p, 0.0195835),
        ] {
            assert!((found - expected).abs() < 2e-6, "{found} {expected}");
        }
        // Fewer training rows, a wider interval.
        let mut fewer = run(&first);
        for fold in &mut fewer {
            fold.training_rows = 250;
        }
        let wider = PairedDifference::of(&run(&better), &fewer).and_then(|found| found.test).expect("a test");
        assert!(wider.p > 2.0 * test.p && wider.low < 0.0, "{wider:?}");
    }

    #[test]
    fn only_common_folds_count() {
        // The folds differ by 0.2, the runs by 0.01 and 0.03.
        let (two, three) = (run(&[0.3, 0.5]), run(&[0.31, 0.53, 0.9]));
        let found = PairedDifference::of(&three, &two).expect("two folds");
        assert!((found.mean - 0.02).abs() < 1e-9 && (found.sd - 0.02 / 2f64.sqrt()).abs() < 1e-9, "{found:?}");
        assert_eq!(found.folds, 2);
        assert_eq!(PairedDifference::of(&three[2..], &two), None);
        assert_eq!(PairedDifference::of(&three[..1], &two).and_then(|found| found.test), None);
        assert_eq!(PairedDifference::of(&two, &two).and_then(|found| found.test), None);
    }
}
