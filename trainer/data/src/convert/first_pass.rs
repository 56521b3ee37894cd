//! The first of two passes over the inputs, for conversions that depend on all rows before they write one.

use super::conversion::{Conversion, Order};
use super::inputs::{InputSummary, stream_all};
use super::repeats::{KeyFiles, Repeats};
use crate::dataset::LoadObserver;
use crate::error::DataError;
use crate::export::CsvColumns;
use crate::format::Format;

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
        if !(is_csv || job.unique.is_some() || matches!(job.order, Order::Interleaved { .. })) {
            return Ok(Self::default());
        }
        let mut columns = CsvColumns::default();
        let mut keys = job.unique.map(|equality| KeyFiles::new(job.folder(), equality)).transpose()?;
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
