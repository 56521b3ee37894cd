//! Packed files that together may be larger than memory: checked, dealt to two sides, and read in windows.
//!
//! Opening a set passes over its files twice. The first pass checks them, filters, and finds the games; then games are held
//! out as [`split`](super::split()) does in memory, so that the held-out rows, which are kept in memory, are the same; the
//! second pass drops the rows whose position is held out. Between the two, files that do not tell their games are read once
//! more, for the positions that are held out. What stays in memory: a bit for each row, a few bytes for each game, the
//! held-out rows, and the hash of each block of rows, by which a file that changes is noticed.
//!
//! An epoch takes the blocks in an order of its own and the rows of a block in theirs; a window is a range of this
//! sequence. So a window starts anywhere without what came before it, and windows need not end with a block. This
//! module knows nothing of training: its caller decides the order of the blocks and shuffles the rows of a window.

mod bits;
mod scan;
mod shard;
mod sides;
#[cfg(test)]
mod tests;
mod window;

use super::data_file::DataFile;
use super::dataset::{LoadObserver, LoadedFile};
use super::error::DataError;
use super::filter::{Filter, FilterCounts};
use super::held_out::{HeldOut, HeldOutRule};
use super::row::Row;
use super::split::SplitError;

use bits::Bits;
use scan::Scan;
use shard::{Block, Shard};

/// Rows that are read together, unless said otherwise.
pub const BLOCK_ROWS: u32 = 16_384;

/// How to open a set.
#[derive(Clone, PartialEq, Debug)]
pub struct StreamOptions {
    /// Which rows to leave out.
    pub filter: Filter,
    /// At most this many rows in all, taken from the front of the files in order before filtering.
    pub rows: Option<usize>,
    /// How much is held out for validation, in whole games.
    pub held_out: HeldOut,
    /// Decides who is held out.
    pub seed: u64,
    /// Rows that are read together.
    pub block_rows: u32,
}

impl Default for StreamOptions {
    fn default() -> Self {
        Self { filter: Filter::default(), rows: None, held_out: HeldOut::Share(0.05), seed: 1, block_rows: BLOCK_ROWS }
    }
}

/// Rows of packed files, of which only the held-out ones are in memory.
#[derive(Clone, Debug)]
pub struct StreamedSet {
    /// The files.
    pub files: Vec<LoadedFile>,
    /// Rows that filters left out.
    pub filtered: FilterCounts,
    /// Rows of the games (or positions) that are held out.
    pub held_out: Vec<Row>,
    /// The rule that they follow.
    pub rule: HeldOutRule,
    /// Rows that are left out because their position is held out.
    pub dropped: u64,
    shards: Vec<Shard>,
    blocks: Vec<Block>,
    /// Rows to learn from.
    lessons: Bits,
}

/// Why a set cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// A file cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// There are no two sides.
    #[error(transparent)]
    Split(#[from] SplitError),
}

impl StreamedSet {
    /// Opens packed files.
    ///
    /// # Errors
    /// A file cannot be read, is not packed or damaged; no row is left after the filters; or there are too few games.
    pub fn open(
        files: &[DataFile],
        options: &StreamOptions,
        observer: &mut dyn LoadObserver,
    ) -> Result<Self, StreamError> {
        let mut scan = Scan::run(files, options, observer)?;
        let (held_out, rule) = sides::hold_out(&mut scan)?;
        let dropped = sides::drop_shared(&mut scan, &held_out, observer)?;
        let Scan { files, filtered, shards, blocks, kept, .. } = scan;
        Ok(Self { files, filtered, held_out, rule, dropped, shards, blocks, lessons: kept })
    }

    /// Rows to learn from.
    pub fn training_rows(&self) -> u64 {
        self.blocks.iter().map(|block| u64::from(block.lessons)).sum()
    }

    /// Blocks of rows.
    pub fn block_count(&self) -> u32 {
        self.blocks.len() as u32
    }
}
