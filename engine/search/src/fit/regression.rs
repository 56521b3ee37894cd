//! Figures of agreement between values and targets, and the scale that makes them agree best. Pure numbers.

use alfiere_chess::centipawns::clipped;
use ndarray::Array1;
use serde::Serialize;

/// Scales that are tried; outside of it a network's centipawns mean something else.
const SCALES: (f64, f64) = (0.02, 50.0);
/// Points of the first, coarse look over all scales (logarithmic).
const COARSE_POINTS: u32 = 60;
/// Steps of the golden section after it: a relative precision of a millionth.
const FINE_STEPS: u32 = 32;

/// Agreement over a set, in clipped centipawns.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct FitMetrics {
    /// What the values were multiplied by.
    pub scale: f64,
    /// 1 − MSE / variance of the targets; not a number when all targets are equal.
    pub r2: f64,
    /// Mean squared error.
    pub mse: f64,
    /// Mean absolute error.
    pub mae: f64,
    /// Rows.
    pub rows: usize,
}

/// Agreement of `clamp(scale · centipawns / 1000, -1, 1)` with the targets. Both columns are of one length, at least 1.
pub fn fit_at_scale(centipawns: &Array1<f64>, targets: &Array1<f64>, scale: f64) -> FitMetrics {
    let errors = centipawns.mapv(|value| clipped(scale * value)) - targets;
    let count = targets.len() as f64;
    let (mse, mae) = (errors.pow2().sum() / count, errors.abs().sum() / count);
    FitMetrics { scale, r2: 1.0 - mse / targets.var(0.0), mse, mae, rows: targets.len() }
}

/// The fit at the scale with the smallest mean squared error.
///
/// Clamping makes the error no parabola of the scale, so it is searched: a coarse grid, then a golden section around
/// its best point.
pub fn best_scale(centipawns: &Array1<f64>, targets: &Array1<f64>) -> FitMetrics {
    let mse = |log_scale: f64| fit_at_scale(centipawns, targets, log_scale.exp()).mse;
    let (low, high) = (SCALES.0.ln(), SCALES.1.ln());
    let step = (high - low) / f64::from(COARSE_POINTS);
    let (mut best, mut best_mse) = (low, f64::INFINITY);
    for point in 0..=COARSE_POINTS {
        let log_scale = low + step * f64::from(point);
        let found = mse(log_scale);
        if found < best_mse {
            (best, best_mse) = (log_scale, found);
        }
    }
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (best - step, best + step);
    for _ in 0..FINE_STEPS {
        let left = high - golden * (high - low);
        let right = low + golden * (high - low);
        if mse(left) < mse(right) {
            high = right;
        } else {
            low = left;
        }
    }
    fit_at_scale(centipawns, targets, f64::midpoint(low, high).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn a_fit_by_hand() {
        // Targets 0.1, -0.1, 1, values 0.2, 0, 1 (clamped): errors 0.1, 0.1, 0. Mean 1/3, variance 0.22889.
        let fit = fit_at_scale(&array![200.0, 0.0, 1500.0], &array![0.1, -0.1, 1.0], 1.0);
        assert!((fit.mse - 0.02 / 3.0).abs() < 1e-12 && (fit.mae - 0.2 / 3.0).abs() < 1e-12);
        assert!((fit.r2 - (1.0 - 0.006_666_67 / 0.228_888_89)).abs() < 1e-6, "{fit:?}");
        assert_eq!(fit.rows, 3);
    }

    #[test]
    fn the_scale_is_found() {
        let targets: Array1<f64> = (-40..=40).map(|n| f64::from(n) / 30.0).map(|t: f64| t.clamp(-1.0, 1.0)).collect();
        let values: Array1<f64> = (-40..=40).map(|n| f64::from(n) / 30.0 * 1000.0 / 1.37).collect();
        let fit = best_scale(&values, &targets);
        assert!((fit.scale - 1.37).abs() < 0.01 && fit.r2 > 0.9999, "{fit:?}");
    }
}
