//! Why a run cannot start or continue.

use alfiere_data::DataError;
use alfiere_model::StartError;
use thiserror::Error;

use super::checkpoint::CheckpointError;
use super::options::ConfigError;

/// Why a run cannot start or continue.
#[derive(Debug, Error)]
pub enum TrainingError {
    /// There are no training rows.
    #[error("there are no rows to train on")]
    NoRows,
    /// The checkpoint is of a different run.
    #[error("the checkpoint belongs to a different run: its {what} differ")]
    OtherRun {
        /// What differs.
        what: &'static str,
    },
    /// An option is out of range.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// There are no usable initial weights.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The device cannot be used.
    #[error("{0}")]
    Device(String),
    /// A checkpoint cannot be written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The rows can no longer be read. The state of the run up to there is saved.
    #[error(transparent)]
    Rows(DataError),
    /// The threads cannot be started.
    #[error("cannot start {count} threads: {reason}")]
    Threads {
        /// Requested number of threads.
        count: usize,
        /// The cause.
        reason: String,
    },
}
