//! What a run learns from and is judged by, as remarks, reports and cards tell it: the same in memory and streamed.

use alfiere_trainer::data::{Dataset, FilterCounts, HeldOut, LoadedFile, Row, Split, SplitBy, StreamedSet, prints};
use alfiere_trainer::training::Rows;

use super::data_args::DataArgs;
use super::output::grouped;

/// The data of a run.
pub(crate) struct RunData<'a> {
    /// The files.
    pub(crate) files: &'a [LoadedFile],
    /// Rows that filters left out.
    pub(crate) filtered: FilterCounts,
    /// Rows to learn from.
    pub(crate) training_rows: u64,
    /// Rows that are left out because their position is held out.
    pub(crate) dropped: u64,
    /// Rows that are held out.
    pub(crate) validation: Rows<'a, Row>,
}

impl<'a> RunData<'a> {
    /// Rows in memory.
    pub(crate) fn in_memory(set: &'a Dataset, sides: &'a Split) -> Self {
        Self {
            files: &set.files,
            filtered: set.filtered,
            training_rows: sides.training.len() as u64,
            dropped: sides.dropped as u64,
            validation: Rows { samples: &set.rows, picks: &sides.validation },
        }
    }

    /// Streamed rows; `picks` are the numbers of the held-out ones.
    pub(crate) fn streamed(set: &'a StreamedSet, picks: &'a [u32]) -> Self {
        Self {
            files: &set.files,
            filtered: set.filtered,
            training_rows: set.training_rows(),
            dropped: set.dropped,
            validation: Rows { samples: &set.held_out, picks },
        }
    }

    /// Rows that are held out.
    pub(crate) fn validation_rows(&self) -> u64 {
        self.validation.picks.len() as u64
    }

    /// The content hash and scale of each file.
    pub(crate) fn prints(&self) -> String {
        prints(self.files)
    }

    /// Tells a run's data, with filters and split, from other data, wherever the files lie.
    pub(crate) fn fingerprint(&self, data: &DataArgs, held_out: HeldOut, seed: u64) -> String {
        let rows = self.training_rows + self.validation_rows() + self.dropped;
        let filtered = self.filtered.total();
        let limit = data.read.rows.limit.map_or_else(|| "all".to_owned(), |rows| rows.to_string());
        format!("{} rows {rows} of {limit}, {filtered} left out, split {held_out} seed {seed}", self.prints())
    }

    /// The two sides, in words.
    pub(crate) fn sides(&self) -> String {
        format!(
            "{} rows to learn from, {} held out ({}; {} dropped because their position is held out)",
            grouped(self.training_rows),
            grouped(self.validation_rows()),
            SplitBy::Games,
            grouped(self.dropped),
        )
    }
}
