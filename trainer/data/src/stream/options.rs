//! Options for opening a set.

use crate::filter::Filter;
use crate::splits::held_out::HeldOut;

/// Default number of rows per block.
pub const BLOCK_ROWS: u32 = 16_384;

/// Options for opening a set.
#[derive(Clone, PartialEq, Debug)]
pub struct StreamOptions {
    /// Which rows are removed.
    pub filter: Filter,
    /// At most this many rows in all, taken from the front of the files in order before filtering.
    pub rows: Option<usize>,
    /// How much is held out for validation, in whole games.
    pub held_out: HeldOut,
    /// Whether inner rows, which select the epoch, are held out of the training side.
    pub inner: bool,
    /// Seed of the split.
    pub seed: u64,
    /// Number of rows per block.
    pub block_rows: u32,
}

impl Default for StreamOptions {
    fn default() -> Self {
        let (filter, rows, held_out, inner) = (Filter::default(), None, HeldOut::Share(0.05), false);
        Self { filter, rows, held_out, inner, seed: 1, block_rows: BLOCK_ROWS }
    }
}
