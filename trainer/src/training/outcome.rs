//! What a run leaves, and why it ended.

use std::fmt;

use alfiere_nnue::FloatNetwork;

use super::observer::EpochRecord;

/// Why a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// All epochs are done.
    Finished,
    /// The validation loss no longer fell.
    NoProgress,
    /// The observer asked for it.
    Interrupted,
    /// The loss was no number any more; the weights are the last good ones.
    NotFinite {
        /// In which epoch, from 1.
        epoch: u32,
        /// In which of its batches, from 1.
        batch: u64,
    },
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finished => f.write_str("all epochs are done"),
            Self::NoProgress => f.write_str("the validation loss no longer fell"),
            Self::Interrupted => f.write_str("the run was interrupted"),
            Self::NotFinite { epoch, batch } => write!(
                f,
                "the loss was no number in batch {batch} of epoch {epoch}; the last good weights are kept (try a lower learning rate)"
            ),
        }
    }
}

/// What a run leaves.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The best weights: those of the epoch with the lowest validation loss (training loss without a validation set).
    /// Before the first epoch's end, the weights of the last step. As they are used, that is, rounded.
    pub network: FloatNetwork,
    /// Centipawns for each unit of the network's output.
    pub output_scale: f32,
    /// After which epoch the weights were taken, from 1; 0 when none was finished.
    pub best_epoch: u32,
    /// Finished epochs.
    pub history: Vec<EpochRecord>,
    /// Why the run ended.
    pub stop: StopReason,
}
