//! Why a set cannot be opened.

use crate::error::DataError;
use crate::splits::split_error::SplitError;

/// Why a set cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// A file cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The rows cannot be split.
    #[error(transparent)]
    Split(#[from] SplitError),
}
