//! The runs as JSON, with the points of their charts.
//!
//! ```json
//! {"runs": [{"name": "mine", "state": "running", "note": "", "play": null, "network": null, "age": 1.5, "architecture": "dual [256] crelu x1",
//!            "rows": 95000, "inner_rows": 0, "validation_rows": 5000, "epochs": 20, "trained": 3.4, "learning_rate": 0.0008,
//!            "training_loss": 0.081, "positions_per_second": 410000, "seconds_left": 95,
//!            "phases": [{"lesson": "rows", "epochs": 20, "rows": 95000}], "phase": 0, "options": {"epochs": 20},
//!            "steps_per_epoch": 372, "seconds": [0, 1.2, 2.5],
//!            "last": {"epoch": 3, "loss": 0.09, "r2": 0.41, "rmse": 290.1, "constant_rmse": 377.6, "mae": 190.2},
//!            "best": {"epoch": 3}, "measured": {"r2": 0.4, "interval": {"low": 0.3, "high": 0.5, "units": 120}, "unit": "games", "as_given": 0.4, "resolved": 0.5},
//!            "layers": [{"name": "accumulator", "inputs": 769, "outputs": 256, "range": 3.75, "at_limit": 0.0, "counts": [1, 2]}],
//!            "mistakes": [{"fen": "...", "phase": "endgame", "label": "#3", "prediction": 120, "error": 0.88}]}],
//!  "charts": [{"title": "Loss by epoch", "curves": [{"name": "mine", "run": 0, "color": 0, "dashed": false, "points": [[1, 0.09]]}],
//!              "mark": ["best epoch: 3", 3], "baseline": null}]}
//! ```
//!
//! `state` is `waiting` (no record yet), `running` or `ended`; `note` says why, `play` is the command that plays against the
//! network, `network` where its file is. `trained` counts epochs; `seconds` are those until the end of each. RMSE and MAE are in centipawns, clipped at 1000.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use alfiere_data::metrics::CLIP_CENTIPAWNS;
use alfiere_training::record::{LayerWeights, Measured, Mistake, PhaseSize, RowCounts, RunRecord, Step};
use alfiere_training::{EpochRecord, TrainingOptions};
use serde::Serialize;

use super::pictures::{self, Drawn};
use crate::figures::{Curve, CurveKind, Curves};

/// Largest number of points of a curve.
const MAX_POINTS: usize = 400;

/// A run and its name; an error while it cannot be read.
pub(super) struct NamedRun<'a> {
    pub(super) name: &'a str,
    pub(super) path: &'a Path,
    pub(super) record: Result<&'a RunRecord, &'a str>,
}

/// The answer to `GET /api/runs`.
#[derive(Serialize, Debug)]
pub(super) struct View<'a> {
    runs: Vec<RunView<'a>>,
    charts: Vec<ChartView>,
}

#[derive(Serialize, Debug)]
struct ChartView {
    title: String,
    curves: Vec<CurveView>,
    mark: Option<(String, f64)>,
    baseline: Option<(String, f64)>,
}

#[derive(Serialize, Debug)]
struct CurveView {
    name: String,
    /// Index of its run.
    run: usize,
    color: usize,
    dashed: bool,
    points: Vec<(f64, f64)>,
}

#[derive(Serialize, Default, Debug)]
struct RunView<'a> {
    name: &'a str,
    state: &'static str,
    note: &'a str,
    play: Option<String>,
    network: Option<String>,
    #[serde(flatten)]
    progress: Option<Progress<'a>>,
}

#[derive(Serialize, Debug)]
struct Progress<'a> {
    /// Seconds since the latest line.
    age: f64,
    architecture: &'a str,
    #[serde(flatten)]
    rows: RowCounts,
    epochs: u32,
    trained: f64,
    learning_rate: Option<f32>,
    training_loss: Option<f64>,
    positions_per_second: Option<f64>,
    seconds_left: Option<f64>,
    last: Option<EpochView>,
    best: Option<EpochView>,
    measured: Option<&'a Measured>,
    layers: Vec<LayerView<'a>>,
    mistakes: &'a [Mistake],
    phases: Vec<PhaseSize>,
    phase: u32,
    options: &'a TrainingOptions,
    steps_per_epoch: u64,
    /// From the start of the first epoch to the end of each.
    seconds: Vec<f64>,
}

#[derive(Serialize, Debug)]
struct EpochView {
    epoch: u32,
    loss: f64,
    r2: f64,
    rmse: f64,
    constant_rmse: f64,
    mae: f64,
}

#[derive(Serialize, Debug)]
struct LayerView<'a> {
    name: &'a str,
    inputs: usize,
    outputs: usize,
    /// Largest absolute weight in `counts`.
    range: f32,
    at_limit: f64,
    counts: &'a [u64],
}

