//! Windows: ranges of the row sequence of an epoch.

use std::ops::Range;

use crate::error::DataError;
use crate::rows::row::Row;

use super::StreamedSet;
use super::shard::OpenShard;

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
