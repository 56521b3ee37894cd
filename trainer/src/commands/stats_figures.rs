//! `trainer stats --figures FOLDER`: figures of a data set.

use std::path::Path;

use alfiere_data::DatasetStats;
use alfiere_data::metrics::CLIP_CENTIPAWNS;
use alfiere_trainer::figures::{Band, Bands, Figure, Histogram, Outcomes};

use super::CommandResult;
use super::figures::write;
use super::output::grouped;

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
    let bands = stats.distributions.material.iter().map(|bin| Band {
        x: f64::from(bin.balance),
        rows: bin.rows,
        quantiles: bin.quantiles.map(|quantiles| quantiles.map(|value| value * CLIP_CENTIPAWNS)),
    });
    let fit = format!(
        "correlation {:.2}, {:.0} centipawns per pawn",
        stats.labels.material_correlation, stats.labels.per_pawn
    );
    Figure::Bands(Bands {
        title: "Label against material".to_owned(),
        subtitle: format!("{about}: {fit}"),
        x_label: "White's material minus Black's, in pawns; the ends include everything beyond".to_owned(),
        y_label: "label in centipawns, clipped at ±1000".to_owned(),
        ends: (-CLIP_CENTIPAWNS, CLIP_CENTIPAWNS),
        bands: bands.collect(),
    })
}

fn results(about: &str, stats: &DatasetStats) -> Figure {
    let bins = stats.distributions.outcomes.iter();
    Figure::Outcomes(Outcomes {
        title: "Results by label".to_owned(),
        subtitle: about.to_owned(),
        width: stats.distributions.labels.width,
        bins: bins.map(|bin| (bin.centipawns, [bin.white, bin.draws, bin.black])).collect(),
        scale: stats.results.scale,
    })
}
