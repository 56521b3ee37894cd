//! The runs as JSON, and their pictures.
//!
//! ```json
//! {"runs": [{"name": "mine", "state": "running", "note": "", "age": 1.5, "architecture": "dual [256] crelu x1",
//!            "rows": 95000, "inner_rows": 0, "validation_rows": 5000, "epochs": 20, "trained": 3.4, "learning_rate": 0.0008,
//!            "training_loss": 0.081, "positions_per_second": 410000, "seconds_left": 95,
//!            "last": {"epoch": 3, "loss": 0.09, "r2": 0.41, "rmse": 290.1, "constant_rmse": 377.6, "mae": 190.2},
//!            "best": {"epoch": 3},
//!            "layers": [{"name": "accumulator", "inputs": 769, "outputs": 256, "limit": 3.75, "at_limit": 0.0, "picture": 6}],
//!            "mistakes": [{"fen": "...", "label": "#3", "prediction": 120, "error": 0.88}]}],
//!  "pictures": [{"name": "loss", "title": "Loss by epoch", "version": "1732000000000-17"}]}
//! ```
//!
//! `state` is `waiting` (no record yet), `running` or `ended`; `note` says why. `trained` counts epochs. RMSE and MAE are in
//! centipawns, clipped at 1000. A layer's `picture` is its place in `pictures`, which holds the common ones first.

use std::time::{SystemTime, UNIX_EPOCH};

use alfiere_data::metrics::CLIP_CENTIPAWNS;
use alfiere_training::EpochRecord;
use alfiere_training::record::{Mistake, RowCounts, RunRecord, Step};
use serde::Serialize;

use super::pictures::{self, Drawn};
use crate::figures::{Curves, Figure, Histogram};

/// Names of the charts of all runs, in the order of the page.
const CURVES: [&str; 5] = ["loss", "r2", "rmse", "learning-rate", "speed"];
/// Largest number of points of a curve.
const MAX_POINTS: usize = 400;

/// A run and its name; an error while it cannot be read.
pub(super) struct NamedRun<'a> {
    pub(super) name: &'a str,
    pub(super) record: Result<&'a RunRecord, &'a str>,
}

/// The answer to `GET /api/runs`.
#[derive(Serialize, Debug)]
pub(super) struct View<'a> {
    runs: Vec<RunView<'a>>,
    pictures: Vec<PictureView>,
}

#[derive(Serialize, Debug)]
struct PictureView {
    name: String,
    title: String,
    /// Changes when the picture does.
    version: String,
}

#[derive(Serialize, Default, Debug)]
struct RunView<'a> {
    name: &'a str,
    state: &'static str,
    note: &'a str,
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
    layers: Vec<LayerView<'a>>,
    mistakes: &'a [Mistake],
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
    limit: f32,
    at_limit: f64,
    picture: usize,
}

impl<'a> View<'a> {
    pub(super) fn of(runs: &'a [NamedRun<'a>]) -> Self {
        let pictures = pictures(runs);
        let place = |name: &str| pictures.iter().position(|picture| picture.name == name);
        let view = |(index, run): (usize, &'a NamedRun<'a>)| match run.record {
            Ok(record) => RunView {
                name: run.name,
                state: if record.end.is_some() { "ended" } else { "running" },
                note: record.end.as_deref().unwrap_or_default(),
                progress: Some(progress(record, |layer| place(&layer_picture(index, layer)))),
            },
            Err(note) => RunView { name: run.name, state: "waiting", note, progress: None },
        };
        let runs = runs.iter().enumerate().map(view).collect();
        Self { runs, pictures }
    }
}

fn progress<'a>(record: &'a RunRecord, picture: impl Fn(usize) -> Option<usize>) -> Progress<'a> {
    let (step, epoch) = (record.steps.last(), record.epochs.last());
    // Of step and epoch, the later one.
    let step_is_later = step.is_some_and(|step| epoch.is_none_or(|epoch| step.epoch > epoch.epoch));
    let of = |step_value: fn(&Step) -> f64, epoch_value: fn(&EpochRecord) -> f64| {
        if step_is_later { step.map(step_value) } else { epoch.map(epoch_value) }
    };
    let layer = |(index, layer): (usize, &'a alfiere_training::record::LayerWeights)| {
        Some(LayerView {
            name: &layer.name,
            inputs: layer.inputs,
            outputs: layer.outputs,
            limit: layer.limit,
            at_limit: layer.share_at_limit(),
            picture: picture(index)?,
        })
    };
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
        layers: record.layers.iter().enumerate().filter_map(layer).collect(),
        mistakes: &record.mistakes,
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

