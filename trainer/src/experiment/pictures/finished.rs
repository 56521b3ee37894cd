//! Runs with results, and what they have in common.

use alfiere_data::SplitBy;
use alfiere_data::metrics::mean_and_deviation;

use crate::experiment::fold::FoldResult;
use crate::experiment::plan::PlannedRun;
use crate::experiment::settings::RunSettings;

/// A run with at least one finished fold.
pub(super) type Finished<'a> = (&'a PlannedRun, &'a [FoldResult]);

/// Runs sorted by R², best first. Runs split by games and by rows alternate, because the two are not comparable.
pub(super) fn best_first<'a>(finished: &[Finished<'a>]) -> Vec<Finished<'a>> {
    let mut all = finished.to_vec();
    all.sort_by(|a, b| mean_r2(b.1).total_cmp(&mean_r2(a.1)));
    let mut ranks = [0, 0];
    let mut ranked: Vec<(usize, Finished<'a>)> = Vec::new();
    for (run, folds) in all {
        let rank = &mut ranks[usize::from(run.settings.split == SplitBy::Rows)];
        ranked.push((*rank, (run, folds)));
        *rank += 1;
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, run)| run).collect()
}

pub(super) fn r2_values(folds: &[FoldResult]) -> Vec<f64> {
    folds.iter().map(|fold| fold.metrics.r2).collect()
}

fn mean_r2(folds: &[FoldResult]) -> f64 {
    mean_and_deviation(&r2_values(folds)).map_or(f64::NEG_INFINITY, |(mean, _)| mean)
}

pub(super) fn mean_of(folds: &[FoldResult], value: impl Fn(&FoldResult) -> f64) -> Option<f64> {
    mean_and_deviation(&folds.iter().map(value).collect::<Vec<_>>()).map(|(mean, _)| mean)
}

/// The value of a setting, if it is the same in all runs.
pub(super) fn common<T: PartialEq>(runs: &[Finished<'_>], of: fn(&RunSettings) -> T) -> Option<T> {
    let (first, rest) = runs.split_first()?;
    let value = of(&first.0.settings);
    rest.iter().all(|(run, _)| of(&run.settings) == value).then_some(value)
}
