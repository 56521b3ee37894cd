//! A conversion: its inputs, its output order, and its result.

use std::path::{Path, PathBuf};

use super::buckets::Buckets;
use super::game_sink::GameSink;
use super::inputs::stream_all;
use super::packed_sink::PackedSink;
use super::row_sink::RowSink;
use super::sink::Sink;
use crate::data::cache::Fingerprint;
use crate::data::data_file::DataFile;
use crate::data::dataset::{LoadObserver, LoadedFile};
use crate::data::error::DataError;
use crate::data::export::Known;
use crate::data::filter::{Filter, FilterCounts};
use crate::data::formats::{Format, LeftOut, LeftOutReason};
use crate::data::read_options::ReadOptions;

/// The order in which rows are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Input order.
    #[default]
    AsRead,
    /// Shuffled.
    Shuffled {
        /// The random seed.
        seed: u64,
    },
}

/// The inputs, output and options of a conversion.
#[derive(Clone, Debug)]
pub struct Conversion<'a> {
    /// The files, in their order; [`ReadOptions::limit`] counts the rows of all of them.
    pub inputs: &'a [DataFile],
    /// How they are read.
    pub read: ReadOptions,
    /// Which rows are left out.
    pub filter: Filter,
    /// The output file, compressed if its name ends in `.gz` or `.zst`.
    pub output: &'a Path,
    /// The output format, which must be writable.
    pub to: Format,
    /// Cut a packed output into shards of about this many rows.
    pub shard_rows: Option<u64>,
    /// The order of its rows.
    pub order: Order,
}

/// The result of a conversion.
#[derive(Clone, PartialEq, Debug)]
pub struct Converted {
    /// The files written, and the rows of each.
    pub files: Vec<(PathBuf, u64)>,
    /// A file with the name of the next shard, left by an earlier conversion with more shards.
    pub stale: Option<PathBuf>,
    /// The files read, with their reports.
    pub inputs: Vec<LoadedFile>,
    /// Rows removed by filters.
    pub filtered: FilterCounts,
    /// Rows that the format cannot hold.
    pub left_out: LeftOut,
    /// True if best moves are known but missing in the written files.
    pub lost_moves: bool,
}

/// Writes the rows of files to a file of another format, or to several packed ones. Either all outputs appear or
/// none. For a CSV the inputs are read twice, because its columns depend on which data any row has; a shuffled
/// conversion reads them once and needs 32 bytes of disk per row next to the output.
///
/// # Errors
/// If an input cannot be read or has too many bad rows, the observer stops the reading, no row is left to write, or a
/// file cannot be written.
pub fn convert(job: &Conversion<'_>, observer: &mut dyn LoadObserver) -> Result<Converted, DataError> {
    let (inputs, options, filter) = (job.inputs, &job.read, &job.filter);
    let mut known = Known::default();
    let (mut sink, taken);
    if let Order::Shuffled { seed } = job.order {
        let folder = job.output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut buckets = Buckets::new(folder, seed)?;
        taken = stream_all(inputs, options, filter, observer, &mut |rows| {
            known.note(rows);
            buckets.push(rows)
        })?;
        sink = open_sink(job, known)?;
        buckets.drain(observer, &mut |rows| sink.push(rows))?;
    } else {
        if job.to == Format::Csv {
            stream_all(inputs, options, filter, observer, &mut |rows| {
                known.note(rows);
                Ok(())
            })?;
        }
        sink = open_sink(job, known)?;
        taken = stream_all(inputs, options, filter, observer, &mut |rows| sink.push(rows))?;
    }
    taken.files.iter().for_each(|file| observer.loaded(file));
    let read: u64 = taken.files.iter().map(|file| file.report.rows).sum();
    if taken.filtered.total() == read {
        return Err(DataError::NothingLeft { read });
    }
    let written = sink.finish()?;
    let rows: u64 = written.files.iter().map(|(_, rows)| rows).sum();
    if rows == 0 {
        return Err(nothing_written(job, &written.left_out));
    }
    Ok(Converted {
        files: written.files,
        stale: written.stale,
        inputs: taken.files,
        filtered: taken.filtered,
        left_out: written.left_out,
        lost_moves: written.lost_moves,
    })
}

fn open_sink(job: &Conversion<'_>, known: Known) -> Result<Box<dyn Sink>, DataError> {
    Ok(match job.to {
        Format::Packed => Box::new(PackedSink::new(job.output, job.shard_rows)?),
        Format::Games => Box::new(GameSink::new(job.output, job.to, &origins(job)?)?),
        Format::Plain | Format::Viri | Format::Binpack => Box::new(GameSink::new(job.output, job.to, "")?),
        format => Box::new(RowSink::new(job.output, format, known)?),
    })
}

/// The sources of a game file's rows, as JSON for its header.
fn origins(job: &Conversion<'_>) -> Result<String, DataError> {
    let origin = |input: &DataFile| {
        let name = input.path.file_name().unwrap_or_default().to_string_lossy();
        let print = Fingerprint::of(&input.path)?.to_string();
        Ok(serde_json::json!({ "file": name, "content": print, "scale": input.scale }))
    };
    let origins = job.inputs.iter().map(origin).collect::<Result<Vec<_>, DataError>>()?;
    Ok(serde_json::json!({ "converted_from": origins }).to_string())
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
