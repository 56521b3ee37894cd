//! What is to be labelled: rows, cut into chunks of whole games, and the part of them that this run does.

use std::ops::Range;

use xxhash_rust::xxh3::Xxh3;

use super::error::LabelError;
use crate::data::{GameResult, Row, find_games};
use crate::shard::Shard;

/// A chunk takes games until it has so many rows.
const FEWEST_ROWS: usize = 32;
/// A game that is longer, or rows that are no games at all, are cut here.
const MOST_ROWS: usize = 256;

/// Rows to label, and how they are cut.
#[derive(Clone, PartialEq, Debug)]
pub struct Assignment {
    rows: Vec<Row>,
    chunks: Vec<Range<usize>>,
    part: Range<usize>,
    shard: Shard,
    with_results: bool,
}

impl Assignment {
    /// Cuts rows and takes a part of them. How they are cut depends on the rows alone, so that parts fit together.
    ///
    /// # Errors
    /// The part is empty.
    pub fn new(rows: Vec<Row>, shard: Shard) -> Result<Self, LabelError> {
        let with_results = rows.iter().any(|row| row.result() != GameResult::Unknown);
        let chunks = cut(&rows);
        let part = shard.block(chunks.len());
        if part.is_empty() {
            return Err(LabelError::EmptyShard { shard: shard.to_string(), chunks: chunks.len() });
        }
        Ok(Self { rows, chunks, part, shard, with_results })
    }

    /// The chunks of this part, by number.
    pub fn part(&self) -> Range<usize> {
        self.part.clone()
    }

    /// The rows of a chunk.
    pub fn rows(&self, chunk: usize) -> &[Row] {
        &self.rows[self.chunks[chunk].clone()]
    }

    /// Rows of this part.
    pub fn row_count(&self) -> u64 {
        self.part().map(|chunk| self.rows(chunk).len() as u64).sum()
    }

    /// Which part it is.
    pub fn shard(&self) -> Shard {
        self.shard
    }

    /// True when any row of the whole knows its game's result.
    pub fn with_results(&self) -> bool {
        self.with_results
    }

    /// A hash of all rows, those of other parts too.
    pub(super) fn print(&self) -> String {
        let mut hash = Xxh3::new();
        for row in &self.rows {
            hash.update(&row.to_bytes());
        }
        format!("{} positions, xxh3:{:016x}", self.rows.len(), hash.digest())
    }
}

fn cut(rows: &[Row]) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    let mut start = 0;
    for game in find_games(rows) {
        let end = game.end as usize;
        while end - start > MOST_ROWS {
            chunks.push(start..start + MOST_ROWS);
            start += MOST_ROWS;
        }
        if end - start >= FEWEST_ROWS {
            chunks.push(start..end);
            start = end;
        }
    }
    if start < rows.len() {
        chunks.push(start..rows.len());
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::sample;

    #[test]
    fn chunks_are_all_rows_in_whole_games() {
        let rows = sample::rows(10_000);
        let starts: Vec<usize> = find_games(&rows).iter().map(|game| game.start as usize).collect();
        let whole = Assignment::new(rows.clone(), Shard::WHOLE).expect("rows");
        let mut next = 0;
        for chunk in &whole.chunks {
            assert!(chunk.start == next && starts.contains(&chunk.start) && chunk.len() <= MOST_ROWS, "{chunk:?}");
            next = chunk.end;
        }
        assert_eq!(next, rows.len());
        assert!(whole.chunks.iter().rev().skip(1).all(|chunk| chunk.len() >= FEWEST_ROWS));
        let parts = ["1/3", "2/3", "3/3"].map(|part| Assignment::new(rows.clone(), part.parse().expect("a part")));
        let joined: Vec<Row> = parts
            .iter()
            .flat_map(|part| {
                let part = part.as_ref().expect("rows");
                part.part().flat_map(|chunk| part.rows(chunk).to_vec()).collect::<Vec<_>>()
            })
            .collect();
        assert!(joined == rows);
    }

    #[test]
    fn rows_without_games_are_cut() {
        let row = sample::rows(1)[0];
        let lengths = |count| cut(&vec![row; count]).iter().map(ExactSizeIterator::len).collect::<Vec<_>>();
        assert_eq!(lengths(600), [256, 256, 88]);
        assert_eq!(lengths(520), [256, 256, 8]);
        assert_eq!(lengths(0), [0usize; 0]);
    }

    #[test]
    fn a_part_without_rows_is_refused() {
        let few = Assignment::new(sample::rows(40), "1/9".parse().expect("a part"));
        assert!(matches!(few, Err(LabelError::EmptyShard { .. })), "{few:?}");
    }
}
