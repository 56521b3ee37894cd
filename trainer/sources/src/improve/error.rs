//! Why an improvement fails.

use std::path::PathBuf;

use alfiere_data::DataError;
use alfiere_nnue::{NetworkError, QuantiseError};
use alfiere_training::{ConfigError, InitialWeightsError, StopReason, TrainingError};
use thiserror::Error;

use crate::row_files::FillError;

/// Why an improvement fails.
#[derive(Debug, Error)]
pub enum ImproveError {
    /// A file cannot be read or written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Rows or games cannot be made.
    #[error(transparent)]
    Fill(#[from] FillError),
    /// A network cannot be read or written.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The weights cannot be read.
    #[error(transparent)]
    Weights(#[from] InitialWeightsError),
    /// The options of the training are invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The training failed.
    #[error(transparent)]
    Training(#[from] TrainingError),
    /// The loss was not finite.
    #[error("{0}")]
    NotFinite(StopReason),
    /// The trained weights cannot be quantised.
    #[error(transparent)]
    Quantise(#[from] QuantiseError),
    /// The folder belongs to an improvement with other settings.
    #[error("{}: this improvement has other settings: {differences}; give the same options, or another folder", path.display())]
    OtherSettings {
        /// The file of its settings.
        path: PathBuf,
        /// The settings that differ, each with the value found and the value given.
        differences: String,
    },
    /// A line of the record is invalid.
    #[error("{}:{line}: {problem}; expected a round", path.display())]
    Record {
        /// The record.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
}
