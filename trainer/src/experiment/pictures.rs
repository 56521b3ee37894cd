//! Figures of the results: R² by each varied setting, by fold, and by epoch.

use std::collections::BTreeMap;

use crate::data::SplitBy;
use crate::figures::{Comparison, Curve, CurveKind, Curves, Figure, Group, Series, XAxis};
use crate::metrics::mean_and_deviation;

use super::design::Axis;
use super::fold::FoldResult;
use super::plan::{Plan, PlannedRun};
use super::selection::EpochSelection;
use super::settings::RunSettings;
use super::store::{Store, StoreError};

/// Maximum number of series in a figure.
const MAX_SERIES: usize = 6;
/// Maximum number of runs whose curves are shown together.
const MAX_CURVES: usize = 4;
/// Axes whose values span at least this ratio are logarithmic.
const WIDE_RANGE: f64 = 30.0;
/// R² of a predictor that always returns the mean of the labels.
const CONSTANT_R2: f64 = 0.0;

/// A run with at least one finished fold.
type Finished<'a> = (&'a PlannedRun, &'a [FoldResult]);

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
    mean_and_deviation(&r2_values(folds)).map_or(f64::NEG_INFINITY, |(mean, _)| mean)
}

/// R² by one axis; one series for each combination of the other axes that has at least two values of it.
fn by_axis(plan: &Plan, axis: usize, finished: &[Finished<'_>]) -> Option<Comparison> {
    let mut series: BTreeMap<Vec<usize>, Vec<Finished<'_>>> = BTreeMap::new();
    for &(run, folds) in finished {
        let mut others = run.place.clone();
        others.remove(axis);
        series.entry(others).or_default().push((run, folds));
    }
    series.retain(|_, runs| runs.len() > 1);
    let shown: Vec<(Vec<usize>, Vec<Finished<'_>>)> = series.into_iter().take(MAX_SERIES).collect();
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
        if parts.is_empty() { split_name(shown[0].1[0].0.settings.split) } else { parts.join(", ") }
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
    Some(comparison(plan, &all, axis_label(&what.key), x_axis, series))
}

/// R² by fold, for the best runs.
fn by_fold(plan: &Plan, best: &[Finished<'_>]) -> Comparison {
    let shown = &best[..best.len().min(MAX_CURVES)];
    let series = shown.iter().zip(colors_of(shown)).map(|((run, folds), color)| {
        let group = |fold: &FoldResult| Group {
            label: fold.fold.to_string(),
            x: None,
            values: vec![fold.metrics.r2],
            color: None,
        };
        Series { name: in_words(plan, shown, run), groups: folds.iter().map(group).collect(), color }
    });
    let subtitle = conditions(shown);
    let x_label = "fold that was held out".to_owned();
    Comparison { subtitle, x_label, ..comparison(plan, shown, "", XAxis::Categories, series.collect()) }
}

fn comparison(plan: &Plan, runs: &[Finished<'_>], x_label: &str, x_axis: XAxis, series: Vec<Series>) -> Comparison {
    Comparison {
        title: plan.title.clone(),
        subtitle: format!(
            "{}; a dot is a fold, bars are the mean ± standard deviation over the folds",
            conditions(runs)
        ),
        x_label: x_label.to_owned(),
        y_label: "R² on held-out rows".to_owned(),
        x_axis,
        series,
        baseline: Some(("constant predictor, R² = 0".to_owned(), CONSTANT_R2)),
    }
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
    let validation = common(shown, |settings| settings.selection)
        .map_or("the held-out fold, or with select=inner a tenth of the training side", rows_of_epochs);
    Curves {
        title: plan.title.clone(),
        subtitle: format!(
            "{}; mean of the folds; validation: {validation}; training: during the epoch, with dropout",
            conditions(shown)
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

/// Rows, folds and split of the runs shown.
fn conditions(runs: &[Finished<'_>]) -> String {
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
    let split = common(runs, |settings| settings.split).map_or_else(String::new, |by| format!(" {}", split_name(by)));
    let epoch = match common(runs, |settings| settings.selection) {
        Some(EpochSelection::Last) => "; validated after the last epoch",
        Some(EpochSelection::Inner) => "; validated at the epoch selected on inner rows",
        None => "",
    };
    format!("n = {training} training, {validation} validation rows; {folds} folds{split}{epoch}")
}

/// The value of a setting, if it is the same in all runs.
fn common<T: PartialEq>(runs: &[Finished<'_>], of: fn(&RunSettings) -> T) -> Option<T> {
    let (first, rest) = runs.split_first()?;
    let value = of(&first.0.settings);
    rest.iter().all(|(run, _)| of(&run.settings) == value).then_some(value)
}

/// Formats 1,193,189 as `1.19 M` and 12,000 as `12 k`.
fn short(rows: f64) -> String {
    let rounded = |value: f64| {
        let text = format!("{value:.2}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    match rows {
        1e6.. => format!("{} M", rounded(rows / 1e6)),
        1e4.. => format!("{:.0} k", rows / 1e3),
        1e3.. => format!("{} k", rounded(rows / 1e3)),
        _ => format!("{rows:.0}"),
    }
}

fn split_name(split: SplitBy) -> String {
    format!("split by {}", split.name())
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

/// The settings in which a run differs from others shown beside it.
fn in_words(plan: &Plan, shown: &[Finished<'_>], run: &PlannedRun) -> String {
    let differs = |index: usize| shown.iter().any(|(other, _)| other.place[index] != run.place[index]);
    let axes = plan.axes.iter().enumerate().filter(|&(index, _)| differs(index));
    let parts: Vec<String> = axes.map(|(index, axis)| setting(axis, run.place[index])).collect();
    if parts.is_empty() { split_name(run.settings.split) } else { parts.join(", ") }
}

/// The rows that the loss and R² of an epoch are measured on.
const fn rows_of_epochs(selection: EpochSelection) -> &'static str {
    match selection {
        EpochSelection::Last => "the held-out fold",
        EpochSelection::Inner => "the tenth of the training side that selects the epoch",
    }
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

/// The label of an axis.
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

fn x_axis(key: &str, series: &[Series]) -> XAxis {
    let places: Option<Vec<f64>> = series.iter().flat_map(|series| &series.groups).map(|group| group.x).collect();
    let Some(places) = places.filter(|_| !matches!(key, "seed" | "folds" | "split_seed")) else {
        return XAxis::Categories;
    };
    let (least, most) = places.iter().fold((f64::MAX, f64::MIN), |(a, b), &x| (a.min(x), b.max(x)));
    if least > 0.0 && most / least >= WIDE_RANGE { XAxis::Logarithmic } else { XAxis::Linear }
}

fn mean_of(folds: &[FoldResult], value: impl Fn(&FoldResult) -> f64) -> Option<f64> {
    mean_and_deviation(&folds.iter().map(value).collect::<Vec<_>>()).map(|(mean, _)| mean)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::metrics::Metrics;
    use crate::shard::Shard;

    /// A store whose R² values encode the run and the fold.
    fn store(folder: &Path, text: &str) -> Store {
        let plan = Plan::parse(text, Path::new("some.toml"), None).expect("a plan");
        let store = Store::open(folder, plan, "data").expect("a folder");
        for task in store.plan().tasks(Shard::WHOLE) {
            let r2 = 0.1 * (task.run + 1) as f64 + 0.01 * task.fold as f64;
            let metrics =
                Metrics { rows: 250, mse: 0.1, rmse: 0.3, mae: 0.2, r2, label_mean: 0.0, label_variance: 0.2 };
            let settings = &store.plan().runs[task.run].settings;
            let result = FoldResult {
                fold: task.fold + 1,
                training_rows: settings.training_rows.unwrap_or(1_000).min(1_000),
                inner_rows: 0,
                dropped_rows: 0,
                selection: settings.selection,
                epoch: 1,
                metrics,
                epochs: Vec::new(),
            };
            store.keep(task, &result).expect("kept");
        }
        store
    }

    fn comparison_of(store: &Store, name: &str) -> Comparison {
        match pictures(store).expect("results").into_iter().find(|(found, _)| found == name) {
            Some((_, Figure::Comparison(comparison))) => comparison,
            other => panic!("{name} is {other:?}"),
        }
    }

    #[test]
    fn grid_has_a_series_per_split_and_a_dot_per_fold() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "data = ['a']\n[run]\nfolds = 3\nhidden = [[64], [8, 8], [16]]\nsplit = ['games', 'rows']\n";
        let store = store(folder.path(), text);
        let names: Vec<String> = pictures(&store).expect("results").into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["r2-by-hidden", "r2-by-fold", "r2-by-epoch"]);
        let found = comparison_of(&store, "r2-by-hidden");
        let series: Vec<&str> = found.series.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(series, ["split by games", "split by rows"]);
        let labels: Vec<&str> = found.series[1].groups.iter().map(|group| group.label.as_str()).collect();
        assert_eq!(labels, ["[8,8]", "[16]", "[64]"], "the smallest network first");
        let near = |values: &[f64], expected: [f64; 3]| values.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(near(&found.series[1].groups[2].values, [0.2, 0.21, 0.22]), "{found:?}");
        assert_eq!(found.x_axis, XAxis::Categories);
        let folds = comparison_of(&store, "r2-by-fold");
        let shown: Vec<&str> = folds.series.iter().map(|series| series.name.as_str()).collect();
        let expected = [
            "layers [16], split by rows",
            "layers [16], split by games",
            "layers [8,8], split by rows",
            "layers [8,8], split by games",
        ];
        assert_eq!(shown, expected, "the best of each split in turn");
        assert!(found.subtitle.starts_with("n = 1 k training, 250 validation rows; 3 folds;"), "{}", found.subtitle);
    }

    #[test]
    fn training_rows_have_a_logarithmic_axis() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "data = ['a']\n[run]\nfolds = 2\ntraining_rows = [10, 100, 1000000]\n";
        let found = comparison_of(&store(folder.path(), text), "r2-by-training-rows");
        assert_eq!(found.x_axis, XAxis::Logarithmic);
        let places: Vec<Option<f64>> = found.series[0].groups.iter().map(|group| group.x).collect();
        assert_eq!(places, [Some(10.0), Some(100.0), Some(1_000.0)]);
        assert_eq!(found.series[0].name, "split by games");
    }

    #[test]
    fn figure_with_different_fold_counts_shows_their_range() {
        let folder = tempfile::tempdir().expect("a folder");
        let found = comparison_of(&store(folder.path(), "data = ['a']\n[run]\nfolds = [2, 3]\n"), "r2-by-folds");
        assert!(found.subtitle.contains("; 2 to 3 folds split by games;"), "{}", found.subtitle);
    }

    #[test]
    fn figures_name_the_validated_epoch_and_the_spread() {
        let subtitles = |select: &str| {
            let folder = tempfile::tempdir().expect("a folder");
            let store = store(folder.path(), &format!("data = ['a']\n[run]\nfolds = 2\nselect = {select}\n"));
            pictures(&store)
                .expect("results")
                .into_iter()
                .map(|(_, figure)| match figure {
                    Figure::Comparison(figure) => figure.subtitle,
                    Figure::Curves(figure) => figure.subtitle,
                    other => panic!("{other:?}"),
                })
                .collect::<Vec<String>>()
        };
        for (select, validated, validation) in [
            ("'last'", "validated after the last epoch", "validation: the held-out fold;"),
            ("'inner'", "validated at the epoch selected on inner rows", "validation: the tenth of the training side"),
        ] {
            let [by_fold, by_epoch] = subtitles(select).try_into().expect("two figures");
            assert!(by_fold.contains(validated) && by_epoch.contains(validated), "{by_fold}, {by_epoch}");
            assert!(by_epoch.contains(validation), "{by_epoch}");
        }
        let [by_select, _, by_epoch] = subtitles("['last', 'inner']").try_into().expect("three figures");
        assert!(!by_select.contains("validated a"), "{by_select}");
        assert!(by_select.ends_with("the mean ± standard deviation over the folds"), "{by_select}");
        assert!(by_epoch.contains("or with select=inner a tenth"), "{by_epoch}");
    }

    #[test]
    fn training_r2_requires_a_clipped_mse_loss() {
        let has = |text: &str| {
            let plan = Plan::parse(&format!("data = ['a']\n{text}\n"), Path::new("some.toml"), None).expect("a plan");
            has_training_r2(&plan, &plan.runs[0])
        };
        assert!(has("[run]\nlr = 0.1"));
        assert!(has("extra = ['b']\n[run]\nextra_rows = 0"));
        for text in ["[run]\nloss = 'tanh'", "[run]\nresult_share = '0:0.3'", "extra = ['b']"] {
            assert!(!has(text), "{text}");
        }
    }

    #[test]
    fn one_at_a_time_has_one_series_per_axis_through_the_base() {
        let folder = tempfile::tempdir().expect("a folder");
        let text =
            "data = ['a']\ndesign = 'one-at-a-time'\n[run]\nfolds = 2\ndropout = [0.0, 0.1, 0.2]\nlr = [0.001, 0.01]\n";
        let store = store(folder.path(), text);
        let dropout = comparison_of(&store, "r2-by-dropout");
        assert_eq!((dropout.series.len(), dropout.series[0].groups.len()), (1, 3));
        assert_eq!(dropout.x_axis, XAxis::Linear);
        let rate = comparison_of(&store, "r2-by-lr");
        assert_eq!((rate.series.len(), rate.series[0].groups.len()), (1, 2));
        assert_eq!(rate.series[0].groups[0].values, dropout.series[0].groups[0].values);
    }
}
