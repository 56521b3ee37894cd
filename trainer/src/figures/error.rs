//! Errors of drawing figures.

use std::path::PathBuf;

use alfiere_data::DataError;
use thiserror::Error;

/// Why a figure cannot be drawn.
#[derive(Debug, Error)]
pub enum FigureError {
    /// There is nothing to draw.
    #[error("figure \"{title}\": no {what}")]
    Empty {
        /// Title of the figure.
        title: String,
        /// What is missing.
        what: String,
    },
    /// A value is out of range.
    #[error("figure \"{title}\": {place} is {value}; expected {expected}")]
    Value {
        /// Title of the figure.
        title: String,
        /// Description of the value.
        place: String,
        /// The value.
        value: f64,
        /// The allowed values.
        expected: &'static str,
    },
    /// The file extension is unknown.
    #[error("{}: unknown image format; expected a file name that ends in .svg or .png", .0.display())]
    Extension(PathBuf),
    /// Rendering or encoding failed.
    #[error("figure \"{title}\": {reason}")]
    Drawing {
        /// Title of the figure.
        title: String,
        /// The reason.
        reason: String,
    },
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] DataError),
}
