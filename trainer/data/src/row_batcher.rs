//! Where the readers of all formats put their rows: passes them on in batches and applies limits, progress reports and
//! counts of bad rows.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::DataError;
use crate::rows::bad_row::{BadRow, Location};
use crate::rows::row::{ROW_BYTES, Row};
use crate::text::read_options::{ReadOptions, ReadReport};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadProgress {
    /// Bytes read from the file so far, before decompression.
    pub bytes: u64,
    pub total_bytes: u64,
    /// Valid rows so far.
    pub rows: u64,
}

impl ReadProgress {
    /// Of rows in their own layout.
    pub(crate) fn of_rows(rows: u64, total: u64) -> Self {
        Self { bytes: rows * ROW_BYTES as u64, total_bytes: total * ROW_BYTES as u64, rows }
    }
}

/// Called after each batch; `Break` stops reading.
pub type ReadObserver<'a> = dyn FnMut(ReadProgress) -> ControlFlow<()> + 'a;

/// Rows per call of [`OnRows`], where nothing else decides.
pub(crate) const BATCH_ROWS: usize = 16_384;

/// Receives rows as they are read; an error stops the reading.
pub type OnRows<'a> = dyn FnMut(&[Row]) -> Result<(), DataError> + 'a;

pub(crate) struct RowBatcher<'a, 'b> {
    pub(crate) path: &'a Path,
    pub(crate) options: &'a ReadOptions,
    /// Bytes read from the file so far, and its size.
    bytes: (&'a AtomicU64, u64),
    observer: &'a mut ReadObserver<'b>,
    on_rows: &'a mut OnRows<'b>,
    /// Rows not yet passed on.
    pub(crate) rows: Vec<Row>,
    report: ReadReport,
}

impl<'a, 'b> RowBatcher<'a, 'b> {
    pub(crate) fn new(
        path: &'a Path,
        options: &'a ReadOptions,
        bytes: (&'a AtomicU64, u64),
        observer: &'a mut ReadObserver<'b>,
        on_rows: &'a mut OnRows<'b>,
    ) -> Self {
        Self { path, options, bytes, observer, on_rows, rows: Vec::new(), report: ReadReport::default() }
    }

    /// The number of rows that the limit still allows.
    pub(crate) fn wanted(&self) -> usize {
        self.options.limit.map_or(usize::MAX, |limit| limit.saturating_sub(self.report.rows as usize))
    }

    /// Adds a row; `Break` if the limit is reached.
    pub(crate) fn row(&mut self, row: Row) -> Result<ControlFlow<()>, DataError> {
        self.rows.push(row);
        self.report.rows += 1;
        let is_enough = self.wanted() == 0;
        if is_enough || self.rows.len() >= BATCH_ROWS {
            self.flush()?;
        }
        Ok(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Adds rows, which [`Self::flush`] passes on.
    pub(crate) fn extend(&mut self, rows: &[Row]) {
        self.rows.extend_from_slice(rows);
        self.report.rows += rows.len() as u64;
    }

    /// Records an invalid row.
    pub(crate) fn bad(&mut self, location: Location, found: String, problem: String) -> Result<(), DataError> {
        self.bad_rows(1, [BadRow { location, found, problem }])
    }

    /// Records this number of invalid rows, of which the first are given.
    pub(crate) fn bad_rows(&mut self, count: u64, first: impl IntoIterator<Item = BadRow>) -> Result<(), DataError> {
        self.report.bad_rows += count;
        let room = self.options.quoted.saturating_sub(self.report.quoted.len());
        self.report.quoted.extend(first.into_iter().take(room));
        self.options.bad_rows.check_so_far(self.path, &self.report)
    }

    /// Counts a position that is marked as having no score.
    pub(crate) fn unscored(&mut self) {
        self.report.unscored += 1;
    }

    /// Records that the last line has no line end.
    pub(crate) fn last_line_open(&mut self) {
        self.report.last_line_open = true;
    }

    /// The error if reading or decompressing fails.
    pub(crate) fn unreadable(&self, source: io::Error) -> DataError {
        DataError::unreadable(self.path, self.report.rows, source)
    }

    /// The error if the file ends inside a record.
    pub(crate) fn cut_short(&self, location: Location, what: &'static str) -> DataError {
        DataError::CutShort { path: self.path.to_path_buf(), location, what }
    }

    /// The error if the file is malformed from `location` on.
    pub(crate) fn damage(&self, location: Location, problem: String, expected: &'static str) -> DataError {
        DataError::Damage { path: self.path.to_path_buf(), location, problem, expected }
    }

    /// Passes on the rows that were added.
    pub(crate) fn flush(&mut self) -> Result<(), DataError> {
        (self.on_rows)(&self.rows)?;
        self.rows.clear();
        self.observe()
    }

    /// Reports the progress without passing rows on.
    pub(crate) fn observe(&mut self) -> Result<(), DataError> {
        let (bytes, total_bytes) = (self.bytes.0.load(Ordering::Relaxed), self.bytes.1);
        if (self.observer)(ReadProgress { bytes, total_bytes, rows: self.report.rows }).is_break() {
            return Err(DataError::Stopped { path: self.path.to_path_buf() });
        }
        Ok(())
    }

    /// Passes on the last rows and checks the number of bad ones; without any row, fails with `no_row` if given.
    pub(crate) fn finish(mut self, no_row: Option<DataError>) -> Result<ReadReport, DataError> {
        if !self.rows.is_empty() {
            self.flush()?;
        }
        self.options.bad_rows.check(self.path, &self.report)?;
        match no_row {
            Some(error) if self.report.rows == 0 => Err(error),
            _ => Ok(self.report),
        }
    }
}
