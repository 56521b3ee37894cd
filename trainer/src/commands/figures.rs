//! `--figures FOLDER`: figures of a run and of a network's errors, as SVG.

use std::path::{Path, PathBuf};

use alfiere_data::metrics::{CLIP_CENTIPAWNS, MetricSums, by_pieces, clipped};
use alfiere_data::{DatasetStats, Row, atomic};
use alfiere_terminal::remark;
use alfiere_trainer::figures::{Agreement, Figure, Histogram, Material, Outcomes, PhaseError};
use alfiere_trainer::watch::pictures::{self, Drawn};
use alfiere_training::record::layer_weights;
use alfiere_training::{EpochRecord, TrainingOptions, TrainingResult};

use super::output::{create_folder, grouped};
use super::run_data::RunData;
use super::{CommandResult, Failure};

/// Creates the folder, so that failure is reported before hours of work.
pub(crate) fn prepare(folder: Option<&PathBuf>) -> CommandResult {
    let Some(folder) = folder else { return Ok(()) };
    create_folder(folder)?;
    Ok(atomic::check_writable(&folder.join("figure.svg"))?)
}

/// Loss, R² and RMSE by epoch, and the weights of each layer: files `loss`, `r2`, `rmse`, `weights-1` and so on. Returns
/// the names.
pub(crate) fn write_curves(
    folder: &Path,
    about: &str,
    options: &TrainingOptions,
    run: &TrainingResult,
    run_data: &RunData<'_>,
) -> Result<Vec<String>, Failure> {
    let of_rows = |record: &&EpochRecord| record.phase == options.rows_phase();
    let epochs: Vec<EpochRecord> = run.history.iter().filter(of_rows).cloned().collect();
    let training: Vec<(f64, f64)> =
        epochs.iter().map(|record| (f64::from(record.epoch), record.training_loss)).collect();
    let on_inner_rows = run_data.inner.is_some();
    let drawn = [Drawn { name: "", options, training: &training, epochs: &epochs, on_inner_rows }];
    let curves = [
        ("loss", pictures::loss(about, &drawn)),
        ("r2", pictures::r2(about, &drawn)),
        ("rmse", pictures::rmse(about, &drawn)),
    ];
    let curves = curves.into_iter().filter_map(|(name, curves)| Some((name.to_owned(), Figure::Curves(curves?))));
    let architecture = options.architecture.to_string();
    let weights = layer_weights(&run.network);
    let weights = (1..).zip(&weights).map(|(number, layer)| {
        (format!("weights-{number}"), Figure::Histogram(pictures::weights(&architecture, layer)))
    });
    curves
        .chain(weights)
        .map(|(name, figure)| {
            write(folder, &name, &figure)?;
            Ok(name)
        })
        .collect()
}

/// Predictions of the quantised network in centipawns of the labels against the labels of the rows, and its errors by game phase: files `agreement` and
/// `phase`.
pub(crate) fn write_errors<'a>(
    folder: &Path,
    about: &str,
    values: impl Iterator<Item = f64>,
    rows: impl Iterator<Item = &'a Row>,
) -> CommandResult {
    let triple = |(value, row): (f64, &Row)| (row.piece_count(), clipped(value), row.label().clipped());
    let predicted: Vec<(u32, f64, f64)> = values.zip(rows).map(triple).collect();
    let sums: MetricSums = predicted.iter().map(|&(_, prediction, label)| (prediction, label)).collect();
    let metrics = sums.metrics().ok_or_else(|| Failure::new("figures: there are no rows to draw"))?;
    let (rmse, mae) = (metrics.rmse_centipawns(), metrics.mae * CLIP_CENTIPAWNS);
    let fit = format!("R² {:.3}, RMSE {rmse:.0} and MAE {mae:.0} centipawns", metrics.r2);
    let subtitle = format!("{about}, {} rows: {fit}", grouped(metrics.rows));
    let agreement = Agreement {
        title: "Prediction against label".to_owned(),
        subtitle: subtitle.clone(),
        pairs: predicted.iter().map(|&(_, prediction, label)| (label, prediction)).collect(),
    };
    let phases = PhaseError { title: "Error by game phase".to_owned(), subtitle, bins: by_pieces(predicted) };
    write(folder, "agreement", &Figure::Agreement(agreement))?;
    write(folder, "phase", &Figure::PhaseError(phases))
}

