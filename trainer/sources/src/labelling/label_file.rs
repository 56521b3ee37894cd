//! The labels so far, in a file beside the output.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::assignment::{Assignment, LabelError};
use crate::resumable_file::ResumableFile;

/// What became of the positions.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Labelled positions.
    pub rows: u64,
    /// Positions in which the game is over.
    pub over: u64,
    /// Positions that are not standard chess.
    pub refused: u64,
    /// Positions on which the engine failed repeatedly.
    pub failed: Vec<String>,
}

impl Counts {
    /// Number of processed positions.
    pub fn total(&self) -> u64 {
        self.rows + self.over + self.refused + self.failed.len() as u64
    }

    fn add(&mut self, mut other: Self) {
        self.rows += other.rows;
        self.over += other.over;
        self.refused += other.refused;
        self.failed.append(&mut other.failed);
    }
}

/// The lines of the output that are complete, in `OUT.part`: a record for each chunk, whose details are its counts as JSON.
#[derive(Debug)]
pub struct LabelFile {
    output: PathBuf,
    pub(super) file: ResumableFile,
    counts: Counts,
}

impl LabelFile {
    /// Creates or continues the file for an output. `engine` and `limit` are what the labels depend on, in addition to the rows.
    ///
    /// # Errors
    /// If the output exists without such a file; if the file has different settings, is damaged or in use, or cannot be
    /// written.
    pub fn open(output: &Path, assignment: &Assignment, engine: &str, limit: &str) -> Result<Self, LabelError> {
        let path = output.with_added_extension("part");
        if output.exists() && !path.exists() {
            return Err(LabelError::Finished(output.to_path_buf()));
        }
        let mut counts = Counts::default();
        let file = ResumableFile::open(&path, &assignment.settings(engine, limit), |details, _| {
            serde_json::from_str(details).ok().map(|chunk| counts.add(chunk))
        })?;
        Ok(Self { output: output.to_path_buf(), file, counts })
    }

    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// Results so far.
    pub const fn counts(&self) -> &Counts {
        &self.counts
    }

    pub(super) fn push(&mut self, chunk: u64, text: &str, counts: Counts) -> Result<(), LabelError> {
        self.file.push(chunk, text.as_bytes(), json!(counts))?;
        self.counts.add(counts);
        Ok(())
    }

    /// Writes the output when all chunks are complete, and removes this file.
    ///
    /// # Errors
    /// If a file cannot be written or removed.
    pub fn publish(self) -> Result<Counts, LabelError> {
        self.file.publish(&self.output)?;
        Ok(self.counts)
    }
}