impl<'a> View<'a> {
    pub(super) fn of(runs: &'a [NamedRun<'a>]) -> Self {
        let view = |(index, run): (usize, &'a NamedRun<'a>)| match run.record {
            Ok(record) => {
                let network = network_path(run.path);
                let is_written = record.end.is_some() && network.is_file();
                let file = network.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
                RunView {
                    name: run.name,
                    state: if record.end.is_some() { "ended" } else { "running" },
                    note: record.end.as_deref().unwrap_or_default(),
                    play: is_written.then(|| format!("alfiere play --net {}", network.display())),
                    network: is_written.then(|| format!("networks/{index}/{file}")),
                    progress: Some(progress(record)),
                }
            }
            Err(note) => RunView { name: run.name, state: "waiting", note, ..RunView::default() },
        };
        Self { runs: runs.iter().enumerate().map(view).collect(), charts: charts(runs) }
    }
}

/// The network of a record, whose name ends in `.run.jsonl`.
pub(super) fn network_path(record: &Path) -> PathBuf {
    record.with_extension("").with_extension("nnue")
}

fn progress<'a>(record: &'a RunRecord) -> Progress<'a> {
    let (step, epoch) = (record.steps.last(), record.epochs.last());
    // Of step and epoch, the later one.
    let step_is_later = step.is_some_and(|step| epoch.is_none_or(|epoch| step.epoch > epoch.epoch));
    let of = |step_value: fn(&Step) -> f64, epoch_value: fn(&EpochRecord) -> f64| {
        if step_is_later { step.map(step_value) } else { epoch.map(epoch_value) }
    };
    let layer = |layer: &'a LayerWeights| LayerView {
        name: &layer.name,
        inputs: layer.inputs,
        outputs: layer.outputs,
        range: layer.range.unwrap_or(layer.limit),
        at_limit: layer.share_at_limit(),
        counts: &layer.counts,
    };
    let mut seconds = vec![0.0];
    seconds.extend(record.epochs.iter().scan(0.0, |sum, epoch| {
        *sum += epoch.seconds;
        Some(*sum)
    }));
    Progress {
        age: (now() - record.time).max(0.0),
        architecture: &record.start.architecture,
        rows: record.start.rows,
        epochs: record.all_epochs(),
        trained: record.epochs_trained(),
        learning_rate: if step_is_later {
            step.map(|step| step.learning_rate)
        } else {
            epoch.map(|epoch| epoch.learning_rate)
        },
        training_loss: of(|step| step.loss, |epoch| epoch.training_loss),
        positions_per_second: of(|step| step.positions_per_second, |epoch| epoch.positions_per_second),
        seconds_left: record.seconds_left(),
        last: epoch.and_then(epoch_view),
        best: record.best().and_then(epoch_view),
        measured: record.measured.as_ref(),
        layers: record.layers.iter().map(layer).collect(),
        mistakes: &record.mistakes,
        phases: record.phases(),
        phase: record.start.phase,
        options: &record.start.options,
        steps_per_epoch: record.start.rows.training.div_ceil((record.start.options.batch_size as u64).max(1)),
        seconds,
    }
}

fn epoch_view(record: &EpochRecord) -> Option<EpochView> {
    let validation = record.validation?;
    let metrics = validation.metrics;
    Some(EpochView {
        epoch: record.epoch,
        loss: validation.loss,
        r2: metrics.r2,
        rmse: metrics.rmse_centipawns(),
        constant_rmse: metrics.label_variance.sqrt() * CLIP_CENTIPAWNS,
        mae: metrics.mae * CLIP_CENTIPAWNS,
    })
}

