//! What a run takes, what it returns, and why it fails.

use std::fmt;
use std::path::PathBuf;

use alfiere_data::{DataError, HeldOutRule};
use alfiere_model::{Hints, StartError};
use alfiere_nnue::{FloatNetwork, QuantiseError};
use thiserror::Error;

use super::checkpoint::{Checkpoint, CheckpointError};
use super::evaluate::Rows;
use super::observer::{EpochRecord, Validation};
use super::options::ConfigError;

/// Why a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// All epochs are done.
    Finished,
    /// The loss on the held-out rows that select the epoch did not improve for `patience` epochs.
    NoProgress,
    /// The observer stopped the run.
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

#[derive(Clone, Debug)]
pub struct TrainingResult {
    /// The best weights, rounded as in a network file: those of the epoch with the lowest validation loss, or training
    /// loss without a validation set. If no epoch was finished, the weights after the last step.
    pub network: FloatNetwork,
    /// The weights after the last epoch, rounded likewise.
    pub last: FloatNetwork,
    /// Centipawns per unit of network output.
    pub output_scale: f32,
    /// The epoch after which the weights were taken, from 1; 0 if none was finished.
    pub best_epoch: u32,
    pub history: Vec<EpochRecord>,
    /// The rule by which the validation rows were held out, if there is one.
    pub held_out: Option<HeldOutRule>,
    /// Why the run ended.
    pub stop: StopReason,
    /// Where an interrupted run resumes.
    pub state: Option<Checkpoint>,
}

impl TrainingResult {
    /// The errors of the best epoch's weights on the validation rows, if there are any.
    pub fn best_validation(&self) -> Option<Validation> {
        self.history.iter().find(|record| record.epoch == self.best_epoch)?.validation
    }
}

/// Why a run cannot start or continue.
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
    #[error(transparent)]
    Rows(DataError),
    #[error("cannot start {count} threads: {reason}")]
    Threads { count: usize, reason: String },
}

#[derive(Clone, Debug)]
pub struct TrainingData<'a, S, T = Rows<'a, S>> {
    /// Training rows, in memory or streamed.
    pub training: T,
    /// Validation rows, or the inner rows; they select the epoch. May be empty.
    pub validation: Rows<'a, S>,
    /// The same rows in their other form: as given if the run resolves captures, else resolved.
    pub other_form: Option<Rows<'a, S>>,
    /// Fingerprint of the data and its split. A checkpoint can only be resumed with the same fingerprint.
    pub fingerprint: String,
    /// The rule by which the validation rows are held out, if there is one. It is stored in the checkpoint, which can
    /// only be resumed with the same rule.
    pub held_out: Option<HeldOutRule>,
    /// Additional targets, which the fingerprint names.
    pub hints: Option<Hints>,
}

impl<'a, S, T> TrainingData<'a, S, T> {
    /// Rows without another form, a fingerprint, a rule or hints.
    pub fn new(training: T, validation: Rows<'a, S>) -> Self {
        Self { training, validation, other_form: None, fingerprint: String::new(), held_out: None, hints: None }
    }
}

/// Starting state and checkpoint file of a run.
#[derive(Clone, Debug, Default)]
pub struct RunFiles {
    /// State to resume from; `None` starts a new run.
    pub resume: Option<Checkpoint>,
    /// Initial weights of a new run; `None` initialises them at random from the seed.
    pub start: Option<FloatNetwork>,
    /// Path of the checkpoint. It is saved before the first step, after each epoch, at intervals within a long epoch,
    /// and when the run is interrupted.
    pub checkpoint: Option<PathBuf>,
}
