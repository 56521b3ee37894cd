//! Reads the input files of a conversion: rows that pass the filter, each position once if repeats are known.

use super::buckets::{KeyFiles, Repeats};
use super::{Conversion, Order};
use crate::any_file::stream_rows;
use crate::cache::Fingerprint;
use crate::captures::{Captures, resolve_rows};
use crate::data_file::DataFile;
use crate::dataset::{LoadObserver, LoadedFile};
use crate::error::DataError;
use crate::export::CsvColumns;
use crate::filter::FilterCounts;
use crate::format::Format;
use crate::row_batcher::{OnRows, ReadObserver};
use crate::rows::row::Row;
use crate::splits::games::{GameOrder, HEAD_ROWS};
use crate::text::read_options::ReadOptions;

pub(super) struct Input<'a> {
    pub(super) job: &'a Conversion<'a>,
    pub(super) file: &'a DataFile,
    pub(super) limit: Option<usize>,
    /// The repeats among the filtered rows of all files, and the number of this file's first one.
    pub(super) repeats: Option<(&'a Repeats, u64)>,
}

/// What was read of one file.
pub(super) struct InputSummary {
    pub(super) file: LoadedFile,
    pub(super) filtered: FilterCounts,
    /// Number of rows after the filter, repeats included.
    pub(super) passed: u64,
}

impl Input<'_> {
    /// Passes the rows to `on_rows`.
    pub(super) fn stream(
        &self,
        observer: &mut ReadObserver<'_>,
        on_rows: &mut OnRows<'_>,
    ) -> Result<InputSummary, DataError> {
        let Self { job, file, limit, repeats } = *self;
        let options = ReadOptions { limit, ..job.read.clone() };
        let (mut filtered, mut passed, mut known) = (FilterCounts::default(), 0, 0);
        let (mut head, mut kept): (Vec<Row>, Vec<Row>) = (Vec::new(), Vec::new());
        let mut take_kept = |rows: &[Row]| {
            head.extend_from_slice(&rows[..rows.len().min(HEAD_ROWS - head.len())]);
            kept.clear();
            known += rows.iter().filter(|row| row.has_best_move()).count() as u64;
            let resolved = (job.captures == Captures::Resolve).then(|| resolve_rows(rows));
            for row in resolved.as_deref().unwrap_or(rows) {
                if let Some(reason) = job.filter.reason(row) {
                    filtered.add(reason);
                    continue;
                }
                if repeats.is_none_or(|(repeats, first)| !repeats.contains(first + passed)) {
                    kept.push(*row);
                }
                passed += 1;
            }
            on_rows(&kept)
        };
        let path = &file.path;
        let (origin, report) = stream_rows(file, &options, observer, &mut take_kept)?;
        job.filter.check_best_moves(path, report.rows, known)?;
        let fingerprint = Fingerprint::of(path)?;
        let order = GameOrder::of_head(&head);
        let warnings = report.warning(path).into_iter().chain(order.remark(path)).collect();
        let file = LoadedFile { file: file.clone(), fingerprint, origin, report, order, warnings };
        Ok(InputSummary { file, filtered, passed })
    }
}

/// Passes the rows of all files to `on_rows` in order, up to the limit.
pub(super) fn stream_all(
    job: &Conversion<'_>,
    repeats: Option<&Repeats>,
    observer: &mut dyn LoadObserver,
    on_rows: &mut OnRows<'_>,
) -> Result<Vec<InputSummary>, DataError> {
    let mut all: Vec<InputSummary> = Vec::new();
    let (mut limit, mut first) = (job.read.limit, 0);
    for file in job.inputs {
        if limit == Some(0) {
            break;
        }
        observer.file(&file.path);
        let input = Input { job, file, limit, repeats: repeats.map(|repeats| (repeats, first)) };
        let summary = input.stream(&mut |progress| observer.progress(progress), on_rows)?;
        limit = limit.map(|limit| limit.saturating_sub(summary.file.report.rows as usize));
        first += summary.passed;
        all.push(summary);
    }
    Ok(all)
}

/// What a first pass found in all rows; nothing without a first pass.
#[derive(Default)]
pub(super) struct FirstPass {
    pub(super) columns: CsvColumns,
    pub(super) inputs: Vec<InputSummary>,
    pub(super) repeats: Option<Repeats>,
}

impl FirstPass {
    /// Reads all rows if the conversion needs it: for repeats, for the sizes of files that are mixed, and for the columns
    /// of a CSV.
    pub(super) fn new(job: &Conversion<'_>, observer: &mut dyn LoadObserver) -> Result<Self, DataError> {
        let is_csv = job.to == Format::Csv && job.order == Order::AsRead;
        if !(is_csv || job.unique || matches!(job.order, Order::Interleaved { .. })) {
            return Ok(Self::default());
        }
        let mut columns = CsvColumns::default();
        let mut keys = job.unique.then(|| KeyFiles::new(job.folder())).transpose()?;
        let inputs = stream_all(job, None, observer, &mut |rows| {
            columns.include(rows);
            keys.as_mut().map_or(Ok(()), |keys| keys.push(rows))
        })?;
        let repeats = keys.map(|keys| keys.repeats(observer)).transpose()?;
        Ok(Self { columns, inputs, repeats })
    }

    /// Number of repeated positions among all rows.
    pub(super) fn repeated(&self) -> u64 {
        let passed = self.inputs.iter().map(|input| input.passed).sum();
        self.repeats.as_ref().map_or(0, |repeats| repeats.count(0..passed))
    }

    /// Fails if a file is not the one that was read in the first pass.
    pub(super) fn check_unchanged(&self, number: usize, summary: &InputSummary) -> Result<(), DataError> {
        let path = &summary.file.file.path;
        match self.inputs.get(number) {
            Some(before) if before.file.fingerprint != summary.file.fingerprint => {
                Err(DataError::Changed { path: path.clone() })
            }
            _ => Ok(()),
        }
    }
}
