//! The data of a run as shown in messages, reports and cards, for rows in memory and streamed rows.

use alfiere_data::{
    Captures, Dataset, FilterCounts, HeldOutRule, LoadedFile, Row, Split, StreamedSet, fingerprints, unit_ranks,
};
use alfiere_training::Rows;

use super::data_args::{DataArgs, warn};
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
    /// The rank of each validation row, by which those of one game are recognised.
    pub(crate) ranks: Vec<u64>,
    /// The inner rows, if they select the epoch.
    pub(crate) inner: Option<Rows<'a, Row>>,
    /// The validation rows and the inner rows in the form that is not trained on: as given if captures are resolved, else
    /// resolved.
    other_samples: [&'a [Row]; 2],
    /// The rule by which both are held out.
    pub(crate) rule: HeldOutRule,
    /// Warnings about the data, which were printed when it was loaded.
    pub(crate) warnings: Vec<String>,
}

impl<'a> RunData<'a> {
    /// Data in memory, with printed warnings. `inner` is the split of the training side.
    pub(crate) fn in_memory(
        set: &'a Dataset,
        outer: &'a Split,
        inner: Option<&'a Split>,
        rule: HeldOutRule,
        captures: Captures,
    ) -> Self {
        let [samples, other_samples] = set.samples(captures);
        let rows = |picks| Rows { samples, picks };
        Self {
            files: &set.files,
            filtered: set.filtered,
            training_rows: inner.unwrap_or(outer).training.len() as u64,
            dropped: (outer.dropped + inner.map_or(0, |inner| inner.dropped)) as u64,
            validation: rows(&outer.validation),
            ranks: unit_ranks(&set.rows, &set.games, &outer.validation, rule.seed),
            warnings: warn(&set.rows, rule.unit),
            inner: inner.map(|inner| rows(&inner.validation)),
            other_samples: [other_samples; 2],
            rule,
        }
    }

    /// Streamed data, with printed warnings about the held-out rows; `resolved` are the validation rows and the inner rows
    /// with captures resolved, `picks` the indices of both.
    pub(crate) fn streamed(
        set: &'a StreamedSet,
        resolved: &'a [Vec<Row>; 2],
        [picks, inner]: [&'a [u32]; 2],
        captures: Captures,
    ) -> Self {
        let given = [set.held_out.as_slice(), set.inner.as_slice()];
        let resolved = resolved.each_ref().map(Vec::as_slice);
        let [samples, other_samples] = captures.trained_first([given, resolved]);
        Self {
            files: &set.files,
            filtered: set.filtered,
            training_rows: set.training_rows(),
            dropped: set.dropped,
            validation: Rows { samples: samples[0], picks },
            ranks: set.held_out_ranks.clone(),
            warnings: warn(&set.held_out, set.rule.unit),
            inner: set.rule.inner.then_some(Rows { samples: samples[1], picks: inner }),
            other_samples,
            rule: set.rule.clone(),
        }
    }

    /// The validation rows in the form that is not trained on.
    pub(crate) fn validation_in_other_form(&self) -> Rows<'a, Row> {
        Rows { samples: self.other_samples[0], picks: self.validation.picks }
    }

    /// The rows that select the epoch in that form.
    pub(crate) fn selecting_in_other_form(&self) -> Rows<'a, Row> {
        match self.inner {
            Some(inner) => Rows { samples: self.other_samples[1], picks: inner.picks },
            None => self.validation_in_other_form(),
        }
    }

    /// Number of validation rows.
    pub(crate) fn validation_rows(&self) -> u64 {
        self.validation.picks.len() as u64
    }

    /// Number of inner rows.
    pub(crate) fn inner_rows(&self) -> u64 {
        self.inner.map_or(0, |inner| inner.picks.len() as u64)
    }

    /// The rows that select the epoch.
    pub(crate) fn selecting(&self) -> Rows<'a, Row> {
        self.inner.unwrap_or(self.validation)
    }

    /// The kind of these rows.
    pub(crate) const fn selection(&self) -> &'static str {
        if self.inner.is_some() { "inner" } else { "validation" }
    }

    /// Content hash and scale of each file.
    pub(crate) fn fingerprints(&self) -> String {
        fingerprints(self.files)
    }

    /// Fingerprint of a run's data with filters and split, independent of the location of the files.
    pub(crate) fn fingerprint(&self, data: &DataArgs) -> String {
        let rows = self.training_rows + self.inner_rows() + self.validation_rows() + self.dropped;
        let filtered = self.filtered.total();
        let limit = data.read.rows.limit.map_or_else(|| "all".to_owned(), |rows| rows.to_string());
        format!("{} rows {rows} of {limit}, {filtered} left out, held out {}", self.fingerprints(), self.rule)
    }

    /// Describes training and validation rows.
    pub(crate) fn summary(&self) -> String {
        let inner = self.inner.map_or_else(String::new, |_| format!("{} inner rows, ", grouped(self.inner_rows())));
        format!(
            "{} training rows, {inner}{} held out ({}; {} dropped because their position is held out)",
            grouped(self.training_rows),
            grouped(self.validation_rows()),
            self.rule,
            grouped(self.dropped),
        )
    }
}
