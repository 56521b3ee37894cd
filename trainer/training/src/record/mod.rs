//! The record of a training run: a small file that is appended to during the run, for pages and other programs.
//!
//! One JSON object a line; a run of a day writes a few megabytes. A killed run leaves at most its last line
//! incomplete, and a resumed run continues the file.
//!
//! | `kind` | when | holds |
//! |---|---|---|
//! | `start` | before each phase, and again when the run is resumed | [`Start`]: network, options, rows, phases; the step it starts after |
//! | `step` | once a second at first, later every ten seconds | [`Step`]: loss and learning rate since the last such line, speed |
//! | `weights` | within a long epoch, with checkpoints | [`LayerWeights`] of each layer |
//! | `epoch` | after each epoch | its [`EpochRecord`]; now and then, and with the last epoch, [`LayerWeights`] of each layer and [`Mistake`]s on the rows that select the epoch |
//! | `end` | at the end | why the run stopped |
//! | `measured` | once the network is written | its R² with the interval: [`Measured`] |
//!
//! Times are in seconds since 1970. After a `start`, earlier lines of steps beyond it do not count: they were lost.
//!
//! [`EpochRecord`]: crate::EpochRecord

mod reader;
mod recorder;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use alfiere_data::metrics::R2Interval;
use alfiere_model::{FloatLayer, FloatNetwork};
use alfiere_nnue::Architecture;
use alfiere_nnue::quantisation::{weight_limit, weight_step};
use serde::{Deserialize, Serialize};

use crate::{EpochRecord, GamePhase, TrainingOptions};

pub use reader::{RecordError, RunRecord};
pub use recorder::Recorder;

/// Extension of a record, instead of that of its network.
const EXTENSION: &str = "run.jsonl";

/// The record of the run that writes this network; a path that ends in `.jsonl` is a record already.
pub fn record_path(network: &Path) -> PathBuf {
    if network.extension().is_some_and(|extension| extension == "jsonl") {
        return network.to_path_buf();
    }
    network.with_extension(EXTENSION)
}

const FORMAT: u32 = 1;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Line {
    /// The run starts or is resumed.
    Start(Box<Start>),
    Step(Step),
    /// The weights within a long epoch.
    Weights {
        /// Each layer, from the input to the output.
        layers: Vec<LayerWeights>,
    },
    Epoch {
        /// Time at its end.
        time: f64,
        record: EpochRecord,
        /// Each layer, from the input to the output; empty if they were not taken.
        layers: Vec<LayerWeights>,
        /// The rows that select the epoch with the largest errors in each phase of the game, the largest first.
        mistakes: Vec<Mistake>,
    },
    End {
        time: f64,
        reason: String,
    },
    Measured(Measured),
}

/// The written network on the validation rows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// R² in the form that was trained on.
    pub r2: f64,
    /// `None` with a single game.
    pub interval: Option<R2Interval>,
    /// What the interval resamples: `games` or `positions`.
    pub unit: String,
    pub as_given: f64,
    pub resolved: f64,
}

/// The start of a phase, or of a part of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Start {
    pub format: u32,
    /// Version of the program; empty in the record of an earlier one.
    #[serde(default)]
    pub program: String,
    pub time: f64,
    pub architecture: String,
    pub options: TrainingOptions,
    #[serde(flatten)]
    pub rows: RowCounts,
    /// All phases of the run; none in the record of an earlier version, whose run had one.
    #[serde(default)]
    pub phases: Vec<PhaseSize>,
    /// Index of the phase that starts.
    #[serde(default)]
    pub phase: u32,
    /// Epochs of the phase before this start.
    pub epochs_done: u32,
    /// Steps taken in the current epoch.
    pub batches_done: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PhaseSize {
    /// What it learns from: `evaluation`, `searches`, `rows` or `own searches 1`.
    pub lesson: String,
    pub epochs: u32,
    /// Rows of an epoch.
    pub rows: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RowCounts {
    #[serde(rename = "rows")]
    pub training: u64,
    /// Inner rows; if there are any, the epochs are validated on them.
    #[serde(rename = "inner_rows", default)]
    pub inner: u64,
    #[serde(rename = "validation_rows")]
    pub validation: u64,
}

/// Progress since the previous line of this kind.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    pub time: f64,
    /// Index of the phase.
    #[serde(default)]
    pub phase: u32,
    /// Current epoch, from 1: of the phase in the file, of all phases in a [`RunRecord`].
    pub epoch: u32,
    /// Steps taken in this epoch.
    pub batches: u64,
    /// Positions trained on in this epoch.
    pub positions: u64,
    /// Mean loss of the steps since the previous line.
    pub loss: f64,
    pub learning_rate: f32,
    /// Speed since the previous line, excluding validation.
    pub positions_per_second: f64,
}

