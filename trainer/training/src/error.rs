//! Why a run ends or fails.

use std::fmt;

use alfiere_model::{QuantiseError, StartError};
use thiserror::Error;

use super::checkpoint::CheckpointError;
use super::options::ConfigError;
use super::plan::Lesson;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    Finished,
    /// The loss on the held-out rows that select the epoch did not improve for `patience` epochs.
    NoProgress,
    Interrupted,
    /// The loss was NaN or infinite; the weights are the last good ones.
    NotFinite {
        /// The epoch, from 1.
        epoch: u32,
        /// The batch in that epoch, from 1.
        batch: u64,
    },
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finished => f.write_str("all epochs are done"),
            Self::NoProgress => f.write_str("the loss on held-out rows no longer improved"),
            Self::Interrupted => f.write_str("the run was interrupted"),
            Self::NotFinite { epoch, batch } => write!(
                f,
                "the loss was not a finite number in batch {batch} of epoch {epoch}; the last good weights are kept (try a lower learning rate)"
            ),
        }
    }
}

#[derive(Debug, Error)]
pub enum TrainingError {
    #[error("there are no rows to train on")]
    NoRows,
    #[error("the checkpoint belongs to a different run: its {what} differ")]
    OtherRun { what: &'static str },
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Start(#[from] StartError),
    #[error("{0}")]
    Device(String),
    #[error(transparent)]
    Quantise(#[from] QuantiseError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("the lesson `{lesson}` failed: {stop}")]
    Lesson { lesson: Lesson, stop: StopReason },
    #[error("there is no search that makes the positions of the lesson `{lesson}`")]
    NoLessons { lesson: Lesson },
    #[error("the searches of a lesson failed: {0}")]
    Searches(String),
    #[error("cannot start {count} threads: {reason}")]
    Threads { count: usize, reason: String },
}
