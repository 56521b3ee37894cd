//! Results as tables: one row per fold, one row per epoch, and a summary sorted by R².

use std::cmp::Ordering;
use std::fmt::Write;

use crate::data::{HeldOutUnit, SplitBy};
use crate::metrics::{CLIP_CENTIPAWNS, Metrics, mean_and_deviation};
use crate::training::MEASURED_TRAINING_ROWS;

use super::fold::FoldResult;
use super::plan::{Plan, PlannedRun};
use super::selection::EpochSelection;
use super::settings::RunSettings;
use super::store::{Store, StoreError};

/// Means and standard deviations of a run over its finished folds.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary<'a> {
    /// The run.
    pub run: &'a PlannedRun,
    /// Number of finished folds.
    pub folds: usize,
    /// R²: mean and standard deviation over the folds.
    pub r2: (f64, f64),
    /// Difference in R² to the plan's first run on the same folds: mean and standard deviation over the folds that both
    /// have finished. Variation between folds cancels out. `None` for the first run.
    pub difference: Option<(f64, f64)>,
    /// Mean squared error.
    pub mse: f64,
    /// Root mean squared error.
    pub rmse: f64,
    /// Root mean squared error in centipawns.
    pub rmse_centipawns: f64,
    /// Mean absolute error.
    pub mae: f64,
    /// Variance of the labels, equal to the MSE of the constant predictor.
    pub label_variance: f64,
    /// Number of training rows.
    pub training_rows: f64,
    /// Number of validation rows.
    pub validation_rows: f64,
    /// R² on training rows: mean over the folds.
    pub training_r2: f64,
    /// What is held out as a whole.
    pub unit: HeldOutUnit,
    /// The validated epoch.
    pub epoch: f64,
    /// Seconds per fold.
    pub seconds: f64,
}

/// The runs with at least one finished fold, best R² first.
///
/// # Errors
/// If a result cannot be read.
pub fn summaries(store: &Store) -> Result<Vec<Summary<'_>>, StoreError> {
    let results = store.results()?;
    let runs = &store.plan().runs;
    let mut all: Vec<Summary<'_>> = Vec::new();
    for (run, folds) in runs.iter().zip(&results) {
        let first =
            runs.iter().position(|other| split_key(other) == split_key(run)).filter(|&first| runs[first] != *run);
        let difference = first.and_then(|first| difference(folds, &results[first]));
        all.extend(summary(run, folds).map(|summary| Summary { difference, ..summary }));
    }
    all.sort_by(|a, b| b.r2.0.partial_cmp(&a.r2.0).unwrap_or(Ordering::Equal));
    Ok(all)
}

/// The settings that must be equal for two runs to hold out the same rows.
fn split_key(run: &PlannedRun) -> (SplitBy, usize, u64, Option<usize>) {
    let RunSettings { split, folds, split_seed, validation_rows, .. } = run.settings;
    (split, folds, split_seed, validation_rows)
}

/// Mean and standard deviation of the difference in R², fold by fold.
fn difference(folds: &[FoldResult], others: &[FoldResult]) -> Option<(f64, f64)> {
    let of = |fold: &FoldResult| {
        let other = others.iter().find(|other| other.fold == fold.fold)?;
        Some(fold.metrics.r2 - other.metrics.r2)
    };
    mean_and_deviation(&folds.iter().filter_map(of).collect::<Vec<_>>())
}

