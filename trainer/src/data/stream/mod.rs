//! Packed files that may be larger than memory: verified, split into training and held-out rows, and read in windows.
//!
//! Opening a set reads its files twice. The first pass verifies and filters them and finds the games. Then games are
//! held out exactly as by [`split`](super::split()), and the held-out rows are kept in memory. The second pass drops
//! rows whose position is held out. Between the two, files that are not in game order are read once more to collect
//! held-out positions. Memory holds a bit per row, a few bytes per game, the held-out rows, and a hash per block of
//! rows, which detects changed files.
//!
//! An epoch is a sequence of all blocks in an order that the caller chooses; rows within a block keep their order. A
//! window is any range of this sequence and can be read independently of others. The caller shuffles the rows of a
//! window. Independent of training.

mod scan;
mod shard;
mod sides;
#[cfg(test)]
mod tests;
mod window;

use super::bits::Bits;
use super::data_file::DataFile;
use super::dataset::{LoadObserver, LoadedFile};
use super::error::DataError;
use super::filter::{Filter, FilterCounts};
use super::held_out::{HeldOut, HeldOutRule};
use super::row::Row;
use super::split::SplitError;

use scan::Scan;
use shard::{Block, Shard};

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
    /// Seed of the split.
    pub seed: u64,
    /// Number of rows per block.
    pub block_rows: u32,
}

impl Default for StreamOptions {
    fn default() -> Self {
        Self { filter: Filter::default(), rows: None, held_out: HeldOut::Share(0.05), seed: 1, block_rows: BLOCK_ROWS }
    }
}

/// A set of rows in packed files; only the held-out rows are in memory.
#[derive(Clone, Debug)]
pub struct StreamedSet {
    /// The files.
    pub files: Vec<LoadedFile>,
    /// Rows removed by filters.
    pub filtered: FilterCounts,
    /// The held-out rows.
    pub held_out: Vec<Row>,
    /// The rule by which they are held out.
    pub rule: HeldOutRule,
    /// Number of rows dropped because their position is held out.
    pub dropped: u64,
    shards: Vec<Shard>,
    blocks: Vec<Block>,
    /// The training rows.
    training_rows: Bits,
}

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

impl StreamedSet {
    /// Opens packed files.
    ///
    /// # Errors
    /// If a file cannot be read, is not packed or is damaged, no row is left after the filters, or there are too few
    /// games.
    pub fn open(
        files: &[DataFile],
        options: &StreamOptions,
        observer: &mut dyn LoadObserver,
    ) -> Result<Self, StreamError> {
        let mut scan = Scan::run(files, options, observer)?;
        let (held_out, rule) = sides::hold_out(&mut scan)?;
        let dropped = sides::drop_shared(&mut scan, &held_out, observer)?;
        let Scan { files, filtered, shards, blocks, kept, .. } = scan;
        Ok(Self { files, filtered, held_out, rule, dropped, shards, blocks, training_rows: kept })
    }

    /// The number of training rows.
    pub fn training_rows(&self) -> u64 {
        self.blocks.iter().map(|block| u64::from(block.training_rows)).sum()
    }

    /// The number of blocks.
    pub fn block_count(&self) -> u32 {
        self.blocks.len() as u32
    }
}
