//! Reads a file in any format; the format is an option, or detected from the first bytes or the name.

use std::io::BufReader;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::data_file::{DataFile, Origin};
use super::error::DataError;
use super::format::Format;
use super::formats::record_reader;
use super::packed::{self, read_chunks};
use super::row_batcher::{OnRows, ReadObserver, RowBatcher};
use super::source::{Detection, open};
use crate::rows::bad_row::Location;
use crate::rows::label::LabelUnit;
use crate::rows::row::{ROW_BYTES, Row};
use crate::text::read_options::{ReadOptions, ReadReport};
use crate::text::reader::read_lines;

/// Endings that several programs use for unrelated formats.
const AMBIGUOUS: [&str; 3] = ["bin", "data", "binary"];

/// The format of a file: `explicit` if given, else detected from the first bytes (packed files) or from the name.
/// `None` is text whose first line determines the format.
///
/// # Errors
/// If several formats use the ending of the name, or the format has no other unit than centipawns.
pub(super) fn format_of(file: &DataFile, explicit: Option<Format>) -> Result<Option<Format>, DataError> {
    let format = detect(&file.path, explicit)?;
    if file.labels.unit != LabelUnit::Centipawns && format.is_some_and(|format| format != Format::Csv) {
        return Err(DataError::Unit { path: file.path.clone() });
    }
    Ok(format)
}

fn detect(path: &Path, explicit: Option<Format>) -> Result<Option<Format>, DataError> {
    if explicit.is_some() {
        return Ok(explicit);
    }
    if packed::is_packed(path) {
        return Ok(Some(Format::Packed));
    }
    let ending = path.extension().and_then(|ending| ending.to_str());
    if path.is_file() && ending.is_some_and(|ending| AMBIGUOUS.contains(&ending)) {
        return Err(DataError::UnknownFormat { path: path.to_path_buf(), formats: Format::names(false) });
    }
    // The first line of these determines the format, because their names are often exchanged.
    Ok(Format::of_name(path).filter(|format| !matches!(format, Format::Csv | Format::BulletText | Format::Lichess)))
}

/// Passes the rows of a file in any format to `on_rows` in batches, with scaled labels.
///
/// # Errors
/// If the file cannot be read or has too many bad rows, the observer stops the reading, or `on_rows` fails.
pub fn stream_rows(
    file: &DataFile,
    options: &ReadOptions,
    observer: &mut ReadObserver<'_>,
    on_rows: &mut OnRows<'_>,
) -> Result<(Origin, ReadReport), DataError> {
    let mut scaled = Vec::new();
    let mut on_scaled = |rows: &[Row]| {
        scaled.clear();
        scaled.extend(rows.iter().map(|row| file.scaled(row)));
        on_rows(&scaled)
    };
    let format = format_of(file, options.from)?;
    let options = &ReadOptions { unit: file.labels.unit, ..options.clone() };
    read_file(&file.path, format, options, observer, &mut on_scaled)
}

/// Passes the rows of a file in this format to `on_rows` in batches, as they are.
pub(super) fn read_file(
    path: &Path,
    format: Option<Format>,
    options: &ReadOptions,
    observer: &mut ReadObserver<'_>,
    on_rows: &mut OnRows<'_>,
) -> Result<(Origin, ReadReport), DataError> {
    let fail = |source| DataError::io(path, "open it", source);
    let size = std::fs::metadata(path).map_err(fail)?.len();
    let bytes = AtomicU64::new(0);
    let mut batcher = RowBatcher::new(path, options, (&bytes, size), observer, on_rows);
    let (origin, no_row) = match (format, format.and_then(record_reader)) {
        (Some(Format::Packed), _) => {
            read_chunks(path, options.limit, &mut |rows, [done, of]| {
                bytes.store(size - (of - done) * ROW_BYTES as u64, Ordering::Relaxed);
                batcher.extend(rows);
                batcher.flush()
            })?;
            (Origin::Packed, None)
        }
        (Some(format), Some(reader)) => {
            let detection = if format.is_text() { Detection::ByContent } else { Detection::ByName };
            let input = open(path, detection, &bytes).map_err(fail)?;
            reader(&mut BufReader::with_capacity(1 << 20, input), &mut batcher)?;
            let problem = "no row in this file".to_owned();
            (Origin::Parsed, Some(batcher.damage(Location::Byte(0), problem, format.record())))
        }
        _ => {
            read_lines(&bytes, &mut batcher)?;
            (Origin::Parsed, Some(DataError::NoRows { path: path.to_path_buf() }))
        }
    };
    Ok((origin, batcher.finish(no_row)?))
}
