//! Figures of the results: R² by each varied setting and by epoch.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use alfiere_charts::short;
use alfiere_data::metrics::mean_and_deviation;
use alfiere_data::{HeldOutUnit, SplitBy};

use crate::experiment::effects::Effect;
use crate::experiment::fold::{FoldResult, mean_of};
use crate::experiment::plan::{Plan, PlannedRun, common_options};
use crate::experiment::raw::Axis;
use crate::experiment::results::Results;
use crate::experiment::settings::{EpochSelection, RunSettings};
use crate::figures::{Comparison, Curve, CurveKind, Curves, Figure, Forest, ForestRow, Group, Series, XAxis};

/// Maximum number of runs whose curves by epoch are shown together: each has two.
const MAX_CURVES: usize = 4;
/// Maximum number of series in a comparison: each has a colour of its own.
const MAX_SERIES: usize = 6;
/// R² of a predictor that always returns the mean of the labels.
const CONSTANT_R2: f64 = 0.0;

/// All figures of an experiment, each with a file name without extension.
pub fn pictures(results: &Results<'_>, effects: &[Effect]) -> Vec<(String, Figure)> {
    let plan = results.plan;
    let mut figures: Vec<(String, Figure)> = Vec::new();
    figures.extend(forest(plan, effects).map(|forest| ("effects".to_owned(), Figure::Forest(forest))));
    let finished: Vec<Finished<'_>> = results.comparable().filter(|(_, folds)| !folds.is_empty()).collect();
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
        let by_epoch = by_epoch(plan, &best);
        if !by_epoch.curves.is_empty() {
            figures.push(("r2-by-epoch".to_owned(), Figure::Curves(by_epoch)));
        }
    }
    figures
}

/// The effect of each setting, with its interval.
fn forest(plan: &Plan, effects: &[Effect]) -> Option<Forest> {
    let rows: Vec<ForestRow> = effects
        .iter()
        .map(|effect| ForestRow {
            name: setting(&plan.axes[effect.axis], effect.value),
            interval: effect.against_first.map(|found| {
                let [low, high] = found.test.map_or([found.mean; 2], |test| [test.low, test.high]);
                [low, found.mean, high]
            }),
        })
        .collect();
    let others = plan.other_settings();
    (!rows.is_empty()).then(|| Forest {
        title: format!("{}: effect of each setting", plan.title),
        subtitle: format!(
            "fold by fold{others}; 95 % intervals of the paired t-test corrected for overlapping training sides; {}",
            main_options(plan.runs.iter())
        ),
        x_label: "difference in R² from the first value".to_owned(),
        rows,
    })
}

/// The options that all runs have in common, without those that are seldom changed.
fn main_options<'a>(runs: impl IntoIterator<Item = &'a PlannedRun>) -> String {
    let main = ["net", "start", "epochs", "batch", "lr", "weight-decay", "dropout", "loss"];
    let is_main = |option: &&str| option.split(' ').next().is_some_and(|name| main.contains(&name));
    common_options(runs).split(", ").filter(is_main).collect::<Vec<_>>().join(", ")
}

/// Palette indices of runs: those split by games are blue, then related colours, those split by rows vermilion, then
/// related colours, in every figure.
fn colors(splits: impl IntoIterator<Item = SplitBy>) -> Vec<usize> {
    let mut used: Vec<usize> = Vec::new();
    for split in splits {
        let own = match split {
            SplitBy::Games => [0, 2, 4, 6, 5, 3],
            SplitBy::Rows => [1, 3, 5, 6, 4, 2],
        };
        used.push(own.into_iter().find(|color| !used.contains(color)).unwrap_or(own[0]));
    }
    used
}

