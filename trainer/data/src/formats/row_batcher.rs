//! Collects the rows of a reader in batches and applies limits, progress reports and counts of bad rows.

use std::io::{self, ErrorKind, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::DataError;
use crate::rows::bad_row::{BadRow, Location};
use crate::rows::row::Row;
use crate::text::read_options::{ReadOptions, ReadReport};
use crate::text::reader::{BATCH_ROWS, OnRows, ReadObserver, ReadProgress};

pub(crate) struct RowBatcher<'a, 'b> {
    path: &'a Path,
    options: &'a ReadOptions,
    /// Bytes read from the file so far, and its size.
    bytes: (&'a AtomicU64, u64),
    observer: &'a mut ReadObserver<'b>,
    on_rows: &'a mut OnRows<'b>,
    rows: Vec<Row>,
    report: ReadReport,
}

impl<'a, 'b> RowBatcher<'a, 'b> {
    pub(super) fn new(
        path: &'a Path,
        options: &'a ReadOptions,
        bytes: (&'a AtomicU64, u64),
        observer: &'a mut ReadObserver<'b>,
        on_rows: &'a mut OnRows<'b>,
    ) -> Self {
        Self {
            path,
            options,
            bytes,
            observer,
            on_rows,
            rows: Vec::with_capacity(BATCH_ROWS),
            report: ReadReport::default(),
        }
    }

    /// Adds a row; `Break` if the limit is reached.
    pub(super) fn row(&mut self, row: Row) -> Result<ControlFlow<()>, DataError> {
        self.rows.push(row);
        self.report.rows += 1;
        let is_enough = self.options.limit.is_some_and(|limit| self.report.rows >= limit as u64);
        if is_enough || self.rows.len() >= BATCH_ROWS {
            self.flush()?;
        }
        Ok(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Records an invalid row.
    pub(super) fn bad(&mut self, location: Location, found: String, problem: String) -> Result<(), DataError> {
        self.report.bad_rows += 1;
        if self.report.quoted.len() < self.options.quoted {
            self.report.quoted.push(BadRow { location, found, problem });
        }
        self.options.bad_rows.check_so_far(self.path, &self.report)
    }

    /// Counts a position that is marked as having no score.
    pub(super) fn unscored(&mut self) {
        self.report.unscored += 1;
    }

    /// The error if reading or decompressing fails.
    pub(super) fn unreadable(&self, source: io::Error) -> DataError {
        DataError::unreadable(self.path, self.report.rows, source)
    }

    /// The error if the file ends inside a record.
    pub(super) fn cut_short(&self, location: Location, what: &'static str) -> DataError {
        DataError::CutShort { path: self.path.to_path_buf(), location, what }
    }

    /// The error if the file is malformed from `location` on.
    pub(super) fn damage(&self, location: Location, problem: String, expected: &'static str) -> DataError {
        DataError::Damage { path: self.path.to_path_buf(), location, problem, expected }
    }

    fn flush(&mut self) -> Result<(), DataError> {
        (self.on_rows)(&self.rows)?;
        self.rows.clear();
        let now = ReadProgress {
            bytes: self.bytes.0.load(Ordering::Relaxed),
            total_bytes: self.bytes.1,
            rows: self.report.rows,
        };
        if (self.observer)(now).is_break() {
            return Err(DataError::Stopped { path: self.path.to_path_buf() });
        }
        Ok(())
    }

    /// Finishes the file; `expected` names the records of the format.
    pub(super) fn finish(mut self, expected: &'static str) -> Result<ReadReport, DataError> {
        self.flush()?;
        self.options.bad_rows.check(self.path, &self.report)?;
        if self.report.rows == 0 {
            return Err(self.damage(Location::Byte(0), "no row in this file".to_owned(), expected));
        }
        Ok(self.report)
    }
}

/// Reads until the buffer is full or the input ends; returns the number of bytes read.
pub(super) fn fill(input: &mut (impl Read + ?Sized), buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
