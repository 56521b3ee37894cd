//! Why a figure was not drawn.

use std::path::PathBuf;

use thiserror::Error;

use crate::data::DataError;

/// Why a figure was not drawn.
#[derive(Debug, Error)]
pub enum FigureError {
    /// There is nothing to draw.
    #[error("figure \"{title}\": no {what}")]
    Empty {
        /// The figure's title.
        title: String,
        /// What is missing.
        what: String,
    },
    /// A number that has no place on an axis.
    #[error("figure \"{title}\": {place} is {value}; expected {expected}")]
    Value {
        /// The figure's title.
        title: String,
        /// Which number.
        place: String,
        /// What it is.
        value: f64,
        /// What it should have been.
        expected: &'static str,
    },
    /// A file name that names no format.
    #[error("{}: unknown kind of picture; expected a name that ends in .svg or .png", .0.display())]
    Extension(PathBuf),
    /// The picture could not be drawn or packed.
    #[error("figure \"{title}\": {reason}")]
    Drawing {
        /// The figure's title.
        title: String,
        /// What failed.
        reason: String,
    },
    /// The file could not be written.
    #[error(transparent)]
    File(#[from] DataError),
}
