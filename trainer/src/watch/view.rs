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

use serde::Serialize;

use super::pictures::{self, Drawn};
use crate::figures::{Curves, Figure};
use crate::metrics::CLIP_CENTIPAWNS;
use crate::record::{Mistake, RowCounts, RunRecord, Step};
use crate::training::EpochRecord;

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

/// A picture and its name in the address.
struct Picture {
    name: String,
    figure: Figure,
    version: String,
}

impl<'a> View<'a> {
    pub(super) fn of(runs: &'a [NamedRun<'a>]) -> Self {
        let pictures = all_pictures(runs);
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
        let pictures = pictures.into_iter().map(|picture| PictureView {
            title: picture.figure.title().to_owned(),
            name: picture.name,
            version: picture.version,
        });
        Self { runs, pictures: pictures.collect() }
    }
}

/// The figure of that name in the address.
pub(super) fn figure(runs: &[NamedRun<'_>], name: &str) -> Option<Figure> {
    all_pictures(runs).into_iter().find(|picture| picture.name == name).map(|picture| picture.figure)
}

fn progress<'a>(record: &'a RunRecord, picture: impl Fn(usize) -> Option<usize>) -> Progress<'a> {
    let (step, epoch) = (record.steps.last(), record.epochs.last());
    // Of step and epoch, the later one.
    let step_is_later = step.is_some_and(|step| epoch.is_none_or(|epoch| step.epoch > epoch.epoch));
    let of = |step_value: fn(&Step) -> f64, epoch_value: fn(&EpochRecord) -> f64| {
        if step_is_later { step.map(step_value) } else { epoch.map(epoch_value) }
    };
    let layer = |(index, layer): (usize, &'a crate::record::LayerWeights)| {
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
        epochs: record.start.options.epochs,
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

fn all_pictures(runs: &[NamedRun<'_>]) -> Vec<Picture> {
    let read: Vec<(&str, &RunRecord)> = runs.iter().filter_map(|run| Some((run.name, run.record.ok()?))).collect();
    let name = |name| if runs.len() > 1 { name } else { "" };
    let training: Vec<Vec<(f64, f64)>> = read.iter().map(|(_, record)| training_losses(record)).collect();
    let drawn: Vec<Drawn<'_>> = read
        .iter()
        .zip(&training)
        .map(|(&(run, record), training)| Drawn {
            name: name(run),
            options: &record.start.options,
            training,
            epochs: &record.epochs,
            on_inner_rows: record.start.rows.inner > 0,
        })
        .collect();
    let about = match read.as_slice() {
        [(run, record)] => format!("{run}: {}", record.start.architecture),
        _ => format!("{} runs", read.len()),
    };
    let over_time = |value: fn(&Step) -> f64, of_epoch: fn(&EpochRecord) -> f64| -> Vec<(&str, Vec<(f64, f64)>)> {
        read.iter().map(|&(run, record)| (name(run), points(record, value, of_epoch))).collect()
    };
    let rates = over_time(|step| f64::from(step.learning_rate), |record| f64::from(record.learning_rate));
    let speeds = over_time(|step| step.positions_per_second, |record| record.positions_per_second);
    let curves: [(&str, Option<Curves>); 5] = [
        ("loss", pictures::loss(&about, &drawn)),
        ("r2", pictures::r2(&about, &drawn)),
        ("rmse", pictures::rmse(&about, &drawn)),
        ("learning-rate", pictures::over_time("Learning rate", &about, "learning rate", &rates)),
        ("speed", pictures::over_time("Training speed", &about, "rows/s", &speeds)),
    ];
    let version = |of_steps: bool| {
        let changes =
            read.iter().map(|(_, record)| record.epochs.len() + if of_steps { record.steps.len() } else { 0 });
        let start: f64 = read.iter().map(|(_, record)| record.start.time).sum();
        format!("{:.0}-{}", 1000.0 * start, changes.sum::<usize>())
    };
    let curves = curves.into_iter().filter_map(|(name, curves)| {
        let version = version(!matches!(name, "r2" | "rmse"));
        Some(Picture { name: name.to_owned(), figure: Figure::Curves(curves?), version })
    });
    let weights = runs.iter().enumerate().filter_map(|(index, run)| Some((index, run.name, run.record.ok()?)));
    let weights = weights.flat_map(|(index, run, record)| {
        let version = format!("{:.0}-{}", 1000.0 * record.start.time, record.weights_version);
        let network = if runs.len() > 1 { run } else { &record.start.architecture };
        record.layers.iter().enumerate().map(move |(layer, weights)| Picture {
            name: layer_picture(index, layer),
            figure: Figure::Histogram(pictures::weights(network, weights)),
            version: version.clone(),
        })
    });
    curves.chain(weights).collect()
}

fn layer_picture(run: usize, layer: usize) -> String {
    format!("weights-{run}-{layer}")
}

fn training_losses(record: &RunRecord) -> Vec<(f64, f64)> {
    points(record, |step| step.loss, |epoch| epoch.training_loss)
}

/// A value by epoch: of steps, and of epochs that ended before a step was recorded.
fn points(record: &RunRecord, of_step: fn(&Step) -> f64, of_epoch: fn(&EpochRecord) -> f64) -> Vec<(f64, f64)> {
    let rows = record.start.rows.training.max(1) as f64;
    let steps =
        record.steps.iter().map(|step| (f64::from(step.epoch - 1) + step.positions as f64 / rows, of_step(step)));
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
