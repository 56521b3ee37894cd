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
use super::plan::{Lesson, Lessons};
use super::source::RowSource;

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
    /// The weights at the end of the last phase, rounded as in a network file. If no epoch was finished, those after the
    /// last step.
    pub network: FloatNetwork,
    /// Centipawns of the labels per unit of network output.
    pub output_scale: f32,
    /// The epoch of the user's rows after which weights were taken, from 1; 0 if none was finished.
    pub best_epoch: u32,
    /// The network's errors on the validation rows, if there are any.
    pub validation: Option<Validation>,
    /// The epochs of all phases.
    pub history: Vec<EpochRecord>,
    /// The rule by which the validation rows were held out, if there is one.
    pub held_out: Option<HeldOutRule>,
    /// Why the run ended.
    pub stop: StopReason,
    /// Where an interrupted run resumes.
    pub state: Option<Checkpoint>,
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
    #[error("the lesson `{lesson}` failed: {stop}")]
    Lesson { lesson: Lesson, stop: StopReason },
    #[error("there is no search that makes the positions of the lesson `{lesson}`")]
    NoLessons { lesson: Lesson },
    #[error("the searches of a lesson failed: {0}")]
    Searches(String),
    #[error("cannot start {count} threads: {reason}")]
    Threads { count: usize, reason: String },
}

/// Which weights of the user's rows count.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum KeptWeights {
    /// Those of the epoch with the lowest loss on the validation rows, or on the training rows without any.
    #[default]
    Best,
    /// Those after the last epoch.
    Last,
}

/// What a run is made of.
#[derive(Clone)]
pub struct RunInputs<'a> {
    /// The user's rows, in memory or streamed.
    pub training: &'a dyn RowSource,
    /// Validation rows, or the inner rows; they select the epoch. May be empty.
    pub validation: Rows<'a>,
    pub kept: KeptWeights,
    /// Fingerprint of the data and its split. A checkpoint can only be resumed with the same fingerprint.
    pub fingerprint: String,
    /// The rule by which the validation rows are held out, if there is one. It is stored in the checkpoint, which can
    /// only be resumed with the same rule.
    pub held_out: Option<HeldOutRule>,
    /// Additional targets for the user's rows, which the fingerprint names.
    pub hints: Option<Hints>,
    /// Makes the rows of lessons; `None` if there are none.
    pub lessons: Option<&'a dyn Lessons>,
    /// Initial weights of a new run; `None` initialises them at random from the seed.
    pub start: Option<FloatNetwork>,
    /// State to resume from; `None` starts a new run.
    pub resume: Option<Checkpoint>,
    /// Path of the checkpoint. It is saved before each phase, after each epoch, at intervals within a long epoch, and when
    /// the run is interrupted.
    pub checkpoint: Option<PathBuf>,
}

impl<'a> RunInputs<'a> {
    /// A new run on these rows from random weights.
    pub fn new(training: &'a dyn RowSource, validation: Rows<'a>) -> Self {
        Self {
            training,
            validation,
            kept: KeptWeights::Best,
            fingerprint: String::new(),
            held_out: None,
            hints: None,
            lessons: None,
            start: None,
            resume: None,
            checkpoint: None,
        }
    }
}