/// Writes a figure, and says so.
pub(crate) fn write(folder: &Path, name: &str, figure: &Figure) -> CommandResult {
    let path = folder.join(name).with_extension("svg");
    figure.write(&path)?;
    remark(format_args!("wrote {}", path.display()));
    Ok(())
}

/// Writes `labels`, `plies` and `pieces`; also `material` if any balance has enough rows, and `results` if any are
/// known.
pub(crate) fn write_all(folder: &Path, names: &str, stats: &DatasetStats) -> CommandResult {
    let games = match stats.games {
        0 => "unknown".to_owned(),
        games => grouped(games),
    };
    let about = format!("{names}, {} rows in {games} games", grouped(stats.rows));
    write(folder, "labels", &labels(&about, stats))?;
    write(folder, "plies", &plies(&about, stats))?;
    write(folder, "pieces", &pieces(&about, stats))?;
    let spread = &stats.distributions;
    if spread.material.iter().any(|bin| bin.quantiles.is_some()) {
        write(folder, "material", &material(&about, stats))?;
    }
    if spread.outcomes.iter().any(|bin| bin.rows() > 0) {
        write(folder, "results", &results(&about, stats))?;
    }
    Ok(())
}

fn labels(about: &str, stats: &DatasetStats) -> Figure {
    let (bins, labels) = (&stats.distributions.labels, &stats.labels);
    let median = labels.quantiles[3];
    let name = if median == 0 { "median 0".to_owned() } else { format!("median {median:+}").replace('-', "−") };
    Figure::Histogram(Histogram {
        title: "Labels".to_owned(),
        subtitle: about.to_owned(),
        x_label: "label in centipawns, from White's side".to_owned(),
        y_label: "rows".to_owned(),
        start: bins.start,
        width: bins.width,
        counts: bins.counts.clone(),
        left: vec![("mate".to_owned(), labels.black_mates), ("less".to_owned(), bins.below)],
        right: vec![("more".to_owned(), bins.above), ("mate".to_owned(), labels.white_mates)],
        mark: (median.abs() <= 1_000).then(|| (name, f64::from(median))),
    })
}

fn plies(about: &str, stats: &DatasetStats) -> Figure {
    let bins = &stats.distributions.plies;
    Figure::Histogram(Histogram {
        title: "Plies of the game".to_owned(),
        subtitle: about.to_owned(),
        x_label: "ply, from the full-move number".to_owned(),
        y_label: "rows".to_owned(),
        start: bins.start,
        width: bins.width,
        counts: bins.counts.clone(),
        right: vec![("later".to_owned(), bins.above)],
        ..Histogram::default()
    })
}

fn pieces(about: &str, stats: &DatasetStats) -> Figure {
    Figure::Histogram(Histogram {
        title: "Pieces on the board".to_owned(),
        subtitle: about.to_owned(),
        x_label: "pieces, including kings".to_owned(),
        y_label: "rows".to_owned(),
        start: 1.5,
        width: 1.0,
        counts: stats.distributions.pieces[2..].to_vec(),
        ..Histogram::default()
    })
}

fn material(about: &str, stats: &DatasetStats) -> Figure {
    let fit = format!(
        "correlation {:.2}, {:.0} centipawns per pawn",
        stats.labels.material_correlation, stats.labels.per_pawn
    );
    Figure::Material(Material {
        title: "Label against material".to_owned(),
        subtitle: format!("{about}: {fit}"),
        bins: stats.distributions.material.clone(),
    })
}

fn results(about: &str, stats: &DatasetStats) -> Figure {
    Figure::Outcomes(Outcomes {
        title: "Results by label".to_owned(),
        subtitle: about.to_owned(),
        width: stats.distributions.labels.width,
        bins: stats.distributions.outcomes.clone(),
        scale: stats.results.scale,
    })
}
