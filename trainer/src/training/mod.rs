//! Training runs: options, schedules, the loop, checkpoints and what is told along the way.
//!
//! Knows rows only as [`crate::model::Sample`]s; prints nothing.

mod checkpoint;
mod evaluate;
mod observer;
mod options;
mod run;
mod schedule;

pub use checkpoint::{Best, Checkpoint, CheckpointError, Place};
pub use evaluate::{Rows, evaluate, predict_centipawns};
pub use observer::{EpochRecord, Progress, TrainingObserver, Validation};
pub use options::{ConfigError, Flips, TrainingConfig, TrainingOptions};
pub use run::{Outcome, RunFiles, StopReason, TrainingData, TrainingError, train};
pub use schedule::{Moment, ResultShare, Schedule};

#[cfg(test)]
mod tests;