fn summary<'a>(run: &'a PlannedRun, folds: &[FoldResult]) -> Option<Summary<'a>> {
    let over = |value: &dyn Fn(&FoldResult) -> f64| mean_and_deviation(&folds.iter().map(value).collect::<Vec<_>>());
    let mean = |value: fn(&Metrics) -> f64| over(&|fold| value(&fold.metrics)).map(|(mean, _)| mean);
    Some(Summary {
        run,
        folds: folds.len(),
        r2: over(&|fold| fold.metrics.r2)?,
        difference: None,
        mse: mean(|metrics| metrics.mse)?,
        rmse: mean(|metrics| metrics.rmse)?,
        rmse_centipawns: mean(Metrics::rmse_centipawns)?,
        mae: mean(|metrics| metrics.mae)?,
        label_variance: mean(|metrics| metrics.label_variance)?,
        training_rows: over(&|fold| fold.training_rows as f64)?.0,
        validation_rows: mean(|metrics| metrics.rows as f64)?,
        training_r2: over(&|fold| fold.training.r2)?.0,
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
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// A CSV row for every finished fold of every run.
///
/// # Errors
/// If a result cannot be read.
pub fn results_csv(store: &Store) -> Result<String, StoreError> {
    let plan = store.plan();
    let mut text = header(plan, &format!("net,seed,{},seconds", FoldResult::COLUMNS));
    for (run, folds) in plan.runs.iter().zip(store.results()?) {
        let training = &run.settings.training;
        for fold in folds {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{},{},{},{},{:.1}",
                axis_cells(plan, run),
                quoted(&training.architecture.to_string()),
                training.seed,
                fold.cells(),
                fold.seconds(),
            );
        }
    }
    Ok(text)
}

/// A CSV row for every epoch of every finished fold.
///
/// # Errors
/// If a result cannot be read.
pub fn curves_csv(store: &Store) -> Result<String, StoreError> {
    let plan = store.plan();
    let mut text = header(plan, "fold,epoch,learning_rate,training_loss,validation_loss,validation_r2,validation_mae");
    for (run, folds) in plan.runs.iter().zip(store.results()?) {
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
    Ok(text)
}

/// The summary as CSV.
pub fn summary_csv(plan: &Plan, summaries: &[Summary<'_>]) -> String {
    let mut text = header(
        plan,
        "folds,r2_mean,r2_sd,against_first,against_first_sd,mse_mean,rmse_mean,mae_mean,training_rows,validation_rows,selection,\
         epoch_mean,training_r2_mean,held_out,seconds_per_fold",
    );
    for s in summaries {
        let difference = s.difference.map_or_else(|| ",".to_owned(), |(mean, sd)| format!("{mean:.6},{sd:.6}"));
        let _ = writeln!(
            text,
            "{},{},{:.6},{:.6},{difference},{:.6},{:.6},{:.6},{:.0},{:.0},{},{:.1},{:.6},{},{:.1}",
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
            s.unit.name(),
            s.seconds,
        );
    }
    text
}

/// The summary as a Markdown table.
pub fn summary_markdown(plan: &Plan, summaries: &[Summary<'_>]) -> String {
    let mut text = format!("## {}\n\n|", plan.title);
    plan.axes.iter().for_each(|axis| text.extend([" ", &axis.key, " |"]));
    text += " R² | training R² | RMSE, centipawns | R² minus first run, fold by fold | MSE | RMSE | MAE | training rows | validation rows | folds | epoch | s per fold |\n|";
    text += &"---|".repeat(plan.axes.len());
    text += &"---:|".repeat(12);
    text.push('\n');
    for s in summaries {
        text.push('|');
        let values = plan.axes.iter().zip(&s.run.place);
        values.for_each(|(axis, &value)| text.extend([" ", &axis.values[value].text, " |"]));
        let difference = s.difference.map_or_else(String::new, |(mean, sd)| format!("{mean:+.4} ± {sd:.4}"));
        let _ = writeln!(
            text,
            " {:.4} ± {:.4} | {:.4} | {:.1} | {difference} | {:.4} | {:.4} | {:.4} | {:.0} | {:.0} | {} | {:.1}, {} | {:.1} |",
            s.r2.0,
            s.r2.1,
            s.training_r2,
            s.rmse_centipawns,
            s.mse,
            s.rmse,
            s.mae,
            s.training_rows,
            s.validation_rows,
            s.folds,
            s.epoch,
            s.run.settings.selection.name(),
            s.seconds,
        );
    }
    let _ = writeln!(
        text,
        "\n± is the standard deviation over the folds. Training R² is measured without dropout, on at most {MEASURED_TRAINING_ROWS} \
         rows of a fold."
    );
    for unit in units(summaries) {
        let _ = writeln!(text, "Split {unit}.");
    }
    if let Some(warning) = units(summaries).find_map(HeldOutUnit::warning) {
        let _ = writeln!(text, "**Warning: {warning}.**");
    }
    for selection in [EpochSelection::Last, EpochSelection::Inner] {
        if summaries.iter().any(|summary| summary.run.settings.selection == selection) {
            let _ = writeln!(text, "Selected epoch, {selection}.");
        }
    }
    constant_predictor(&mut text, summaries);
    text
}

/// The units of the runs, each once.
fn units<'a>(summaries: &'a [Summary<'_>]) -> impl Iterator<Item = HeldOutUnit> + 'a {
    let is_used = |unit: &HeldOutUnit| summaries.iter().any(|summary| summary.unit == *unit);
    HeldOutUnit::ALL.into_iter().filter(is_used)
}

/// The errors of the constant predictor, one line per kind of split.
fn constant_predictor(text: &mut String, summaries: &[Summary<'_>]) {
    for unit in units(summaries) {
        let runs = summaries.iter().filter(|summary| summary.unit == unit);
        let variances: Vec<f64> = runs.map(|summary| summary.label_variance).collect();
        if let Some((mse, _)) = mean_and_deviation(&variances) {
            let (rmse, by) = (mse.sqrt(), unit.name());
            let centipawns = rmse * CLIP_CENTIPAWNS;
            let _ = writeln!(
                text,
                "Constant predictor, split by {by}: R² 0, RMSE {centipawns:.1} centipawns, MSE {mse:.4}, RMSE {rmse:.4}."
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn column_names_are_unique() {
        let text = "data = ['a']\n[run]\nfolds = [2, 3]\ntraining_rows = [10, 20]\nlr = [0.1, 0.2]\n";
        let plan = Plan::parse(text, Path::new("some.toml"), None).expect("a plan");
        let table = summary_csv(&plan, &[]);
        let columns: Vec<&str> = table.trim_end().split(',').collect();
        assert_eq!(columns[..5], ["run", "folds_asked", "lr", "training_rows_asked", "folds"]);
        assert!(columns.iter().enumerate().all(|(index, column)| !columns[..index].contains(column)), "{table}");
    }

    fn result(fold: usize, r2: f64) -> FoldResult {
        let metrics = Metrics { rows: 9, mse: 0.1, rmse: 0.3, mae: 0.2, r2, label_mean: 0.0, label_variance: 0.2 };
        FoldResult {
            fold,
            training_rows: 9,
            inner_rows: 1,
            dropped_rows: 0,
            unit: HeldOutUnit::Positions,
            selection: EpochSelection::Inner,
            epoch: 4,
            metrics,
            other_form: metrics,
            captures: crate::data::Captures::Resolve,
            training: Metrics { r2: r2 + 0.25, ..metrics },
            epochs: Vec::new(),
        }
    }

    #[test]
    fn every_column_of_a_fold_has_a_cell() {
        let cells = result(3, 0.53).cells();
        let named = FoldResult::COLUMNS.split(',').zip(cells.split(',')).collect::<Vec<_>>();
        assert_eq!(cells.split(',').count(), named.len());
        for (column, cell) in [
            ("fold", "3"),
            ("validation_rows", "9"),
            ("selection", "inner"),
            ("epoch", "4"),
            ("r2", "0.530000"),
            ("label_variance", "0.200000"),
            ("training_r2", "0.780000"),
            ("held_out", "positions"),
        ] {
            assert!(named.contains(&(column, cell)), "{named:?}");
        }
    }

    #[test]
    fn summary_explains_spread_epoch_and_constant_predictor() {
        let text = "data = ['a']\n[run]\nlr = [0.1, 0.2]\nselect = 'inner'\n";
        let plan = Plan::parse(text, Path::new("some.toml"), None).expect("a plan");
        let folds = [result(1, 0.4), result(2, 0.6)];
        let rows: Vec<Summary<'_>> = plan.runs.iter().filter_map(|run| summary(run, &folds)).collect();
        let table = summary_markdown(&plan, &rows);
        for part in [
            "| 0.1 | 0.5000 ± 0.1414 | 0.7500 | 300.0 |",
            "| 4.0, inner |",
            "± is the standard deviation over the folds. Training R² is measured without dropout",
            "Split by positions: positions of one game are in both training and validation",
            "**Warning: R2 is too high: games are unknown",
            "Selected epoch, inner: ",
            "Constant predictor, split by positions: R² 0, RMSE 447.2 centipawns, MSE 0.2000, RMSE 0.4472.",
        ] {
            assert!(table.contains(part), "{part} is missing in\n{table}");
        }
        assert!(!table.contains("last:") && !table.contains("by rows") && !table.contains("by games"), "{table}");
        let has_columns = |lines: &[&str], bar: char| {
            lines.windows(2).all(|pair| pair[0].matches(bar).count() == pair[1].matches(bar).count())
        };
        let lines: Vec<&str> = table.lines().filter(|line| line.starts_with('|')).collect();
        assert!(lines.len() == 4 && has_columns(&lines, '|'), "{table}");
        let table = summary_csv(&plan, &rows);
        let lines: Vec<&str> = table.lines().collect();
        assert!(lines.len() == 3 && has_columns(&lines, ','), "{table}");
        assert!(lines[1..].iter().all(|line| line.contains(",inner,4.0,0.750000,positions,")), "{table}");
    }

    #[test]
    fn differences_are_taken_fold_by_fold() {
        // The folds differ by 0.2, the runs by 0.01 and 0.03; a fold that the other run has not finished does not
        // count.
        let first = [result(1, 0.3), result(2, 0.5)];
        let (mean, deviation) =
            difference(&[result(2, 0.53), result(1, 0.31), result(3, 0.9)], &first).expect("two folds");
        assert!((mean - 0.02).abs() < 1e-9 && (deviation - 0.02 / 2f64.sqrt()).abs() < 1e-9, "{mean} {deviation}");
        assert_eq!(difference(&[result(3, 0.9)], &first), None);
    }
}
