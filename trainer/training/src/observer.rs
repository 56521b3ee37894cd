//! Progress reports of a run, and the records of its epochs.

use std::ops::ControlFlow;

use alfiere_data::metrics::Metrics;
use alfiere_model::FloatNetwork;
use serde::{Deserialize, Serialize};

use super::plan::Phase;

/// A position between two steps of a phase.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct TrainingProgress {
    pub epochs: u32,
    /// Steps taken in the current epoch.
    pub batches: u64,
    /// Sum over the batches of the current epoch: mean loss times number of positions.
    pub loss_sum: f64,
    /// Time spent in the current epoch, in seconds.
    pub seconds: f64,
}

/// The state of a phase after a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StepReport {
    /// Current epoch, from 1.
    pub epoch: u32,
    pub epochs: u32,
    /// Steps taken in this epoch.
    pub batches_done: u64,
    /// Steps per epoch.
    pub batches: u64,
    /// Positions trained on in this epoch.
    pub positions_done: u64,
    /// Positions per epoch.
    pub positions: u64,
    pub learning_rate: f32,
    pub batch_loss: f32,
    /// Mean loss of the epoch so far.
    pub epoch_loss: f64,
}

/// Errors on the validation rows, without dropout.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Validation {
    /// Mean loss of the training objective; in a lesson, on held-out rows of the lesson.
    pub loss: f64,
    /// Errors in clipped centipawns, from White's point of view.
    pub metrics: Metrics,
}

/// A part of a game, by the number of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GamePhase {
    /// 26 to 32 pieces.
    Opening,
    /// 14 to 25 pieces.
    Middlegame,
    /// At most 13 pieces.
    Endgame,
}

impl GamePhase {
    pub const fn of(pieces: u32) -> Self {
        match pieces {
            26.. => Self::Opening,
            14.. => Self::Middlegame,
            _ => Self::Endgame,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RowError {
    /// Index of the sample.
    pub pick: u32,
    pub phase: GamePhase,
    /// The prediction in centipawns, from White's point of view.
    pub centipawns: f32,
    /// Absolute error in clipped centipawns, 0 to 2.
    pub error: f64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EpochRecord {
    /// Index of the phase.
    #[serde(default)]
    pub phase: u32,
    /// Number of the epoch in its phase, from 1.
    pub epoch: u32,
    /// Learning rate of its last step.
    pub learning_rate: f32,
    /// Mean training loss, each batch measured before its step and with dropout.
    pub training_loss: f64,
    /// Errors on the validation set; `None` without one.
    pub validation: Option<Validation>,
    /// True if this epoch is the best of its phase so far.
    pub is_best: bool,
    /// Time taken, including validation.
    pub seconds: f64,
    /// Training speed, excluding validation.
    pub positions_per_second: f64,
}

/// Observes a run and can stop it.
#[expect(unused_variables, reason = "the defaults ignore the reports")]
pub trait TrainingObserver {
    /// Called before each phase, and where a resumed run continues, once its checkpoint is saved: the phases, which one
    /// begins where, and the epochs before.
    fn on_phase(&mut self, phases: &[Phase], index: usize, progress: TrainingProgress, history: &[EpochRecord]) {}

    /// Called while the rows of a lesson are made, of a total number. On `Break` the run ends.
    fn on_rows(&mut self, made: u64, of: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called after each step. On `Break` the run saves a checkpoint, if a path is set, and ends.
    fn on_batch(&mut self, progress: &StepReport) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called within a long epoch after each checkpoint, with the weights that would be validated.
    fn on_weights(&mut self, network: &FloatNetwork) {}

    /// Called after each epoch, counted from 1, before `on_epoch`: the validated weights, and the validation rows with the largest errors
    /// in each phase of the game, each of another game, the largest first.
    fn on_validation(&mut self, epoch: u32, network: &FloatNetwork, largest_errors: &[RowError]) {}

    /// Called after each epoch, once its checkpoint is saved. On `Break` the run ends.
    fn on_epoch(&mut self, record: &EpochRecord) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Ignores all reports.
impl TrainingObserver for () {}
