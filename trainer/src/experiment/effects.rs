//! The effect of each varied setting on R²: the mean difference from its first value, with all other settings equal.

use std::fmt::Write;

use alfiere_data::SplitBy;
use alfiere_data::metrics::mean_and_deviation;

use super::fold::{FoldResult, mean_of};
use super::paired::{FoldDifference, PairedDifference};
use super::plan::Plan;
use super::results::Results;
use super::settings::RunSettings;
use super::tables::{difference_cells, difference_columns, quoted, split_key};

/// One value of a varied setting.
#[derive(Clone, PartialEq, Debug)]
pub struct Effect {
    /// Index of the setting's axis.
    pub axis: usize,
    /// Index of the value.
    pub value: usize,
    /// Mean R² over the runs with this value that have a partner with the first value.
    pub r2: f64,
    /// Mean R² minus that of the partners, fold by fold; `None` for the first value.
    pub against_first: Option<PairedDifference>,
}

/// The effects of all settings that have at least two values: in a grid, averaged over the other settings; in a
/// one-at-a-time design, relative to the first run. Runs split by rows count only if none is split by games.
pub fn effects(results: &Results<'_>) -> Vec<Effect> {
    let plan = results.plan;
    let mut effects = Vec::new();
    for (axis, values) in plan.axes.iter().enumerate() {
        let of_axis: Vec<Effect> = (0..values.values.len()).filter_map(|value| effect(results, axis, value)).collect();
        if of_axis.iter().any(|one| one.against_first.is_some()) {
            effects.extend(of_axis);
        }
    }
    effects
}

fn effect(results: &Results<'_>, axis: usize, value: usize) -> Option<Effect> {
    let plan = results.plan;
    let by_games = plan.runs.iter().any(|run| run.settings.split == SplitBy::Games);
    let counts = |settings: &RunSettings| !by_games || settings.split == SplitBy::Games;
    // Pairs of runs that differ in this setting only; at the first value, each run is its own partner.
    let pairs: Vec<(&[FoldResult], &[FoldResult])> = (results.comparable())
        .filter(|(run, folds)| run.place[axis] == value && !folds.is_empty() && counts(&run.settings))
        .filter_map(|(run, folds)| {
            let mut place = run.place.clone();
            place[axis] = 0;
            let (first, first_folds) = results.comparable().find(|(other, _)| other.place == place)?;
            // The first value of an axis counts where another one does: in a one-at-a-time design, only in the first run.
            let with = |value: usize| {
                let mut place = place.clone();
                place[axis] = value;
                plan.runs.iter().any(|other| other.place == place)
            };
            let is_compared = value > 0 || (1..plan.axes[axis].values.len()).any(with);
            let is_partner = is_compared && !first_folds.is_empty() && split_key(first) == split_key(run);
            is_partner.then_some((folds, first_folds))
        })
        .collect();
    let means: Vec<f64> = pairs.iter().filter_map(|(folds, _)| mean_of(folds, |fold| fold.metrics.r2)).collect();
    let (r2, _) = mean_and_deviation(&means)?;
    let against_first = if value == 0 { None } else { PairedDifference::mean_of(&differences(&pairs)) };
    Some(Effect { axis, value, r2, against_first })
}

/// The differences of each fold that all pairs have finished, averaged over the pairs.
fn differences(pairs: &[(&[FoldResult], &[FoldResult])]) -> Vec<FoldDifference> {
    let all: Vec<Vec<FoldDifference>> = pairs.iter().map(|(folds, others)| FoldDifference::of(folds, others)).collect();
    let Some((first, rest)) = all.split_first() else { return Vec::new() };
    let of_fold = |one: &FoldDifference| {
        let others: Option<Vec<&FoldDifference>> =
            rest.iter().map(|pair| pair.iter().find(|other| other.fold == one.fold)).collect();
        let mut same = others?;
        same.push(one);
        let count = same.len();
        Some(FoldDifference {
            fold: one.fold,
            difference: same.iter().map(|one| one.difference).sum::<f64>() / count as f64,
            training_rows: same.iter().map(|one| one.training_rows).sum::<usize>() / count,
            validation_rows: same.iter().map(|one| one.validation_rows).sum::<u64>() / count as u64,
        })
    };
    first.iter().filter_map(of_fold).collect()
}

/// A CSV row for each value of each varied setting.
pub fn effects_csv(plan: &Plan, effects: &[Effect]) -> String {
    let mut text = format!("setting,value,{}r2_mean\n", difference_columns("against_first"));
    for effect in effects {
        let axis = &plan.axes[effect.axis];
        let value = quoted(&axis.values[effect.value].text);
        let differences = difference_cells(effect.against_first);
        let _ = writeln!(text, "{},{value},{differences}{:.6}", quoted(&axis.key), effect.r2);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::test_store::store;
    use super::*;

    fn found(text: &str, r2: impl Fn(usize, usize) -> f64) -> Vec<(usize, usize, f64, Option<f64>)> {
        let folder = tempfile::tempdir().expect("a folder");
        let store = store(folder.path(), text, r2);
        let round = |value: f64| (value * 1e4).round() / 1e4;
        let one = |e: Effect| (e.axis, e.value, round(e.r2), e.against_first.map(|one| round(one.mean)));
        effects(&Results::read(&store).expect("results")).into_iter().map(one).collect()
    }

    #[test]
    fn effects_in_a_grid_are_means_over_the_other_settings() {
        // R² of dropout 0 and 0.5 with hidden 8 and 16, in this order.
        let r2 = |run: usize, fold: usize| [0.20, 0.26, 0.30, 0.32][run] + 0.01 * fold as f64;
        let text =
            "data = ['a']\n[run]\nfolds = 2\nhidden = [[8], [16]]\ndropout = [0.0, 0.5]\nsplit = ['games', 'rows']\n";
        // Runs split by rows, every second one, are left out.
        let effects = found(text, |run, fold| r2(run / 2, fold) + 0.3 * (run % 2) as f64);
        let expected = [(0, 0, 0.235, None), (0, 1, 0.315, Some(0.08)), (1, 0, 0.255, None), (1, 1, 0.295, Some(0.04))];
        assert_eq!(effects, expected);
    }

    #[test]
    fn effects_of_one_at_a_time_are_relative_to_the_first_run() {
        let text =
            "data = ['a']\ndesign = 'one-at-a-time'\n[run]\nfolds = 2\ndropout = [0.0, 0.5]\nlr = [0.001, 0.01]\n";
        let effects = found(text, |run, fold| [0.3, 0.35, 0.2][run] + 0.01 * fold as f64);
        let expected = [(0, 0, 0.305, None), (0, 1, 0.355, Some(0.05)), (1, 0, 0.305, None), (1, 1, 0.205, Some(-0.1))];
        assert_eq!(effects, expected);
    }
}
