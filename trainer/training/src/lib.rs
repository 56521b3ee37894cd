//! Training runs: options, schedules, the training loop, checkpoints and progress reports.
//!
//! A run is a list of phases (`plan`). Rows come from [`RowSource`]s, window by window. Prints nothing.

mod checkpoint;
mod error;
mod evaluate;
mod finished;
mod observer;
mod options;
mod phase_run;
mod plan;
mod recipes;
pub mod record;
mod run;
mod run_interface;
mod run_state;
mod schedule;
mod source;
mod start;

pub use checkpoint::{Best, Checkpoint, CheckpointError};
pub use error::{StopReason, TrainingError};
pub use evaluate::{Rows, evaluate, predict_centipawns};
pub use finished::{MEASURED_TRAINING_ROWS, evaluate_training, finished_network};
pub use observer::{EpochRecord, GamePhase, RowError, StepReport, TrainingObserver, TrainingProgress, Validation};
pub use options::{ConfigError, Flips, KeptWeights, MAX_THREADS, SideToMove, TrainingConfig, TrainingOptions};
pub use plan::{Lesson, Phase, VALIDATION_PART};
pub use recipes::EMBEDDED_SHAPE;
pub use run::train;
pub use run_interface::{LessonRows, Lessons, RunInputs, TrainingResult};
pub use schedule::{ResultShare, Schedule, ScheduleStep};
pub use source::{RowSource, Streamed, Window};
pub use start::Start;

#[cfg(test)]
mod streamed_tests;
#[cfg(test)]
mod tests;
