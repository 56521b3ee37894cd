//! The result of a run.

use std::fmt;

use alfiere_data::HeldOutRule;
use alfiere_nnue::FloatNetwork;

use super::observer::EpochRecord;

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

/// The result of a run.
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
    /// Records of the finished epochs.
    pub history: Vec<EpochRecord>,
    /// The rule by which the validation rows were held out, if there is one.
    pub held_out: Option<HeldOutRule>,
    /// Why the run ended.
    pub stop: StopReason,
}
