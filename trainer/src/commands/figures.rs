//! `--figures FOLDER`: figures of a run and of a network's errors, as SVG and PNG.

use std::path::{Path, PathBuf};

use alfiere_trainer::check::IntegerNetwork;
use alfiere_trainer::data::{Row, atomic};
use alfiere_trainer::figures::{Agreement, Curve, CurveKind, Curves, Figure, PhaseBin, PhaseError};
use alfiere_trainer::metrics::{MetricSums, PhaseMetrics, by_pieces, clipped};
use alfiere_trainer::model::Objective;
use alfiere_trainer::training::{EpochRecord, TrainingOptions, TrainingResult};

use super::output::grouped;
use super::progress::remark;
use super::{CommandResult, Failure};

/// The image formats that are written.
const KINDS: [&str; 2] = ["svg", "png"];

/// Creates the folder, so that failure is reported before hours of work.
pub(crate) fn prepare(folder: Option<&PathBuf>) -> CommandResult {
    let Some(folder) = folder else { return Ok(()) };
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::new(format!("{}: cannot create this folder: {error}", folder.display())))?;
    Ok(atomic::check_writable(&folder.join("figure.svg"))?)
}

/// Loss and R² by epoch: files `loss` and `r2`.
pub(crate) fn write_curves(
    folder: &Path,
    about: &str,
    options: &TrainingOptions,
    run: &TrainingResult,
) -> CommandResult {
    let validation = |of: fn(&EpochRecord) -> Option<f64>| Curve {
        name: String::new(),
        color: 0,
        kind: CurveKind::Validation,
        points: run.history.iter().filter_map(|record| Some((f64::from(record.epoch), of(record)?))).collect(),
    };
    let training = Curve {
        name: String::new(),
        color: 0,
        kind: CurveKind::Training,
        points: run.history.iter().map(|record| (f64::from(record.epoch), record.training_loss)).collect(),
    };
    let constant = run.history.iter().find_map(|record| Some(record.validation?.metrics.label_variance));
    let mark = Some((format!("best epoch: {}", run.best_epoch), f64::from(run.best_epoch)));
    let loss = Curves {
        title: "Loss by epoch".to_owned(),
        subtitle: about.to_owned(),
        x_label: "epoch".to_owned(),
        y_label: loss_name(options),
        curves: vec![training, validation(|record| Some(record.validation?.loss))],
        mark: mark.clone(),
        baseline: constant.filter(|_| options.loss_is_clipped_mse()).map(|level| ("best constant".to_owned(), level)),
    };
    let explained = Curves {
        title: "R² on validation rows by epoch".to_owned(),
        subtitle: about.to_owned(),
        x_label: "epoch".to_owned(),
        y_label: "R², clipped centipawns".to_owned(),
        curves: vec![validation(|record| Some(record.validation?.metrics.r2))],
        mark,
        baseline: Some(("best constant, R² = 0".to_owned(), 0.0)),
    };
    write(folder, "loss", &Figure::Curves(loss))?;
    write(folder, "r2", &Figure::Curves(explained))
}

fn loss_name(options: &TrainingOptions) -> String {
    match options.objective {
        Objective::ClippedCentipawns if !options.loss_is_clipped_mse() => {
            "mean squared error, labels interpolated with results".to_owned()
        }
        Objective::ClippedCentipawns => "mean squared error, clipped centipawns".to_owned(),
        Objective::Tanh { scale } => format!("mean squared error of tanh(cp / {scale})"),
        Objective::Sigmoid { power, .. } => format!("mean of |sigmoid(output) − target| to the power {power}"),
    }
}

/// Predictions of the quantised network against the labels, and its errors by game phase: files `agreement` and
/// `phase`.
pub(crate) fn write_errors(folder: &Path, about: &str, network: &[u8], rows: &[Row], picks: &[u32]) -> CommandResult {
    let network = IntegerNetwork::parse(network)?;
    let predicted: Vec<(u32, f64, f64)> = picks
        .iter()
        .map(|&pick| {
            let row = &rows[pick as usize];
            (row.piece_count(), clipped(f64::from(network.evaluate(row))), row.label().clipped())
        })
        .collect();
    let sums: MetricSums = predicted.iter().map(|&(_, prediction, label)| (prediction, label)).collect();
    let metrics = sums.metrics().ok_or_else(|| Failure::new("figures: there are no rows to draw"))?;
    let fit = format!("R² {:.3}, RMSE {:.3}, MAE {:.3}", metrics.r2, metrics.rmse, metrics.mae);
    let subtitle = format!("{about}, {} rows: {fit}", grouped(metrics.rows));
    let agreement = Agreement {
        title: "Prediction against label".to_owned(),
        subtitle: subtitle.clone(),
        pairs: predicted.iter().map(|&(_, prediction, label)| (label, prediction)).collect(),
    };
    let phases = PhaseError {
        title: "Error by game phase".to_owned(),
        subtitle,
        bins: by_pieces(predicted).iter().map(bin).collect(),
    };
    write(folder, "agreement", &Figure::Agreement(agreement))?;
    write(folder, "phase", &Figure::PhaseError(phases))
}

fn bin(phase: &PhaseMetrics) -> PhaseBin {
    let label = format!("{} to {}", phase.pieces.start(), phase.pieces.end());
    let of = |value: fn(&alfiere_trainer::metrics::Metrics) -> f64| phase.metrics.as_ref().map_or(0.0, value);
    PhaseBin {
        label,
        rows: phase.metrics.map_or(0, |metrics| metrics.rows),
        mse: of(|metrics| metrics.mse),
        mae: of(|metrics| metrics.mae),
        r2: of(|metrics| metrics.r2),
        variance: of(|metrics| metrics.label_variance),
    }
}

/// Writes one figure in every format.
pub(crate) fn write(folder: &Path, name: &str, figure: &Figure) -> CommandResult {
    draw(folder, name, figure)?;
    remark(&format!("wrote {}", folder.join(format!("{name}.{{{}}}", KINDS.join(","))).display()));
    Ok(())
}

/// Writes one figure in every format, without a message.
pub(crate) fn draw(folder: &Path, name: &str, figure: &Figure) -> CommandResult {
    for kind in KINDS {
        figure.write(&folder.join(format!("{name}.{kind}")))?;
    }
    Ok(())
}
