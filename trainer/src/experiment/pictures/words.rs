//! Names and subtitles in words.

use alfiere_charts::short;
use alfiere_data::HeldOutUnit;

use super::finished::{Finished, common, mean_of};
use crate::experiment::design::Axis;
use crate::experiment::fold::FoldResult;
use crate::experiment::plan::{Plan, PlannedRun};
use crate::experiment::selection::EpochSelection;

/// Rows, folds and split of the runs shown.
pub(super) fn conditions(runs: &[Finished<'_>]) -> String {
    let rows = |value: fn(&FoldResult) -> f64| {
        let all: Vec<f64> = runs.iter().filter_map(|(_, folds)| mean_of(folds, value)).collect();
        let (least, most) = all.iter().fold((f64::MAX, 0.0f64), |(a, b), &x| (a.min(x), b.max(x)));
        // Folds differ by a few rows, which is irrelevant here.
        if most > least * 1.05 { format!("{} to {}", short(least), short(most)) } else { short(most) }
    };
    let (training, validation) = (rows(|fold| fold.training_rows as f64), rows(|fold| fold.metrics.rows as f64));
    let counts = || runs.iter().map(|(run, _)| run.settings.folds);
    let (fewest, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    let folds = if fewest < most { format!("{fewest} to {most}") } else { most.to_string() };
    let split = common_unit(runs).map_or_else(String::new, |unit| format!(" {}", split_name(unit)));
    let epoch = match common(runs, |settings| settings.selection) {
        Some(EpochSelection::Last) => "; validated after the last epoch",
        Some(EpochSelection::Inner) => "; validated at the epoch selected on inner rows",
        None => "",
    };
    format!("n = {training} training, {validation} validation rows; {folds} folds{split}{epoch}")
}

/// Says which runs are shown, if not all are.
pub(super) fn best_of(shown: &[Finished<'_>], all: usize) -> String {
    let count = shown.len();
    match common(shown, |settings| settings.split) {
        _ if count == all => String::new(),
        Some(_) => format!("the best {count} of {all} runs; "),
        None => format!("{count} of {all} runs, the best of each kind of split; "),
    }
}

/// The unit that was split, with a warning if R² is too high because games are unknown.
pub(super) fn split_name(unit: HeldOutUnit) -> String {
    let warning = if unit.warning().is_some() { " (games unknown: R² is too high)" } else { "" };
    format!("split by {}{warning}", unit.name())
}

/// The unit of a run's folds.
pub(super) fn unit_of((_, folds): &Finished<'_>) -> HeldOutUnit {
    folds.first().map_or(HeldOutUnit::Games, |fold| fold.unit)
}

/// The unit that was split, if it is the same in all runs.
fn common_unit(runs: &[Finished<'_>]) -> Option<HeldOutUnit> {
    let first = unit_of(runs.first()?);
    runs.iter().all(|run| unit_of(run) == first).then_some(first)
}

/// The settings in which a run differs from others shown beside it.
pub(super) fn in_words(plan: &Plan, shown: &[Finished<'_>], run: &PlannedRun) -> String {
    let differs = |index: usize| shown.iter().any(|(other, _)| other.place[index] != run.place[index]);
    let axes = plan.axes.iter().enumerate().filter(|&(index, _)| differs(index));
    let parts: Vec<String> = axes.map(|(index, axis)| setting(axis, run.place[index])).collect();
    let unit = shown.iter().find(|(other, _)| other.id == run.id).map_or(HeldOutUnit::Games, unit_of);
    if parts.is_empty() { split_name(unit) } else { parts.join(", ") }
}

/// A value of an axis, as shown in a legend.
pub(super) fn setting(axis: &Axis, value: usize) -> String {
    let text = &axis.values[value].text;
    match axis.key.as_str() {
        "split" => format!("split by {text}"),
        "variant" | "net" => text.clone(),
        "hidden" => format!("layers {text}"),
        key => format!("{} {text}", axis_label(key)),
    }
}

/// The label of an axis.
pub(super) fn axis_label(key: &str) -> &str {
    match key {
        "training_rows" => "training rows",
        "extra_rows" => "extra training rows that are never held out",
        "hidden" => "hidden layer widths",
        "net" => "network",
        "lr" => "learning rate",
        "batch" => "batch size",
        "weight_decay" => "weight decay",
        "result_share" => "game result share",
        "variant" => "variant",
        key => key,
    }
}
