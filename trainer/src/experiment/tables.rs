//! Results as tables: one row per fold, one row per epoch, and a summary sorted by R².

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write;

use alfiere_data::metrics::{Metrics, mean_and_deviation};
use alfiere_data::{HeldOutUnit, SplitBy};
use serde::{Serialize, Serializer};

use super::fold::FoldResult;
use super::paired::PairedDifference;
use super::plan::{Plan, PlannedRun};
use super::results::Results;
use super::settings::RunSettings;

/// Means and standard deviations of a run over its finished folds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary<'a> {
    pub run: &'a PlannedRun,
    pub folds: usize,
    /// R²: mean and standard deviation over the folds. This and all other errors on validation rows are of the form that the
    /// runs train on; of rows as given if they differ in it.
    #[serde(serialize_with = "mean_and_sd")]
    pub r2: (f64, f64),
    /// R² minus that of the best run with the same held-out rows; `None` for the best run.
    pub against_best: Option<PairedDifference>,
    pub mse: f64,
    pub rmse: f64,
    pub rmse_centipawns: f64,
    pub mae: f64,
    /// Variance of the labels, equal to the MSE of the constant predictor.
    pub label_variance: f64,
    pub training_rows: f64,
    pub validation_rows: f64,
    /// R² on training rows: mean over the folds.
    pub training_r2: f64,
    /// R² on the validation rows as given: mean over the folds.
    pub r2_as_given: f64,
    /// R² on the validation rows with captures resolved: mean over the folds.
    pub r2_resolved: f64,
    pub unit: HeldOutUnit,
    pub epoch: f64,
    /// Seconds per fold.
    pub seconds: f64,
}

/// The runs with at least one finished fold, best R² first; those that split by rows follow the others, because their R²
/// is of rows whose games were trained on.
pub fn summaries<'a>(results: &Results<'a>) -> Vec<Summary<'a>> {
    let mut all: Vec<(Summary<'_>, &[FoldResult])> = Vec::new();
    for (run, folds) in results.comparable() {
        all.extend(summary(run, folds).map(|summary| (summary, folds)));
    }
    all.sort_by(|(a, _), (b, _)| b.r2.0.partial_cmp(&a.r2.0).unwrap_or(Ordering::Equal));
    all.sort_by_key(|(summary, _)| summary.run.settings.split == SplitBy::Rows);
    for index in 1..all.len() {
        let (better, rest) = all.split_at_mut(index);
        let (summary, folds) = &mut rest[0];
        let best = better.iter().find(|(other, _)| split_key(other.run) == split_key(summary.run));
        summary.against_best = best.and_then(|(_, others)| PairedDifference::of(folds, others));
    }
    all.into_iter().map(|(summary, _)| summary).collect()
}

/// The settings that must be equal for two runs to hold out the same rows.
pub(super) fn split_key(run: &PlannedRun) -> (SplitBy, usize, u64, Option<usize>) {
    let RunSettings { split, folds, split_seed, validation_rows, .. } = run.settings;
    (split, folds, split_seed, validation_rows)
}

/// What choosing the best run is worth: on each fold, the R² of the run that is the best on all the other folds, averaged.
/// The R² of the best run itself is higher, because these folds chose it. `None` unless two runs or more that are split
/// as the best have finished the same three folds or more.
pub(super) fn chosen_r2(results: &Results<'_>, best: &PlannedRun) -> Option<f64> {
    let rivals = results.comparable().filter(|(run, _)| split_key(run) == split_key(best));
    let of_run = |(run, folds): (&PlannedRun, &[FoldResult])| {
        (folds.len() == run.settings.all_folds()).then(|| folds.iter().map(|fold| fold.metrics.r2).collect())
    };
    let rivals: Vec<Vec<f64>> = rivals.filter_map(of_run).collect();
    let folds = best.settings.all_folds();
    if rivals.len() < 2 || folds < 3 || rivals.iter().any(|r2| r2.len() != folds) {
        return None;
    }
    let on_others = |r2: &[f64], fold: usize| r2.iter().sum::<f64>() - r2[fold];
    let chosen = |fold: usize| {
        let best = rivals.iter().max_by(|a, b| on_others(a, fold).total_cmp(&on_others(b, fold)));
        best.map_or(f64::NAN, |r2| r2[fold])
    };
    Some((0..folds).map(chosen).sum::<f64>() / folds as f64)
}

fn mean_and_sd<S: Serializer>(&(mean, sd): &(f64, f64), serializer: S) -> Result<S::Ok, S::Error> {
    BTreeMap::from([("mean", mean), ("sd", sd)]).serialize(serializer)
}

