//! What a run needs: its data, and the files that it starts from and writes.

use std::path::PathBuf;

use alfiere_data::HeldOutRule;
use alfiere_model::Hints;
use alfiere_nnue::FloatNetwork;

use super::checkpoint::Checkpoint;
use super::evaluate::Rows;

/// Training and validation data of a run.
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
