//! The output of a conversion, independent of the format.

use std::path::PathBuf;

use crate::error::DataError;
use crate::left_out::LeftOut;
use crate::rows::row::Row;

/// The result of writing.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Written {
    /// The files, and the rows of each.
    pub(super) files: Vec<(PathBuf, u64)>,
    /// An existing file with the name of the next shard.
    pub(super) stale: Option<PathBuf>,
    /// Rows that the format cannot hold.
    pub(super) left_out: LeftOut,
    /// True if best moves are known but missing in the files.
    pub(super) lost_moves: bool,
}

/// Receives rows in order; files appear only after `finish`.
pub(super) trait Sink {
    /// Adds rows.
    fn push(&mut self, rows: &[Row]) -> Result<(), DataError>;

    /// Moves all files to their final paths.
    fn finish(self: Box<Self>) -> Result<Written, DataError>;
}
