//! Packed files and bulletformat that may be larger than memory: verified, split into training and held-out rows, and read in windows.
//!
//! Opening a set reads its files twice. The first pass verifies and filters them and finds the games. Then games are
//! held out exactly as by [`Dataset::split`](crate::Dataset::split), and the held-out rows are kept in memory. The second pass drops
//! rows whose position is held out. Between the two, files that are not in game order are read once more to collect
//! held-out positions. Memory holds a bit per row, a few bytes per game, the held-out rows, and a hash per block of
//! rows, which detects changed files.
//!
//! An epoch is a sequence of all blocks in an order that the caller chooses; rows within a block keep their order. A
//! window is any range of this sequence and can be read independently of others. The caller shuffles the rows of a
//! window. Independent of training.

mod hold_out;
mod scan;
mod shard;
#[cfg(test)]
mod tests;

use std::ops::Range;

use scan::Scan;
use shard::{Block, Shard};

use self::shard::OpenShard;
use super::data_file::DataFile;
use super::dataset::{LoadObserver, LoadedFile};
use super::filter::FilterCounts;
use crate::error::DataError;
use crate::rows::bits::Bits;
use crate::rows::row::Row;
use crate::splits::held_out::HeldOutRule;
use crate::splits::unit::SplitError;

pub use scan::{BLOCK_ROWS, StreamError, StreamOptions};

/// A set of rows in files of equal rows; only the held-out rows are in memory.
#[derive(Clone, Debug)]
pub struct StreamedSet {
    pub files: Vec<LoadedFile>,
    /// Rows removed by filters.
    pub filtered: FilterCounts,
    pub rows: u64,
    /// Rows left that have a game result.
    pub results: u64,
    pub held_out: Vec<Row>,
    /// The rank of each held-out row, as of [`unit_ranks`](super::splits::split::unit_ranks).
    pub held_out_ranks: Vec<u64>,
    /// The inner rows; empty if the rule has none.
    pub inner: Vec<Row>,
    pub rule: HeldOutRule,
    /// Number of rows dropped because their position is held out.
    pub dropped: u64,
    shards: Vec<Shard>,
    blocks: Vec<Block>,
    training_rows: Bits,
}

impl StreamedSet {
    /// Opens files, packed or in bulletformat.
    ///
    /// # Errors
    /// If a file cannot be read, has another format or is damaged, no row is left after the filters, or there are too few
    /// games.
    pub fn open(
        files: &[DataFile],
        options: &StreamOptions,
        observer: &mut dyn LoadObserver,
    ) -> Result<Self, StreamError> {
        let mut scan = Scan::run(files, options, observer)?;
        let (mut rows, rule) = hold_out::hold_out(&mut scan)?;
        let dropped = rows.drop_shared() + hold_out::drop_shared(&mut scan, &rows, observer)?;
        if rule.inner && rows.inner.is_empty() {
            return Err(SplitError::NoInnerRows.into());
        }
        let hold_out::HeldOutRows { validation, ranks, inner } = rows;
        let Scan { files, filtered, shards, blocks, kept, kept_rows, results, .. } = scan;
        Ok(Self {
            files,
            filtered,
            rows: u64::from(kept_rows),
            results: u64::from(results),
            held_out: validation,
            held_out_ranks: ranks,
            inner,
            rule,
            dropped,
            shards,
            blocks,
            training_rows: kept,
        })
    }

    pub fn training_rows(&self) -> u64 {
        self.blocks.iter().map(|block| u64::from(block.training_rows)).sum()
    }

    pub fn block_count(&self) -> u32 {
        self.blocks.len() as u32
    }
}

/// A range of the training rows of one block that belongs to a window.
struct Part {
    block: u32,
    training_rows: Range<u32>,
}

impl StreamedSet {
    /// Reads training rows `range` of the sequence with blocks in this order. The rows are returned in file order, with
    /// scaled labels.
    ///
    /// # Errors
    /// If a file cannot be read or has changed since the set was opened.
    ///
    /// # Panics
    /// If `order` contains an invalid block index.
    pub fn read_window(&self, order: &[u32], range: Range<u64>) -> Result<Vec<Row>, DataError> {
        let mut parts = self.parts(order, &range);
        parts.sort_unstable_by_key(|part| part.block);
        let mut rows = Vec::with_capacity(range.end.saturating_sub(range.start) as usize);
        for parts in parts.chunk_by(|one, next| self.shard_of(one) == self.shard_of(next)) {
            let shard = &self.shards[self.shard_of(&parts[0])];
            let mut open = shard.open()?;
            for part in parts {
                self.read_part(&mut open, part, &mut rows)?;
            }
        }
        Ok(rows)
    }

    fn shard_of(&self, part: &Part) -> usize {
        self.blocks[part.block as usize].shard as usize
    }

    /// The parts of blocks that form the range.
    fn parts(&self, order: &[u32], range: &Range<u64>) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut start = 0;
        for &block in order {
            let end = start + u64::from(self.blocks[block as usize].training_rows);
            let (from, to) = (range.start.clamp(start, end), range.end.clamp(start, end));
            if from < to {
                parts.push(Part { block, training_rows: (from - start) as u32..(to - start) as u32 });
            }
            start = end;
        }
        parts
    }

    fn read_part(&self, open: &mut OpenShard<'_>, part: &Part, rows: &mut Vec<Row>) -> Result<(), DataError> {
        let block = &self.blocks[part.block as usize];
        let shard = open.shard;
        let training_rows =
            block.rows.clone().zip(open.block(block)?).filter(|&(number, _)| self.training_rows.get(number));
        for (_, bytes) in training_rows.skip(part.training_rows.start as usize).take(part.training_rows.len()) {
            rows.push(OpenShard::row(shard, bytes)?);
        }
        Ok(())
    }
}
