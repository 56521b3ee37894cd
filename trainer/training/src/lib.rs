//! Training runs: options, schedules, the training loop, checkpoints and progress reports.
//!
//! Reads rows only as [`alfiere_model::Sample`]s from a [`RowSource`], window by window; prints nothing.
#![allow(missing_docs, reason = "a name, or an error's message, that says it all needs no sentence")]

mod checkpoint;
mod evaluate;
mod evaluate_training;
mod finished;
mod observer;
mod options;
mod recipes;
pub mod record;
mod run;
mod run_interface;
mod schedule;
mod source;

pub use checkpoint::{Best, Checkpoint, CheckpointError};
pub use checkpoint::{InitialWeights, InitialWeightsError, load_initial_weights};
pub use evaluate::{Rows, evaluate, predict_centipawns};
pub use evaluate_training::{MEASURED_TRAINING_ROWS, evaluate_training};
pub use finished::finished_network;
pub use observer::{EpochRecord, RowError, StepReport, TrainingObserver, TrainingProgress, Validation};
pub use options::{ConfigError, Flips, MAX_THREADS, SideToMove, TrainingConfig, TrainingOptions};
pub use recipes::EMBEDDED_SHAPE;
pub use run::train;
pub use run_interface::{RunFiles, StopReason, TrainingData, TrainingError, TrainingResult};
pub use schedule::{ResultShare, Schedule, ScheduleStep, Start};
pub use source::{RowSource, Streamed, Window};

#[cfg(test)]
mod streamed_tests;
#[cfg(test)]
mod tests;
