//! The rows to be labelled, divided into chunks of whole games, and the part of them that this run labels.

use std::ops::Range;
use std::path::PathBuf;

use alfiere_chess::game::Fault;
use alfiere_data::{Row, RowResult, find_games};
use serde_json::json;
use xxhash_rust::xxh3::Xxh3;

use crate::pool::ThreadError;
use crate::resumable_file::ResumableFileError;
use crate::shard::Shard;

/// A chunk takes games until it has at least this number of rows.
const MIN_ROWS: usize = 32;
/// Maximum number of rows in a chunk: longer games, and rows without game structure, are split here.
const MAX_ROWS: usize = 256;

/// The rows of a part, in chunks.
#[derive(Clone, PartialEq, Debug)]
pub struct Assignment {
    rows: Vec<Row>,
    chunks: Vec<Range<usize>>,
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
        let all = cut(&rows);
        let chunks = all[shard.block(all.len())].to_vec();
        if chunks.is_empty() {
            return Err(LabelError::EmptyShard { shard: shard.to_string(), chunks: all.len() });
        }
        Ok(Self { rows, chunks, shard, with_results })
    }

    /// Number of chunks of this part.
    pub(super) fn chunk_count(&self) -> u64 {
        self.chunks.len() as u64
    }

    pub(super) fn rows(&self, chunk: u64) -> &[Row] {
        &self.rows[self.chunks[chunk as usize].clone()]
    }

    pub fn row_count(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.len() as u64).sum()
    }

    /// True if any row, of any part, has a game result.
    pub(super) fn with_results(&self) -> bool {
        self.with_results
    }

    /// The lines before those of a chunk: only the first of the first part has a header, so that concatenated parts form the
    /// whole file.
    pub(super) fn header(&self, chunk: u64) -> &'static str {
        match self.with_results {
            _ if !self.shard.is_first() || chunk > 0 => "",
            false => "FEN,Evaluation,Move\n",
            true => "FEN,Evaluation,Move,Result\n",
        }
    }

    /// What the labels depend on, as JSON; of the rows, including those of other parts, a fingerprint.
    pub(super) fn settings(&self, engine: &str, limit: &str) -> String {
        let mut hash = Xxh3::new();
        self.rows.iter().for_each(|row| hash.update(&row.to_bytes()));
        let input = format!("{} positions, xxh3:{:016x}", self.rows.len(), hash.digest());
        let (part, chunk_rows) = (self.shard.to_string(), [MIN_ROWS, MAX_ROWS]);
        json!({ "input": input, "engine": engine, "limit": limit, "part": part, "chunk_rows": chunk_rows }).to_string()
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
    File(#[from] ResumableFileError),
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
        let part = |part: &str| Assignment::new(rows.clone(), part.parse().expect("a part")).expect("rows").chunks;
        assert!(["1/3", "2/3", "3/3"].map(part).concat() == whole.chunks);
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