fn summary<'a>(run: &'a PlannedRun, folds: &[FoldResult]) -> Option<Summary<'a>> {
    let over = |value: &dyn Fn(&FoldResult) -> f64| mean_and_deviation(&folds.iter().map(value).collect::<Vec<_>>());
    let mean = |value: fn(&Metrics) -> f64| over(&|fold| value(&fold.metrics)).map(|(mean, _)| mean);
    Some(Summary {
        run,
        folds: folds.len(),
        r2: over(&|fold| fold.metrics.r2)?,
        against_best: None,
        mse: mean(|metrics| metrics.mse)?,
        rmse: mean(|metrics| metrics.rmse)?,
        rmse_centipawns: mean(Metrics::rmse_centipawns)?,
        mae: mean(|metrics| metrics.mae)?,
        label_variance: mean(|metrics| metrics.label_variance)?,
        training_rows: over(&|fold| fold.training_rows as f64)?.0,
        validation_rows: mean(|metrics| metrics.rows as f64)?,
        training_r2: over(&|fold| fold.training.r2)?.0,
        r2_as_given: over(&|fold| fold.as_given().r2)?.0,
        r2_resolved: over(&|fold| fold.resolved().r2)?.0,
        unit: folds.first()?.unit,
        epoch: over(&|fold| f64::from(fold.epoch))?.0,
        seconds: over(&|fold| fold.seconds())?.0,
    })
}

/// A table header: run ID, the axes, then these columns. If an axis has the name of a column, `_asked` is appended, as
/// in `training_rows_asked`.
fn header(plan: &Plan, columns: &str) -> String {
    let axis = |key: &str| {
        if columns.split(',').any(|column| column == key) { format!("{key}_asked") } else { key.to_owned() }
    };
    plan.axes.iter().fold("run".to_owned(), |text, one| text + "," + &quoted(&axis(&one.key))) + "," + columns + "\n"
}

fn axis_cells(plan: &Plan, run: &PlannedRun) -> String {
    let cells = plan.axes.iter().zip(&run.place).map(|(axis, &value)| quoted(&axis.values[value].text));
    cells.fold(run.id.clone(), |text, cell| text + "," + &cell)
}

/// Quotes a CSV cell if necessary.
pub(super) fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// A CSV row for every finished fold of every run.
pub fn results_csv(results: &Results<'_>) -> String {
    let plan = results.plan;
    let mut text = header(plan, &format!("net,seed,split_seed,{},seconds", FoldResult::COLUMNS));
    for (run, folds) in results.finished() {
        for fold in folds {
            let (settings, _) = run.settings.of_fold(fold.fold - 1);
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{},{},{},{},{},{:.1}",
                axis_cells(plan, run),
                quoted(&settings.training.architecture.to_string()),
                settings.training.seed,
                settings.split_seed,
                fold.cells(),
                fold.seconds(),
            );
        }
    }
    text
}

/// A CSV row for every epoch of every finished fold.
pub fn curves_csv(results: &Results<'_>) -> String {
    let plan = results.plan;
    let mut text = header(plan, "fold,epoch,learning_rate,training_loss,validation_loss,validation_r2,validation_mae");
    for (run, folds) in results.finished() {
        for fold in folds {
            for epoch in &fold.epochs {
                let validation = epoch.validation.map_or_else(String::new, |validation| {
                    format!("{:.6},{:.6},{:.6}", validation.loss, validation.metrics.r2, validation.metrics.mae)
                });
                let _ = writeln!(
                    text,
                    "{},{},{},{:e},{:.6},{validation}",
                    axis_cells(plan, run),
                    fold.fold,
                    epoch.epoch,
                    epoch.learning_rate,
                    epoch.training_loss,
                );
            }
        }
    }
    text
}