/// The pictures that exist, with their titles and versions.
fn pictures(runs: &[NamedRun<'_>]) -> Vec<PictureView> {
    let read = || runs.iter().filter_map(|run| run.record.ok());
    let version = |of_steps: bool| {
        let changes = read().map(|record| record.epochs.len() + if of_steps { record.steps.len() } else { 0 });
        let start: f64 = read().map(|record| record.start.time).sum();
        format!("{:.0}-{}", 1000.0 * start, changes.sum::<usize>())
    };
    let curves = CURVES.iter().map(|&name| (name.to_owned(), version(!matches!(name, "r2" | "rmse"))));
    let records = runs.iter().enumerate().filter_map(|(index, run)| Some((index, run.record.ok()?)));
    let weights = records.flat_map(|(index, record)| {
        let version = format!("{:.0}-{}", 1000.0 * record.start.time, record.weights_version);
        (0..record.layers.len()).map(move |layer| (layer_picture(index, layer), version.clone()))
    });
    let view = |(name, version): (String, String)| {
        let title = figure(runs, &name)?.title().to_owned();
        Some(PictureView { name, title, version })
    };
    curves.chain(weights).filter_map(view).collect()
}

/// The figure of that name in the address.
pub(super) fn figure(runs: &[NamedRun<'_>], name: &str) -> Option<Figure> {
    match name.strip_prefix("weights-") {
        Some(place) => weights(runs, place).map(Figure::Histogram),
        None => curves(runs, name).map(Figure::Curves),
    }
}

fn curves(runs: &[NamedRun<'_>], name: &str) -> Option<Curves> {
    let read: Vec<(&str, &RunRecord)> = runs.iter().filter_map(|run| Some((run.name, run.record.ok()?))).collect();
    let run_name = |name| if runs.len() > 1 { name } else { "" };
    let about = match read.as_slice() {
        [(run, record)] => format!("{run}: {}", record.start.architecture),
        _ => format!("{} runs", read.len()),
    };
    let over_time = |value: fn(&Step) -> f64, of_epoch: fn(&EpochRecord) -> f64| -> Vec<(&str, Vec<(f64, f64)>)> {
        read.iter().map(|&(run, record)| (run_name(run), points(record, value, of_epoch))).collect()
    };
    let training = match name {
        "loss" => over_time(|step| step.loss, |epoch| epoch.training_loss),
        _ => read.iter().map(|_| ("", Vec::new())).collect(),
    };
    let drawn: Vec<Drawn<'_>> = read
        .iter()
        .zip(&training)
        .map(|(&(run, record), (_, training))| Drawn {
            name: run_name(run),
            options: &record.start.options,
            training,
            epochs: &record.epochs,
            on_inner_rows: record.start.rows.inner > 0,
        })
        .collect();
    match name {
        "loss" => pictures::loss(&about, &drawn),
        "r2" => pictures::r2(&about, &drawn),
        "rmse" => pictures::rmse(&about, &drawn),
        "learning-rate" => {
            let rates = over_time(|step| f64::from(step.learning_rate), |record| f64::from(record.learning_rate));
            pictures::over_time("Learning rate", &about, "learning rate", &rates)
        }
        "speed" => {
            let speeds = over_time(|step| step.positions_per_second, |record| record.positions_per_second);
            pictures::over_time("Training speed", &about, "rows/s", &speeds)
        }
        _ => None,
    }
}

/// The weights of the layer at a place, `RUN-LAYER`.
fn weights(runs: &[NamedRun<'_>], place: &str) -> Option<Histogram> {
    let (run, layer) = place.split_once('-')?;
    let run = runs.get(run.parse::<usize>().ok()?)?;
    let record = run.record.ok()?;
    let network = if runs.len() > 1 { run.name } else { &record.start.architecture };
    Some(pictures::weights(network, record.layers.get(layer.parse::<usize>().ok()?)?))
}

fn layer_picture(run: usize, layer: usize) -> String {
    format!("weights-{run}-{layer}")
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

    fn titles(runs: &[NamedRun<'_>]) -> Vec<(String, String)> {
        pictures(runs).into_iter().map(|picture| (picture.name, picture.title)).collect()
    }

    #[test]
    fn pictures_have_the_names_under_which_they_are_found() {
        let record = record(&[START, STEP, EPOCH, WEIGHTS]);
        let runs = [NamedRun { name: "a", record: Ok(&record) }, NamedRun { name: "b", record: Err("none yet") }];
        let all = titles(&runs);
        let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["loss", "r2", "rmse", "learning-rate", "speed", "weights-0-0"]);
        for (name, title) in &all {
            assert_eq!(figure(&runs, name).map(|figure| figure.title().to_owned()).as_ref(), Some(title));
        }
        for other in ["", "r3", "weights-", "weights-0", "weights-0-1", "weights-1-0", "weights-2-0", "weights--1-0"] {
            assert!(figure(&runs, other).is_none(), "{other}");
        }
        let started = self::record(&[START]);
        assert_eq!(titles(&[NamedRun { name: "a", record: Ok(&started) }]), []);
    }

    #[test]
    fn titles_name_the_rows_that_are_measured() {
        let inner = record(&[START, EPOCH]);
        let plain = record(&[&START.replace("\"inner_rows\": 2,", ""), EPOCH]);
        let title = |records: &[&RunRecord]| {
            let runs: Vec<NamedRun<'_>> =
                records.iter().map(|&record| NamedRun { name: "a", record: Ok(record) }).collect();
            titles(&runs)[1].1.clone()
        };
        assert_eq!(title(&[&inner, &inner]), "R² on inner rows by epoch");
        assert_eq!(title(&[&plain]), "R² on validation rows by epoch");
        assert_eq!(title(&[&plain, &inner]), "R² on held-out rows by epoch");
    }
}
