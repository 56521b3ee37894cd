//! Figures of the results: R² by each varied setting, by fold, and by epoch.

mod colors;
mod comparisons;
mod epochs;
mod finished;
#[cfg(test)]
mod tests;
mod words;

use crate::figures::Figure;

use super::store::{Store, StoreError};

use comparisons::{by_axis, by_fold};
use epochs::by_epoch;
use finished::{Finished, best_first};

/// Maximum number of runs whose curves by epoch are shown together: each has two.
const MAX_CURVES: usize = 4;
/// Maximum number of series in a comparison: each has a colour of its own.
const MAX_SERIES: usize = 6;
/// R² of a predictor that always returns the mean of the labels.
const CONSTANT_R2: f64 = 0.0;

/// All figures of a store's results, each with a file name without extension.
///
/// # Errors
/// If a result cannot be read.
pub fn pictures(store: &Store) -> Result<Vec<(String, Figure)>, StoreError> {
    let plan = store.plan();
    let results = store.results()?;
    let finished: Vec<Finished<'_>> =
        plan.runs.iter().zip(&results).filter(|(_, folds)| !folds.is_empty()).map(|(r, f)| (r, f.as_slice())).collect();
    let mut figures: Vec<(String, Figure)> = Vec::new();
    for (index, axis) in plan.axes.iter().enumerate().filter(|(_, axis)| axis.values.len() > 1) {
        // How rows are split only distinguishes series if another axis exists.
        if axis.key == "split" && plan.axes.iter().any(|other| other.key != "split" && other.values.len() > 1) {
            continue;
        }
        if let Some(comparison) = by_axis(plan, index, &finished) {
            figures.push((format!("r2-by-{}", axis.key.replace('_', "-")), Figure::Comparison(comparison)));
        }
    }
    if !finished.is_empty() {
        let best = best_first(&finished);
        figures.push(("r2-by-fold".to_owned(), Figure::Comparison(by_fold(plan, &best))));
        figures.push(("r2-by-epoch".to_owned(), Figure::Curves(by_epoch(plan, &best))));
    }
    Ok(figures)
}