/// The charts that have points.
fn charts(runs: &[NamedRun<'_>]) -> Vec<ChartView> {
    let read: Vec<(usize, &RunRecord)> =
        runs.iter().enumerate().filter_map(|(index, run)| Some((index, run.record.ok()?))).collect();
    let loss = |(_, record): &(usize, &RunRecord)| points(record, |step| step.loss, |epoch| epoch.training_loss);
    let losses: Vec<Vec<(f64, f64)>> = read.iter().map(loss).collect();
    let drawn: Vec<Drawn<'_>> = read
        .iter()
        .zip(&losses)
        .map(|(&(index, record), training)| Drawn {
            name: if runs.len() > 1 { runs[index].name } else { "" },
            options: &record.start.options,
            training,
            epochs: &record.epochs,
            on_inner_rows: record.start.rows.inner > 0,
        })
        .collect();
    let over_time = |title: &str, of_step: fn(&Step) -> f64, of_epoch: fn(&EpochRecord) -> f64| {
        let curve = |(color, run): (usize, &Drawn<'_>)| {
            let points = points(read[color].1, of_step, of_epoch);
            Curve { name: run.name.to_owned(), color, kind: CurveKind::Course, points }
        };
        let curves = drawn.iter().enumerate().map(curve).collect();
        pictures::draw(title, "", String::new(), curves, &[], None)
    };
    let charts = [
        pictures::loss("", &drawn),
        pictures::r2("", &drawn),
        pictures::rmse("", &drawn),
        over_time("Learning rate", |step| f64::from(step.learning_rate), |record| f64::from(record.learning_rate)),
        over_time("Training speed", |step| step.positions_per_second, |record| record.positions_per_second),
    ];
    let curve = |curve: Curve| CurveView {
        name: match curve.kind {
            CurveKind::Training => format!("{} training", curve.name).trim_start().to_owned(),
            CurveKind::Validation if curve.name.is_empty() => "held out".to_owned(),
            _ => curve.name,
        },
        run: read[curve.color].0,
        color: curve.color,
        dashed: matches!(curve.kind, CurveKind::Training | CurveKind::IntervalEnd),
        points: curve.points,
    };
    let view = |Curves { title, curves, mark, baseline, .. }: Curves| ChartView {
        title,
        curves: curves.into_iter().map(curve).collect(),
        mark,
        baseline,
    };
    charts.into_iter().flatten().map(view).collect()
}

/// A value by epoch: of steps, and of epochs that ended before a step was recorded.
fn points(record: &RunRecord, of_step: fn(&Step) -> f64, of_epoch: fn(&EpochRecord) -> f64) -> Vec<(f64, f64)> {
    let rows = record.start.rows.training.max(1) as f64;
    let steps =
        record.steps.iter().map(|step| (f64::from(step.epoch) - 1.0 + step.positions as f64 / rows, of_step(step)));
    let has_steps = |epoch: u32| record.steps.binary_search_by_key(&epoch, |step| step.epoch).is_ok();
    let epochs = record.epochs.iter().filter(|epoch| !has_steps(epoch.epoch));
    let mut all: Vec<(f64, f64)> = steps.chain(epochs.map(|epoch| (f64::from(epoch.epoch), of_epoch(epoch)))).collect();
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    thinned(&all)
}

/// Means of neighbouring points, so that at most [`MAX_POINTS`] are left.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let size = points.len().div_ceil(MAX_POINTS).max(1);
    let mean = |part: &[(f64, f64)]| {
        let count = part.len() as f64;
        (part.iter().map(|point| point.0).sum::<f64>() / count, part.iter().map(|point| point.1).sum::<f64>() / count)
    };
    points.chunks(size).map(mean).collect()
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = r#"{"kind": "start", "format": 1, "time": 1, "architecture": "white []", "options": {}, "rows": 10,
        "inner_rows": 2, "validation_rows": 3, "epochs_done": 0, "batches_done": 0}"#;
    const STEP: &str = r#"{"kind": "step", "time": 2, "epoch": 0, "batches": 1, "positions": 5, "loss": 0.5,
        "learning_rate": 0.001, "positions_per_second": 5}"#;
    const EPOCH: &str = r#"{"kind": "epoch", "time": 3, "layers": [], "mistakes": [], "record": {"epoch": 1,
        "learning_rate": 0.001, "training_loss": 0.4, "is_best": true, "seconds": 1, "positions_per_second": 5,
        "validation": {"loss": 0.5, "metrics": {"rows": 2, "mse": 0.5, "rmse": 0.7, "mae": 0.6, "r2": 0.1,
        "label_mean": 0, "label_variance": 0.6}}}}"#;
    const WEIGHTS: &str = r#"{"kind": "weights", "layers": [{"name": "output", "inputs": 769, "outputs": 1, "limit": 1,
        "counts": [1, 2], "at_limit": 1}]}"#;

    fn record(lines: &[&str]) -> RunRecord {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let lines: Vec<String> = lines.iter().map(|line| line.replace('\n', "")).collect();
        std::fs::write(file.path(), lines.join("\n")).expect("written");
        RunRecord::read(file.path()).expect("a record")
    }

    fn named(records: &[RunRecord]) -> Vec<NamedRun<'_>> {
        records
            .iter()
            .map(|record| NamedRun { name: "a", path: Path::new("a.run.jsonl"), record: Ok(record) })
            .collect()
    }

    #[test]
    fn charts_have_points_and_the_runs_of_their_curves() {
        let record = record(&[START, STEP, EPOCH, WEIGHTS]);
        let missing = NamedRun { name: "b", path: Path::new("b.run.jsonl"), record: Err("none yet") };
        let runs = [missing, NamedRun { name: "a", path: Path::new("a.run.jsonl"), record: Ok(&record) }];
        let charts = charts(&runs);
        assert_eq!(charts.len(), 5);
        assert!(charts.iter().flat_map(|chart| &chart.curves).all(|curve| curve.run == 1 && !curve.points.is_empty()));
        let View { runs, .. } = View::of(&runs);
        let progress = runs[1].progress.as_ref().expect("a record");
        assert_eq!(
            (progress.seconds.as_slice(), progress.layers[0].counts),
            ([0.0, 1.0].as_slice(), [1, 2].as_slice())
        );
        assert!(super::charts(&named(&[self::record(&[START])])).is_empty());
    }

    #[test]
    fn titles_name_the_rows_that_are_measured() {
        let inner = record(&[START, EPOCH]);
        let plain = record(&[&START.replace("\"inner_rows\": 2,", ""), EPOCH]);
        let title = |records: &[RunRecord]| charts(&named(records))[1].title.clone();
        assert_eq!(title(&[inner.clone(), inner.clone()]), "R² on inner rows by epoch");
        assert_eq!(title(std::slice::from_ref(&plain)), "R² on validation rows by epoch");
        assert_eq!(title(&[plain, inner]), "R² on held-out rows by epoch");
    }
}