fn colors_of(runs: &[Finished<'_>]) -> Vec<usize> {
    colors(runs.iter().map(|(run, _)| run.settings.split))
}

/// Axes whose values span at least this ratio are logarithmic.
const WIDE_RANGE: f64 = 30.0;

/// R² by one axis; one series for each combination of the other axes that has at least two values of it, but only that of the
/// best run if they are too many.
fn by_axis(plan: &Plan, axis: usize, finished: &[Finished<'_>]) -> Option<Comparison> {
    let mut series: BTreeMap<Vec<usize>, Vec<Finished<'_>>> = BTreeMap::new();
    for &(run, folds) in finished {
        let mut others = run.place.clone();
        others.remove(axis);
        series.entry(others).or_default().push((run, folds));
    }
    series.retain(|_, runs| runs.len() > 1);
    let all_series = series.len();
    let mean = |runs: &[Finished<'_>]| runs.iter().map(|(_, folds)| mean_r2(folds)).fold(f64::NEG_INFINITY, f64::max);
    let mut shown: Vec<(Vec<usize>, Vec<Finished<'_>>)> = series.into_iter().collect();
    if all_series > MAX_SERIES {
        shown = shown.into_iter().max_by(|a, b| mean(&a.1).total_cmp(&mean(&b.1))).into_iter().collect();
    }
    if shown.is_empty() {
        return None;
    }
    let what = &plan.axes[axis];
    let others: Vec<&Axis> = plan.axes.iter().enumerate().filter(|&(index, _)| index != axis).map(|(_, a)| a).collect();
    // Series names only contain the settings that differ.
    let differs = |index: usize| shown.iter().any(|(place, _)| place[index] != shown[0].0[index]);
    let name = |place: &[usize]| {
        let parts = others.iter().enumerate().filter(|&(index, _)| differs(index));
        let parts: Vec<String> = parts.map(|(index, other)| setting(other, place[index])).collect();
        if parts.is_empty() { split_name(unit_of(&shown[0].1[0])) } else { parts.join(", ") }
    };
    let group = |&(run, folds): &Finished<'_>| {
        let value = &what.values[run.place[axis]];
        let x =
            if what.key == "training_rows" { mean_of(folds, |fold| fold.training_rows as f64) } else { value.number };
        let color = (what.key == "split").then(|| colors([run.settings.split])[0]);
        Group { label: value.text.clone(), x, values: r2_values(folds), color }
    };
    let is_shape = matches!(what.key.as_str(), "hidden" | "net");
    let colors = colors(shown.iter().map(|(_, runs)| runs[0].0.settings.split));
    let one_series = |((place, runs), color): (&(Vec<usize>, Vec<Finished<'_>>), usize)| {
        let mut runs = runs.clone();
        if is_shape {
            runs.sort_by_key(|(run, _)| run.settings.training.architecture.parameter_count());
        }
        Series { name: name(place), groups: runs.iter().map(group).collect(), color }
    };
    let series: Vec<Series> = shown.iter().zip(colors).map(one_series).collect();
    let all: Vec<Finished<'_>> = shown.iter().flat_map(|(_, runs)| runs.iter().copied()).collect();
    let x_axis = x_axis(&what.key, &series);
    let part = if all_series > MAX_SERIES {
        let (place, _) = &shown[0];
        let fixed: Vec<String> = others.iter().zip(place).map(|(other, &value)| setting(other, value)).collect();
        format!("other settings as in the best run: {}; ", fixed.join(", "))
    } else {
        String::new()
    };
    let subtitle = part + &conditions(&all);
    Some(Comparison { subtitle, ..comparison(plan, axis_label(&what.key), x_axis, series) })
}

fn comparison(plan: &Plan, x_label: &str, x_axis: XAxis, series: Vec<Series>) -> Comparison {
    Comparison {
        title: plan.title.clone(),
        subtitle: String::new(),
        x_label: x_label.to_owned(),
        y_label: "R² on held-out rows".to_owned(),
        x_axis,
        series,
        baseline: Some(("constant predictor, R² = 0".to_owned(), CONSTANT_R2)),
    }
}

fn x_axis(key: &str, series: &[Series]) -> XAxis {
    let places: Option<Vec<f64>> = series.iter().flat_map(|series| &series.groups).map(|group| group.x).collect();
    let Some(places) = places.filter(|_| !matches!(key, "seed" | "folds" | "split_seed")) else {
        return XAxis::Categories;
    };
    let (least, most) = places.iter().fold((f64::MAX, f64::MIN), |(a, b), &x| (a.min(x), b.max(x)));
    if least > 0.0 && most / least >= WIDE_RANGE { XAxis::Logarithmic } else { XAxis::Linear }
}

/// Means over the folds by epoch, for the best runs.
fn by_epoch(plan: &Plan, best: &[Finished<'_>]) -> Curves {
    let shown = &best[..best.len().min(MAX_CURVES)];
    let has_training_r2 = shown
        .iter()
        .all(|(run, folds)| has_training_r2(plan, run) && folds.iter().all(|fold| fold.metrics.label_variance > 0.0));
    let mut curves = Vec::new();
    for ((run, folds), color) in shown.iter().zip(colors_of(shown)) {
        let epochs = folds.iter().map(|fold| fold.epochs.len()).min().unwrap_or(0);
        let curve = |kind: CurveKind, value: &dyn Fn(&FoldResult, usize) -> Option<f64>| {
            let point = |epoch: usize| {
                let values: Option<Vec<f64>> = folds.iter().map(|fold| value(fold, epoch)).collect();
                Some(((epoch + 1) as f64, mean_and_deviation(&values?)?.0))
            };
            let name = if shown.len() > 1 { in_words(plan, shown, run) } else { String::new() };
            Curve { name, color, kind, points: (0..epochs).filter_map(point).collect() }
        };
        curves.push(curve(CurveKind::Validation, &|fold, epoch| {
            fold.epochs[epoch].validation.map(|validation| validation.metrics.r2)
        }));
        if has_training_r2 {
            curves.push(curve(CurveKind::Training, &|fold, epoch| {
                Some(1.0 - fold.epochs[epoch].training_loss / fold.metrics.label_variance)
            }));
        }
    }
    curves.retain(|curve| !curve.points.is_empty());
    let validation = common(shown, |settings| settings.selection)
        .map_or("the held-out fold, or with select=inner a tenth of the training side", rows_of_epochs);
    Curves {
        title: plan.title.clone(),
        subtitle: format!(
            "{}{}; mean of the folds; validation: {validation}; training: during the epoch, with dropout",
            best_of(shown, best.len()),
            conditions(shown),
        ),
        x_label: "epoch".to_owned(),
        y_label: "R²".to_owned(),
        curves,
        mark: None,
        baseline: Some(("constant predictor, R² = 0".to_owned(), CONSTANT_R2)),
    }
}

/// True if the training loss can be converted to R²: it is the squared error in clipped centipawns, over rows of the
/// same source as the validation rows, whose label variance therefore applies.
fn has_training_r2(plan: &Plan, run: &PlannedRun) -> bool {
    let learns_extra = !plan.extra.is_empty() && run.settings.extra_rows != Some(0);
    run.settings.training.loss_is_clipped_mse() && !learns_extra
}

/// The rows that the loss and R² of an epoch are measured on.
const fn rows_of_epochs(selection: EpochSelection) -> &'static str {
    match selection {
        EpochSelection::Last => "the held-out fold",
        EpochSelection::Inner => "the tenth of the training side that selects the epoch",
    }
}

type Finished<'a> = (&'a PlannedRun, &'a [FoldResult]);

/// Runs sorted by R², best first. Runs split by games and by rows alternate, because the two are not comparable.
fn best_first<'a>(finished: &[Finished<'a>]) -> Vec<Finished<'a>> {
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

fn r2_values(folds: &[FoldResult]) -> Vec<f64> {
    folds.iter().map(|fold| fold.metrics.r2).collect()
}

fn mean_r2(folds: &[FoldResult]) -> f64 {
    mean_of(folds, |fold| fold.metrics.r2).unwrap_or(f64::NEG_INFINITY)
}

/// The value of a setting, if it is the same in all runs.
fn common<T: PartialEq>(runs: &[Finished<'_>], of: fn(&RunSettings) -> T) -> Option<T> {
    let (first, rest) = runs.split_first()?;
    let value = of(&first.0.settings);
    rest.iter().all(|(run, _)| of(&run.settings) == value).then_some(value)
}

/// Rows, folds and split of the runs shown.
fn conditions(runs: &[Finished<'_>]) -> String {
    let rows = |value: fn(&FoldResult) -> f64| {
        let all: Vec<f64> = runs.iter().filter_map(|(_, folds)| mean_of(folds, value)).collect();
        let (least, most) = all.iter().fold((f64::MAX, 0.0f64), |(a, b), &x| (a.min(x), b.max(x)));
        // Folds differ by a few rows, which is irrelevant here.
        if most > least * 1.05 { format!("{} to {}", short(least), short(most)) } else { short(most) }
    };
    let (training, validation) = (rows(|fold| fold.training_rows as f64), rows(|fold| fold.metrics.rows as f64));
    let counts = || runs.iter().map(|(run, _)| run.settings.all_folds());
    let (fewest, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    let folds = if fewest < most { format!("{fewest} to {most}") } else { most.to_string() };
    let split = common_unit(runs).map_or_else(String::new, |unit| format!(" {}", split_name(unit)));
    let epoch = match common(runs, |settings| settings.selection) {
        Some(EpochSelection::Last) => "; validated after the last epoch",
        Some(EpochSelection::Inner) => "; validated at the epoch selected on inner rows",
        None => "",
    };
    let options = main_options(runs.iter().map(|(run, _)| *run));
    format!("n = {training} training, {validation} validation rows; {folds} folds{split}{epoch}; {options}")
}

/// Says which runs are shown, if not all are.
fn best_of(shown: &[Finished<'_>], all: usize) -> String {
    let count = shown.len();
    match common(shown, |settings| settings.split) {
        _ if count == all => String::new(),
        Some(_) => format!("the best {count} of {all} runs; "),
        None => format!("{count} of {all} runs, the best of each kind of split; "),
    }
}

/// The unit that was split, with a warning if R² is too high because games are unknown.
fn split_name(unit: HeldOutUnit) -> String {
    let warning = if unit.warning().is_some() { " (games unknown: R² is too high)" } else { "" };
    format!("split by {}{warning}", unit.name())
}

fn unit_of((_, folds): &Finished<'_>) -> HeldOutUnit {
    folds.first().map_or(HeldOutUnit::Games, |fold| fold.unit)
}

/// The unit that was split, if it is the same in all runs.
fn common_unit(runs: &[Finished<'_>]) -> Option<HeldOutUnit> {
    let first = unit_of(runs.first()?);
    runs.iter().all(|run| unit_of(run) == first).then_some(first)
}

/// The settings in which a run differs from others shown beside it.
fn in_words(plan: &Plan, shown: &[Finished<'_>], run: &PlannedRun) -> String {
    let differs = |index: usize| shown.iter().any(|(other, _)| other.place[index] != run.place[index]);
    let axes = plan.axes.iter().enumerate().filter(|&(index, _)| differs(index));
    let parts: Vec<String> = axes.map(|(index, axis)| setting(axis, run.place[index])).collect();
    let unit = shown.iter().find(|(other, _)| other.id == run.id).map_or(HeldOutUnit::Games, unit_of);
    if parts.is_empty() { split_name(unit) } else { parts.join(", ") }
}

/// A value of an axis, as shown in a legend.
fn setting(axis: &Axis, value: usize) -> String {
    let text = &axis.values[value].text;
    match axis.key.as_str() {
        "split" => format!("split by {text}"),
        "variant" | "net" => text.clone(),
        "hidden" => format!("layers {text}"),
        key => format!("{} {text}", axis_label(key)),
    }
}

fn axis_label(key: &str) -> &str {
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
