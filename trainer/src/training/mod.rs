//! Training runs: options, schedules, the training loop, checkpoints and progress reports.
//!
//! Reads rows only as [`crate::model::Sample`]s from a [`RowSource`], window by window; prints nothing.

mod checkpoint;
mod device;
mod earlier;
mod error;
mod evaluate;
mod observer;
mod options;
mod outcome;
mod run;
mod schedule;
mod source;

pub use checkpoint::{Best, Checkpoint, CheckpointError, TrainingProgress};
pub use device::Compute;
pub use earlier::{Earlier, EarlierError, earlier_weights};
pub use error::TrainingError;
pub use evaluate::{Rows, evaluate, predict_centipawns};
pub use observer::{EpochRecord, Progress, TrainingObserver, Validation};
pub use options::{ConfigError, Flips, MAX_THREADS, TrainingConfig, TrainingOptions};
pub use outcome::{Outcome, StopReason};
pub use run::{RunFiles, TrainingData, train};
pub use schedule::{ResultShare, Schedule, ScheduleStep};
pub use source::{RowSource, Streamed, Window};

#[cfg(test)]
mod streamed_tests;
#[cfg(test)]
mod tests;
