//! What a run takes and returns.

use std::path::PathBuf;

use alfiere_data::{Game, HeldOutRule, Row};
use alfiere_model::{FloatNetwork, Hints};

use super::checkpoint::Checkpoint;
use super::error::{StopReason, TrainingError};
use super::evaluate::Rows;
use super::observer::{EpochRecord, TrainingObserver, Validation};
use super::options::KeptWeights;
use super::plan::Phase;
use super::source::RowSource;

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
    pub stop: StopReason,
    /// Where an interrupted run resumes.
    pub state: Option<Checkpoint>,
}

#[derive(Clone)]
pub struct RunInputs<'a> {
    /// The user's rows, in memory or streamed.
    pub training: &'a dyn RowSource,
    /// Validation rows, or the inner rows; they select the epoch. May be empty.
    pub validation: Rows<'a>,
    /// The games of the samples of `validation`, so that the largest errors are of different ones.
    pub games: &'a [Game],
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
            games: &[],
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

pub struct LessonRows<'a> {
    pub training: Box<dyn RowSource + 'a>,
    /// They select the epoch.
    pub validation: Vec<Row>,
}

/// Makes the rows of lessons, by the phase and the weights alone: a resumed run makes the same ones again.
pub trait Lessons: Sync {
    /// The rows of a phase; those that are rehearsed, for the phase of the user's rows. `near` are rows of the user, `weights`
    /// those at the end of each phase before. `None` if the observer stops.
    ///
    /// # Errors
    /// If weights cannot be quantised to play, or no rows can be made.
    fn rows<'a>(
        &'a self,
        phase: &Phase,
        near: Rows<'a>,
        weights: &[FloatNetwork],
        observer: &mut (dyn TrainingObserver + Send),
    ) -> Result<Option<LessonRows<'a>>, TrainingError>;
}
