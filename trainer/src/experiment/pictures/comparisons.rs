//! R² by a varied setting and by fold.

use std::collections::BTreeMap;

use super::colors::{colors, colors_of};
use super::finished::{Finished, mean_of, r2_values};
use super::words::{axis_label, best_of, conditions, in_words, setting, split_name, unit_of};
use super::{CONSTANT_R2, MAX_SERIES};
use crate::experiment::design::Axis;
use crate::experiment::fold::FoldResult;
use crate::experiment::plan::Plan;
use crate::figures::{Comparison, Group, Series, XAxis};

/// Axes whose values span at least this ratio are logarithmic.
const WIDE_RANGE: f64 = 30.0;

/// R² by one axis; one series for each combination of the other axes that has at least two values of it.
pub(super) fn by_axis(plan: &Plan, axis: usize, finished: &[Finished<'_>]) -> Option<Comparison> {
    let mut series: BTreeMap<Vec<usize>, Vec<Finished<'_>>> = BTreeMap::new();
    for &(run, folds) in finished {
        let mut others = run.place.clone();
        others.remove(axis);
        series.entry(others).or_default().push((run, folds));
    }
    series.retain(|_, runs| runs.len() > 1);
    let all_series = series.len();
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
        format!("the first {MAX_SERIES} of {all_series} combinations of the other settings; ")
    } else {
        String::new()
    };
    let subtitle = part + &conditions(&all);
    Some(Comparison { subtitle, ..comparison(plan, axis_label(&what.key), x_axis, series) })
}

/// R² by fold, for the best runs.
pub(super) fn by_fold(plan: &Plan, best: &[Finished<'_>]) -> Comparison {
    let shown = &best[..best.len().min(MAX_SERIES)];
    let series = shown.iter().zip(colors_of(shown)).map(|((run, folds), color)| {
        let group = |fold: &FoldResult| Group {
            label: fold.fold.to_string(),
            x: None,
            values: vec![fold.metrics.r2],
            color: None,
        };
        Series { name: in_words(plan, shown, run), groups: folds.iter().map(group).collect(), color }
    });
    let subtitle = best_of(shown, best.len()) + &conditions(shown);
    Comparison { subtitle, ..comparison(plan, "fold that was held out", XAxis::Categories, series.collect()) }
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
