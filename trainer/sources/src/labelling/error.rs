//! Errors of labelling; every message is one sentence.

use std::path::PathBuf;

use alfiere_chess::game::Fault;
use alfiere_data::DataError;

/// Why labelling failed.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// A file cannot be read or written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The engine does not start.
    #[error("engine \"{name}\" {fault}")]
    NoStart {
        /// Name of the engine.
        name: String,
        /// The failure.
        fault: Fault,
    },
    /// The engine gives no usable answers.
    #[error("engine \"{name}\" answered none of the first {asked} positions; for the last one it {problem}")]
    NoAnswers {
        /// Name of the engine.
        name: String,
        /// Number of positions sent to it.
        asked: u64,
        /// The last failure.
        problem: String,
    },
    /// The part has no rows.
    #[error("part {shard} has no rows: the positions form only {chunks} chunks of whole games; use fewer parts")]
    EmptyShard {
        /// The part.
        shard: String,
        /// Number of chunks of all positions.
        chunks: usize,
    },
    /// The output already exists.
    #[error("{0}: the file already exists; delete it or choose another name")]
    Finished(PathBuf),
    /// The work file cannot be used.
    #[error("{path}: {problem}; delete the file to start over")]
    Work {
        /// Path of the work file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The work file is of a run with different parameters.
    #[error("{path}: started with {what} {was}, now {now}; use the same, or delete the file to start over")]
    Differs {
        /// Path of the work file.
        path: PathBuf,
        /// The parameter that differs.
        what: &'static str,
        /// Its value in the work file.
        was: String,
        /// Its value in this run.
        now: String,
    },
    /// Another run is using the work file.
    #[error("{0}: another run is using it")]
    Busy(PathBuf),
}