/// A row that selects the epoch, with a large error.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Mistake {
    pub fen: String,
    /// `None` in the record of an earlier version.
    #[serde(default)]
    pub phase: Option<GamePhase>,
    /// The label as in a CSV: `+56`, `#-2`.
    pub label: String,
    /// The network's prediction in centipawns, from White's point of view.
    pub prediction: i32,
    /// Absolute error in clipped centipawns, 0 to 2.
    pub error: f64,
}

/// Number of bars of a histogram.
pub const BINS: usize = 41;
/// A weight within this share of the limit is at it: training clips weights to the limit.
const NEAR: f32 = 1e-4;
/// Share of the weights that the bars hold; the axis ends at the next round number.
const SHOWN: f64 = 0.995;
/// Number of weights from which the axis is chosen, at most.
const SAMPLE: usize = 100_000;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LayerWeights {
    /// Name: `accumulator`, `layer 2` or `output`.
    pub name: String,
    pub inputs: usize,
    pub outputs: usize,
    /// Largest absolute weight that training allows.
    pub limit: f32,
    /// Largest absolute weight in `counts`; `None`: the limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<f32>,
    /// Number of weights in [`BINS`] equal parts of −range to range.
    pub counts: Vec<u64>,
    /// Number of weights below −range.
    #[serde(default)]
    pub below: u64,
    /// Number of weights above the range.
    #[serde(default)]
    pub above: u64,
    pub at_limit: u64,
}

impl LayerWeights {
    pub fn weights(&self) -> u64 {
        self.counts.iter().chain([&self.below, &self.above]).fold(0, |sum, &count| sum.saturating_add(count))
    }

    pub fn share_at_limit(&self) -> f64 {
        self.at_limit as f64 / self.weights().max(1) as f64
    }
}

/// The distribution of each layer's weights, from the input to the output.
pub fn layer_weights(network: &FloatNetwork) -> Vec<LayerWeights> {
    let architecture = &network.architecture;
    let describe = |(index, layer): (usize, &FloatLayer)| {
        let limit = weight_limit(architecture, index);
        let range = range(layer, limit, weight_step(architecture, index));
        let end = range.unwrap_or(limit);
        let mut counts = vec![0_u64; BINS];
        let (mut below, mut above, mut at_limit) = (0, 0, 0);
        let scale = BINS as f32 / (2.0 * end);
        for &weight in &layer.weights {
            match weight {
                weight if weight < -end => below += 1,
                weight if weight > end => above += 1,
                // The cast saturates.
                weight => counts[(((weight + end) * scale) as usize).min(BINS - 1)] += 1,
            }
            at_limit += u64::from(weight.abs() >= limit * (1.0 - NEAR));
        }
        let (inputs, outputs) = (layer.inputs(), layer.outputs());
        LayerWeights { name: name(architecture, index), inputs, outputs, limit, range, counts, below, above, at_limit }
    };
    network.layers.iter().enumerate().map(describe).collect()
}

/// The quantile [`SHOWN`] of the absolute weights, rounded up: to half of a power of ten, or to whole bars of weights that
/// are multiples of `step`. `None` if that is not below the limit.
fn range(layer: &FloatLayer, limit: f32, step: Option<f32>) -> Option<f32> {
    // An odd number visits all columns.
    let every = layer.weights.len().div_ceil(SAMPLE) | 1;
    let mut sizes: Vec<f32> = layer.weights.iter().step_by(every).map(|weight| weight.abs()).collect();
    let place = (SHOWN * sizes.len().checked_sub(1)? as f64).ceil() as usize;
    let (_, &mut size, _) = sizes.select_nth_unstable_by(place, f32::total_cmp);
    let range = if let Some(step) = step {
        // Rounded weights: every bar holds the same number of values, which is odd, with 0 in the middle.
        let values = (2.0 * size / (step * BINS as f32)).ceil() as u32 | 1;
        step * (values * BINS as u32) as f32 / 2.0
    } else {
        let unit = 10f32.powf(size.log10().floor()) / 2.0;
        (size / unit).ceil() * unit
    };
    (range > 0.0 && range < limit).then_some(range)
}

fn name(architecture: &Architecture, index: usize) -> String {
    match index {
        _ if index == architecture.hidden.len() => "output".to_owned(),
        0 => "accumulator".to_owned(),
        _ => format!("layer {}", index + 1),
    }
}