pub fn summary_csv(plan: &Plan, summaries: &[Summary<'_>]) -> String {
    let differences = difference_columns("against_best");
    let rest = "mse_mean,rmse_mean,mae_mean,training_rows,validation_rows,selection,epoch_mean,\
                training_r2_mean,r2_as_given_mean,r2_resolved_mean,held_out,seconds_per_fold";
    let mut text = header(plan, &format!("folds,r2_mean,r2_sd,{differences}{rest}"));
    for s in summaries {
        let differences = difference_cells(s.against_best);
        let _ = writeln!(
            text,
            "{},{},{:.6},{:.6},{differences}{:.6},{:.6},{:.6},{:.0},{:.0},{},{:.1},{:.6},{:.6},{:.6},{},{:.1}",
            axis_cells(plan, s.run),
            s.folds,
            s.r2.0,
            s.r2.1,
            s.mse,
            s.rmse,
            s.mae,
            s.training_rows,
            s.validation_rows,
            s.run.settings.selection.name(),
            s.epoch,
            s.training_r2,
            s.r2_as_given,
            s.r2_resolved,
            s.unit.name(),
            s.seconds,
        );
    }
    text
}

pub(super) fn difference_columns(name: &str) -> String {
    ["", "_sd", "_low", "_high", "_p"].map(|part| format!("{name}{part},")).concat()
}

/// Five cells, each with a comma; empty without a difference, and the last three without a test.
pub(super) fn difference_cells(difference: Option<PairedDifference>) -> String {
    let Some(PairedDifference { mean, sd, test, .. }) = difference else { return ",".repeat(5) };
    let test = test.map_or_else(|| ",".repeat(3), |test| format!("{:.6},{:.6},{:.6},", test.low, test.high, test.p));
    format!("{mean:.6},{sd:.6},{test}")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::documents::Document;
    use super::super::test_store;
    use super::*;

    #[test]
    fn column_names_are_unique() {
        let text = "data = ['a']\n[run]\nfolds = [2, 3]\ntraining_rows = [10, 20]\nlr = [0.1, 0.2]\n";
        let plan = Plan::parse(text, Path::new("some.toml"), None, None).expect("a plan");
        let table = summary_csv(&plan, &[]);
        let columns: Vec<&str> = table.trim_end().split(',').collect();
        assert_eq!(columns[..5], ["run", "folds_asked", "lr", "training_rows_asked", "folds"]);
        assert!(columns.iter().enumerate().all(|(index, column)| !columns[..index].contains(column)), "{table}");
    }

    /// R² of a run that resolves captures is 0.1 higher in its own form than on rows as given.
    #[test]
    fn runs_that_differ_in_captures_are_compared_on_rows_as_given() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "data = ['a']\n[run]\nfolds = 3\ncaptures = ['resolve', 'keep']\n";
        let r2 = |run: usize, fold: usize| [0.45, 0.40][run] + 0.01 * fold as f64;
        let store = test_store::store(folder.path(), text, r2);
        let results = Results::read(&store).expect("results");
        let found = summaries(&results);
        let mean = |value: f64| (value * 1e4).round() / 1e4;
        let order: Vec<_> = found.iter().map(|s| (s.run.place[0], mean(s.r2.0), mean(s.r2_resolved))).collect();
        assert_eq!(order, [(1, 0.41, 0.31), (0, 0.36, 0.46)]);
        let differences = found.iter().map(|s| s.against_best.map(|one| mean(one.mean)));
        assert!(differences.eq([None, Some(-0.05)]), "{found:?}");
        let text = Document::new(&results, &found, &[]).markdown();
        assert!(text.contains("of the rows as given, because"), "{text}");
    }

    #[test]
    fn runs_that_split_by_rows_are_no_rivals_of_those_that_split_by_games() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "data = ['a']\n[run]\nfolds = 2\nsplit = ['games', 'rows']\ndropout = [0.0, 0.2]\n";
        let store = test_store::store(folder.path(), text, |run, fold| 0.1 * run as f64 + 0.01 * fold as f64);
        let results = Results::read(&store).expect("results");
        let found = summaries(&results);
        let splits = found.iter().map(|s| s.run.settings.split);
        assert!(splits.eq([SplitBy::Games, SplitBy::Games, SplitBy::Rows, SplitBy::Rows]), "{found:?}");
        assert_eq!(found.iter().map(|s| s.against_best.is_none()).collect::<Vec<_>>(), [true, false, true, false]);
        let text = Document::new(&results, &found, &[]).markdown();
        assert!(text.contains("Runs split by rows are listed last"), "{text}");
    }

    #[test]
    fn the_best_of_many_is_worth_less_than_it_seems() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "data = ['a']\n[run]\nfolds = 2\nrepeats = 2\ndropout = [0.0, 0.1, 0.2]\n";
        // Equal runs, each of which was lucky on another fold.
        let store = test_store::store(folder.path(), text, |run, fold| if run == fold { 0.4 } else { 0.3 });
        let results = Results::read(&store).expect("results");
        let found = summaries(&results);
        let chosen = chosen_r2(&results, found[0].run).expect("three folds or more");
        assert!((found[0].r2.0 - 0.325).abs() < 1e-9 && (chosen - 0.3).abs() < 1e-9, "{chosen}");
        assert_eq!(found[0].folds, 4);
        let rows = results_csv(&results);
        assert!(rows.lines().nth(4).is_some_and(|line| line.contains(",2,2,4,1000,")), "{rows}");
    }

    #[test]
    fn every_column_of_a_fold_has_a_cell() {
        let folder = tempfile::tempdir().expect("a folder");
        let store =
            test_store::store(folder.path(), "data = ['a']\n[run]\nfolds = 3\nselect = 'inner'\n", |_, fold| {
                0.1 * fold as f64
            });
        let cells = store.results().expect("results")[0][2].cells();
        let named = FoldResult::COLUMNS.split(',').zip(cells.split(',')).collect::<Vec<_>>();
        assert_eq!(cells.split(',').count(), named.len());
        for (column, cell) in [
            ("fold", "3"),
            ("validation_rows", "250"),
            ("selection", "inner"),
            ("epoch", "1"),
            ("r2", "0.200000"),
            ("label_variance", "0.200000"),
            ("training_r2", "0.450000"),
            ("held_out", "games"),
            ("captures", "resolve"),
            ("r2_as_given", "0.100000"),
            ("r2_resolved", "0.200000"),
        ] {
            assert!(named.contains(&(column, cell)), "{named:?}");
        }
    }
}
