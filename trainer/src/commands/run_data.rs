//! The data of a run as shown in messages, reports and cards, for rows in memory and streamed rows.

use alfiere_trainer::data::{Dataset, FilterCounts, HeldOutRule, LoadedFile, Row, Split, StreamedSet, prints};
use alfiere_trainer::training::Rows;

use super::data_args::DataArgs;
use super::output::grouped;

/// The data of a run.
pub(crate) struct RunData<'a> {
    /// The data files.
    pub(crate) files: &'a [LoadedFile],
    /// Number of rows removed by filters.
    pub(crate) filtered: FilterCounts,
    /// Number of training rows.
    pub(crate) training_rows: u64,
    /// Number of rows dropped from training because their position is held out.
    pub(crate) dropped: u64,
    /// Indices of the validation rows.
    pub(crate) validation: Rows<'a, Row>,
    /// The rule by which they are held out.
    pub(crate) rule: HeldOutRule,
}

impl<'a> RunData<'a> {
    /// Data in memory.
    pub(crate) fn in_memory(set: &'a Dataset, split: &'a Split, rule: HeldOutRule) -> Self {
        Self {
            files: &set.files,
            filtered: set.filtered,
            training_rows: split.training.len() as u64,
            dropped: split.dropped as u64,
            validation: Rows { samples: &set.rows, picks: &split.validation },
            rule,
        }
    }

    /// Streamed data; `picks` are the indices of the validation rows.
    pub(crate) fn streamed(set: &'a StreamedSet, picks: &'a [u32]) -> Self {
        Self {
            files: &set.files,
            filtered: set.filtered,
            training_rows: set.training_rows(),
            dropped: set.dropped,
            validation: Rows { samples: &set.held_out, picks },
            rule: set.rule.clone(),
        }
    }

    /// Number of validation rows.
    pub(crate) fn validation_rows(&self) -> u64 {
        self.validation.picks.len() as u64
    }

    /// Content hash and scale of each file.
    pub(crate) fn prints(&self) -> String {
        prints(self.files)
    }

    /// Fingerprint of a run's data with filters and split, independent of the location of the files.
    pub(crate) fn fingerprint(&self, data: &DataArgs) -> String {
        let rows = self.training_rows + self.validation_rows() + self.dropped;
        let filtered = self.filtered.total();
        let limit = data.read.rows.limit.map_or_else(|| "all".to_owned(), |rows| rows.to_string());
        format!("{} rows {rows} of {limit}, {filtered} left out, held out {}", self.prints(), self.rule)
    }

    /// Describes training and validation rows.
    pub(crate) fn summary(&self) -> String {
        format!(
            "{} training rows, {} held out ({}; {} dropped because their position is held out)",
            grouped(self.training_rows),
            grouped(self.validation_rows()),
            self.rule,
            grouped(self.dropped),
        )
    }
}
