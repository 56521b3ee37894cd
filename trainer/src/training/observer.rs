//! What a run tells while it goes, and what it leaves behind.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::metrics::Metrics;

/// Where a run is after a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Epoch under way, from 1.
    pub epoch: u32,
    /// Epochs of the whole run.
    pub epochs: u32,
    /// Steps taken in this epoch.
    pub batches_done: u64,
    /// Steps of an epoch.
    pub batches: u64,
    /// Positions trained in this epoch.
    pub positions_done: u64,
    /// Mean loss of this step's batch.
    pub batch_loss: f32,
    /// Mean loss of the epoch so far.
    pub epoch_loss: f64,
}

/// Error over a validation set, without dropout, all of it at once.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Validation {
    /// Mean loss, as the objective has it.
    pub loss: f64,
    /// Errors in report space, from White's side.
    pub metrics: Metrics,
}

/// What an epoch achieved.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EpochRecord {
    /// Which, from 1.
    pub epoch: u32,
    /// Learning rate of its last step.
    pub learning_rate: f32,
    /// Mean loss over its batches, each before its step, with dropout.
    pub training_loss: f64,
    /// On the validation set; `None` without one.
    pub validation: Option<Validation>,
    /// True when no earlier epoch was better.
    pub is_best: bool,
    /// Time taken, validation included.
    pub seconds: f64,
    /// Training speed, validation left out.
    pub positions_per_second: f64,
}

/// Watches a run, and may stop it.
pub trait TrainingObserver {
    /// After each step. With `Break` the run saves a checkpoint, if it has a place for one, and ends.
    fn on_batch(&mut self, progress: &Progress) -> ControlFlow<()> {
        let _ = progress;
        ControlFlow::Continue(())
    }

    /// After each epoch, once its checkpoint is saved.
    fn on_epoch(&mut self, record: &EpochRecord) {
        let _ = record;
    }
}

/// Watches nothing.
impl TrainingObserver for () {}
