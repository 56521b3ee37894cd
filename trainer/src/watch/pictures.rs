//! Charts of runs: the same for the page and for `--figures`.

use alfiere_data::metrics::CLIP_CENTIPAWNS;
use alfiere_model::Objective;
use alfiere_training::record::LayerWeights;
use alfiere_training::{EpochRecord, TrainingOptions, Validation};

use crate::figures::{Curve, CurveKind, Curves, Histogram};

/// A run to draw.
#[derive(Clone, Copy, Debug)]
pub struct Drawn<'a> {
    /// Name in the legend; empty for a single run.
    pub name: &'a str,
    pub options: &'a TrainingOptions,
    /// Training loss as (epoch, loss); an epoch ends at its number.
    pub training: &'a [(f64, f64)],
    pub epochs: &'a [EpochRecord],
    /// Whether they are validated on inner rows.
    pub on_inner_rows: bool,
}

/// Training and validation or inner loss by epoch. `None` before there is one.
pub fn loss(subtitle: &str, runs: &[Drawn<'_>]) -> Option<Curves> {
    let training = curves(runs, CurveKind::Training, |run| run.training.to_vec());
    let validation = validation_curves(runs, |validation| validation.loss);
    let is_clipped_mse = runs.iter().all(|run| run.options.loss_is_clipped_mse());
    let level = constant(runs).filter(|_| is_clipped_mse);
    draw("Loss by epoch", subtitle, loss_name(runs), [training, validation].concat(), runs, level)
}

/// R² on validation or inner rows by epoch. `None` before there is one.
pub fn r2(subtitle: &str, runs: &[Drawn<'_>]) -> Option<Curves> {
    let curves = validation_curves(runs, |validation| validation.metrics.r2);
    let label = "R² of centipawns clipped at ±1000".to_owned();
    draw(
        &format!("R² on {} rows by epoch", held_out(runs)),
        subtitle,
        label,
        curves,
        runs,
        Some(("best constant, R² = 0".to_owned(), 0.0)),
    )
}

/// RMSE on validation or inner rows by epoch, in centipawns. `None` before there is one.
pub fn rmse(subtitle: &str, runs: &[Drawn<'_>]) -> Option<Curves> {
    let curves = validation_curves(runs, |validation| validation.metrics.rmse_centipawns());
    let level = constant(runs).map(|(name, variance)| (name, variance.sqrt() * CLIP_CENTIPAWNS));
    let label = "RMSE in centipawns, clipped at ±1000".to_owned();
    draw(&format!("RMSE on {} rows by epoch", held_out(runs)), subtitle, label, curves, runs, level)
}

/// The distribution of a layer's weights in a network, with the number at the limit.
pub fn weights(network: &str, layer: &LayerWeights) -> Histogram {
    let end = f64::from(layer.range.unwrap_or(layer.limit));
    let beyond = |name: &str, count| layer.range.map(|_| (name.to_owned(), count)).into_iter().collect();
    Histogram {
        title: format!("Weights: {}", layer.name),
        // Short enough for one line on a phone.
        subtitle: format!(
            "{network}: {:.2} % of {} × {} at ±{:.3}",
            100.0 * layer.share_at_limit(),
            layer.inputs,
            layer.outputs,
            layer.limit,
        ),
        x_label: "weight".to_owned(),
        y_label: "weights".to_owned(),
        start: -end,
        width: 2.0 * end / layer.counts.len() as f64,
        counts: layer.counts.clone(),
        left: beyond("less", layer.below),
        right: beyond("more", layer.above),
        mark: None,
    }
}

/// The kind of the rows on which all runs are validated.
fn held_out(runs: &[Drawn<'_>]) -> &'static str {
    match runs.iter().filter(|run| run.on_inner_rows).count() {
        0 => "validation",
        count if count == runs.len() => "inner",
        _ => "held-out",
    }
}

fn curves(runs: &[Drawn<'_>], kind: CurveKind, points: impl Fn(&Drawn<'_>) -> Vec<(f64, f64)>) -> Vec<Curve> {
    let of = |(color, run): (usize, &Drawn<'_>)| Curve { name: run.name.to_owned(), color, kind, points: points(run) };
    runs.iter().enumerate().map(of).collect()
}

fn validation_curves(runs: &[Drawn<'_>], value: impl Fn(&Validation) -> f64) -> Vec<Curve> {
    let point = |record: &EpochRecord| Some((f64::from(record.epoch), value(record.validation.as_ref()?)));
    curves(runs, CurveKind::Validation, |run| run.epochs.iter().filter_map(point).collect())
}

/// The curves that have points, with the best epoch of a single run.
pub(super) fn draw(
    title: &str,
    subtitle: &str,
    y_label: String,
    curves: Vec<Curve>,
    runs: &[Drawn<'_>],
    baseline: Option<(String, f64)>,
) -> Option<Curves> {
    let curves: Vec<Curve> = curves.into_iter().filter(|curve| !curve.points.is_empty()).collect();
    let best = match runs {
        [run] => run.epochs.iter().rev().find(|record| record.is_best),
        _ => None,
    };
    (!curves.is_empty()).then(|| Curves {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        x_label: "epoch".to_owned(),
        y_label,
        curves,
        mark: best.map(|record| (format!("best epoch: {}", record.epoch), f64::from(record.epoch))),
        baseline,
    })
}

/// The MSE of the best constant, if it is the same for all runs.
fn constant(runs: &[Drawn<'_>]) -> Option<(String, f64)> {
    let mut levels = runs.iter().filter_map(|run| Some(run.epochs.last()?.validation?.metrics.label_variance));
    let first = levels.next()?;
    levels.all(|level| level.total_cmp(&first).is_eq()).then(|| ("best constant".to_owned(), first))
}

fn loss_name(runs: &[Drawn<'_>]) -> String {
    let mut names = runs.iter().map(|run| loss_of(run.options));
    match names.next() {
        Some(first) if names.all(|name| name == first) => first,
        _ => "loss; the runs have different ones".to_owned(),
    }
}

fn loss_of(options: &TrainingOptions) -> String {
    match options.objective {
        Objective::ClippedCentipawns if !options.loss_is_clipped_mse() => {
            "mean squared error of clamp(cp / 1000, −1, 1), labels interpolated with results".to_owned()
        }
        Objective::ClippedCentipawns => "mean squared error of clamp(cp / 1000, −1, 1)".to_owned(),
        Objective::Tanh { scale } => format!("mean squared error of tanh(cp / {scale})"),
        Objective::Sigmoid { power, .. } => format!("mean of |sigmoid(output) − target| to the power {power}"),
    }
}
