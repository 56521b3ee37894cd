//! Runs a conversion.

use super::buckets::Buckets;
use super::inputs::{FirstPass, stream_all};
use super::interleave::interleave;
use super::sink::{FileSink, LabelSink, NewLabels, PackedSink, Sink};
use super::{Conversion, Converted, Order};
use crate::dataset::LoadObserver;
use crate::error::DataError;
use crate::export::CsvColumns;
use crate::filter::{FilterCounts, LeftOut, LeftOutReason};
use crate::format::Format;

/// Writes the rows of files to a file of another format, or to several packed ones. Either all outputs appear or
/// none. The inputs are read twice for a CSV, whose columns depend on which data any row has, to find repeated
/// positions, and to interleave. Temporary files next to the output take 32 bytes per row to shuffle and 24 to find
/// repeats.
///
/// # Errors
/// If an input cannot be read, has too many bad rows or changes between two passes, the observer stops the reading, no
/// row is left to write, or a file cannot be written.
pub fn convert(job: &Conversion<'_>, observer: &mut dyn LoadObserver) -> Result<Converted, DataError> {
    run(job, None, observer)
}

/// Converts as [`convert`] does, with new labels.
///
/// # Errors
/// Those of [`convert`].
pub fn relabel(
    job: &Conversion<'_>,
    labels: &NewLabels<'_>,
    observer: &mut dyn LoadObserver,
) -> Result<Converted, DataError> {
    run(job, Some(labels), observer)
}

fn run(
    job: &Conversion<'_>,
    labels: Option<&NewLabels<'_>>,
    observer: &mut dyn LoadObserver,
) -> Result<Converted, DataError> {
    let first_pass = FirstPass::new(job, observer)?;
    let (mut columns, repeats) = (first_pass.columns, first_pass.repeats.as_ref());
    let (mut sink, read);
    match &job.order {
        Order::AsRead => {
            sink = open_sink(job, labels, columns)?;
            read = stream_all(job, repeats, observer, &mut |rows| sink.push(rows))?;
        }
        Order::Shuffled { seed } => {
            let mut buckets = Buckets::new(job.folder(), *seed)?;
            read = stream_all(job, repeats, observer, &mut |rows| {
                columns.include(rows);
                buckets.push(rows)
            })?;
            sink = open_sink(job, labels, columns)?;
            buckets.drain(observer, &mut |rows| sink.push(rows))?;
        }
        Order::Interleaved { seed } => {
            sink = open_sink(job, labels, columns)?;
            interleave(job, &first_pass, *seed, observer, &mut |rows| sink.push(rows))?;
            read = Vec::new();
        }
    }
    for (number, summary) in read.iter().enumerate() {
        first_pass.check_unchanged(number, summary)?;
    }
    let repeated = first_pass.repeated();
    let summaries = if read.is_empty() { first_pass.inputs } else { read };
    let mut filtered = FilterCounts::default();
    for summary in &summaries {
        observer.loaded(&summary.file);
        filtered.add_all(&summary.filtered);
    }
    let rows_read: u64 = summaries.iter().map(|summary| summary.file.report.rows).sum();
    if filtered.total() == rows_read {
        return Err(DataError::nothing_left(job.inputs, rows_read));
    }
    let written = sink.finish()?;
    let rows: u64 = written.files.iter().map(|(_, rows)| rows).sum();
    if rows == 0 {
        return Err(nothing_written(job, &written.left_out));
    }
    let inputs = summaries.into_iter().map(|summary| summary.file).collect();
    Ok(Converted { inputs, filtered, repeated, ..written })
}

fn open_sink<'a>(
    job: &Conversion<'_>,
    labels: Option<&'a NewLabels<'a>>,
    columns: CsvColumns,
) -> Result<Box<dyn Sink + 'a>, DataError> {
    let sink: Box<dyn Sink> = match job.to {
        Format::Packed => Box::new(PackedSink::new(job.output, job.shard_rows)?),
        format => Box::new(FileSink::new(job.output, format, columns)?),
    };
    Ok(match labels {
        Some(labels) => Box::new(LabelSink::new(labels, sink)),
        None => sink,
    })
}

fn nothing_written(job: &Conversion<'_>, left_out: &LeftOut) -> DataError {
    let path = job.output.to_path_buf();
    if let ([input], true) = (job.inputs, left_out.of(LeftOutReason::NoResult) == left_out.total()) {
        return DataError::NoResults { path: input.path.clone(), record: job.to.record() };
    }
    let counted = LeftOutReason::ALL.into_iter().filter(|&reason| left_out.of(reason) > 0);
    let reasons = counted.map(|reason| format!("{} {}", left_out.of(reason), reason.text()));
    DataError::NothingWritten { path, reasons: reasons.collect::<Vec<_>>().join(", ") }
}
