//! What a conversion writes to, in any format.

use std::path::PathBuf;

use crate::data::error::DataError;
use crate::data::formats::LeftOut;
use crate::data::row::Row;

/// What was written.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Written {
    /// The files, and the rows of each.
    pub(super) files: Vec<(PathBuf, u64)>,
    /// A file that stands where the next shard would.
    pub(super) stale: Option<PathBuf>,
    /// Rows that the format cannot hold.
    pub(super) left_out: LeftOut,
    /// True when best moves were known that the files do not name.
    pub(super) lost_moves: bool,
}

/// Takes rows in their order; nothing appears before the end.
pub(super) trait Sink {
    /// Takes more rows.
    fn push(&mut self, rows: &[Row]) -> Result<(), DataError>;

    /// Puts everything in its place.
    fn finish(self: Box<Self>) -> Result<Written, DataError>;
}
