//! Why positions could not be labelled; every message is one sentence.

use std::path::PathBuf;

use alfiere_chess::game::Fault;

use crate::data::DataError;

/// Why positions could not be labelled.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// A file cannot be read or written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The teacher does not start.
    #[error("engine \"{name}\" {fault}")]
    NoStart {
        /// The teacher.
        name: String,
        /// What happened.
        fault: Fault,
    },
    /// The teacher answers nothing.
    #[error("engine \"{name}\" answered none of the first {asked} positions; at the last it {problem}")]
    NoAnswers {
        /// The teacher.
        name: String,
        /// Positions that it was asked about.
        asked: u64,
        /// What it did.
        problem: String,
    },
    /// The part holds nothing.
    #[error("part {shard} has no rows: the positions make only {chunks} pieces of whole games; use fewer parts")]
    EmptyShard {
        /// The part.
        shard: String,
        /// Pieces of all positions.
        chunks: usize,
    },
    /// The output is there already.
    #[error("{0}: the file is there already; delete it or give another name")]
    Finished(PathBuf),
    /// The work file cannot be used.
    #[error("{path}: {problem}; expected the finished labels of this run, delete the file to begin anew")]
    Work {
        /// The work file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The work file belongs to something else.
    #[error("{path}: begun with {what} {was}, now {now}; give the same again, or delete the file to begin anew")]
    Differs {
        /// The work file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
        /// What it was.
        was: String,
        /// What it is.
        now: String,
    },
    /// Another run writes the work file.
    #[error("{0}: another run is at work on it")]
    Busy(PathBuf),
}
