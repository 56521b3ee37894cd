//! The rows to be labelled, divided into chunks of whole games, and the part of them that this run labels.

use std::ops::Range;
use std::path::PathBuf;

use alfiere_chess::game::Fault;
use alfiere_data::{DataError, Row, RowResult, find_games};
use xxhash_rust::xxh3::Xxh3;

use crate::pool::ThreadError;
use crate::shard::Shard;

/// A chunk takes games until it has at least this number of rows.
const MIN_ROWS: usize = 32;
/// Maximum number of rows in a chunk: longer games, and rows without game structure, are split here.
const MAX_ROWS: usize = 256;

/// The rows to be labelled and their division into chunks.
#[derive(Clone, PartialEq, Debug)]
pub struct Assignment {
    rows: Vec<Row>,
    chunks: Vec<Range<usize>>,
    part: Range<usize>,
    shard: Shard,
    with_results: bool,
}

impl Assignment {
    /// Divides rows into chunks and selects a part of them. The division depends only on the rows, so parts are
    /// disjoint and complete.
    ///
    /// # Errors
    /// If the part is empty.
    pub fn new(rows: Vec<Row>, shard: Shard) -> Result<Self, LabelError> {
        let with_results = rows.iter().any(|row| row.result() != RowResult::Unknown);
        let chunks = cut(&rows);
        let part = shard.block(chunks.len());
        if part.is_empty() {
            return Err(LabelError::EmptyShard { shard: shard.to_string(), chunks: chunks.len() });
        }
        Ok(Self { rows, chunks, part, shard, with_results })
    }

    /// The chunk numbers of this part.
    pub fn part(&self) -> Range<usize> {
        self.part.clone()
    }

    pub fn rows(&self, chunk: usize) -> &[Row] {
        &self.rows[self.chunks[chunk].clone()]
    }

    pub fn row_count(&self) -> u64 {
        self.part().map(|chunk| self.rows(chunk).len() as u64).sum()
    }

    pub fn shard(&self) -> Shard {
        self.shard
    }

    /// True if any row, of any part, has a game result.
    pub fn with_results(&self) -> bool {
        self.with_results
    }

    /// Fingerprint of all rows, including those of other parts.
    pub(super) fn fingerprint(&self) -> String {
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
        while end - start > MAX_ROWS {
            chunks.push(start..start + MAX_ROWS);
            start += MAX_ROWS;
        }
        if end - start >= MIN_ROWS {
            chunks.push(start..end);
            start = end;
        }
    }
    if start < rows.len() {
        chunks.push(start..rows.len());
    }
    chunks
}

#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Thread(#[from] ThreadError),
    #[error("engine \"{name}\" {fault}")]
    NoStart { name: String, fault: Fault },
    #[error("engine \"{name}\" answered none of the first {asked} positions; for the last one it {problem}")]
    NoAnswers { name: String, asked: u64, problem: String },
    #[error("part {shard} has no rows: the positions form only {chunks} chunks of whole games; use fewer parts")]
    EmptyShard { shard: String, chunks: usize },
    #[error("{0}: the file already exists; delete it or choose another name")]
    Finished(PathBuf),
    #[error("{path}: {problem}; delete the file to start over")]
    Work { path: PathBuf, problem: String },
    #[error("{path}: started with {what} {was}, now {now}; use the same, or delete the file to start over")]
    Differs { path: PathBuf, what: &'static str, was: String, now: String },
    #[error("{0}: another run is using it")]
    Busy(PathBuf),
}

#[cfg(test)]
mod tests {
    use alfiere_data::sample;

    use super::*;

    #[test]
    fn chunks_cover_all_rows_in_whole_games() {
        let rows = sample::rows(10_000);
        let starts: Vec<usize> = find_games(&rows).iter().map(|game| game.start as usize).collect();
        let whole = Assignment::new(rows.clone(), Shard::WHOLE).expect("rows");
        let mut next = 0;
        for chunk in &whole.chunks {
            assert!(chunk.start == next && starts.contains(&chunk.start) && chunk.len() <= MAX_ROWS, "{chunk:?}");
            next = chunk.end;
        }
        assert_eq!(next, rows.len());
        assert!(whole.chunks.iter().rev().skip(1).all(|chunk| chunk.len() >= MIN_ROWS));
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
    fn rows_without_games_are_split() {
        let row = sample::rows(1)[0];
        let lengths = |count| cut(&vec![row; count]).iter().map(ExactSizeIterator::len).collect::<Vec<_>>();
        assert_eq!(lengths(600), [256, 256, 88]);
        assert_eq!(lengths(520), [256, 256, 8]);
        assert_eq!(lengths(0), [0usize; 0]);
    }

    #[test]
    fn empty_part_is_rejected() {
        let few = Assignment::new(sample::rows(40), "1/9".parse().expect("a part"));
        assert!(matches!(few, Err(LabelError::EmptyShard { .. })), "{few:?}");
    }
}
