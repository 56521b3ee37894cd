//! The lines of a record.

use serde::{Deserialize, Serialize};

use super::weights::LayerWeights;
use crate::{EpochRecord, TrainingOptions};

/// Version of the format.
pub(super) const FORMAT: u32 = 1;

/// A line of a record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Line {
    /// The run starts or is resumed.
    Start(Box<Start>),
    /// Progress.
    Step(Step),
    /// The weights within a long epoch.
    Weights {
        /// Each layer, from the input to the output.
        layers: Vec<LayerWeights>,
    },
    /// An epoch is finished.
    Epoch {
        /// Time at its end.
        time: f64,
        /// Its results.
        record: EpochRecord,
        /// Each layer, from the input to the output; empty if they were not taken.
        layers: Vec<LayerWeights>,
        /// The rows that select the epoch with the largest errors, the largest first.
        mistakes: Vec<Mistake>,
    },
    /// The run ends.
    End {
        /// Time.
        time: f64,
        /// Why it stopped.
        reason: String,
    },
}

/// The start of a run, or of a part of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Start {
    /// Version of the format.
    pub format: u32,
    /// Time.
    pub time: f64,
    /// Architecture of the network.
    pub architecture: String,
    /// Training options.
    pub options: TrainingOptions,
    /// Numbers of rows.
    #[serde(flatten)]
    pub rows: RowCounts,
    /// Number of finished epochs.
    pub epochs_done: u32,
    /// Steps taken in the current epoch.
    pub batches_done: u64,
}

/// Numbers of rows of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RowCounts {
    /// Training rows.
    #[serde(rename = "rows")]
    pub training: u64,
    /// Inner rows; if there are any, the epochs are validated on them.
    #[serde(rename = "inner_rows", default)]
    pub inner: u64,
    /// Validation rows.
    #[serde(rename = "validation_rows")]
    pub validation: u64,
}

/// Progress since the previous line of this kind.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// Time.
    pub time: f64,
    /// Current epoch, from 1.
    pub epoch: u32,
    /// Steps taken in this epoch.
    pub batches: u64,
    /// Positions trained on in this epoch.
    pub positions: u64,
    /// Mean loss of the steps since the previous line.
    pub loss: f64,
    /// Learning rate of the last step.
    pub learning_rate: f32,
    /// Speed since the previous line, excluding validation.
    pub positions_per_second: f64,
}

/// A row that selects the epoch, with a large error.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Mistake {
    /// The position.
    pub fen: String,
    /// The label as in a CSV: `+56`, `#-2`.
    pub label: String,
    /// The network's prediction in centipawns, from White's point of view.
    pub prediction: i32,
    /// Absolute error in clipped centipawns, 0 to 2.
    pub error: f64,
}
