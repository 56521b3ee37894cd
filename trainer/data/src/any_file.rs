//! Reads a file in any format; the format is an option, or detected from the first bytes or the name.

use std::path::Path;

use super::data_file::{DataFile, Origin};
use super::error::DataError;
use super::format::Format;
use super::formats::read_format;
use super::packed::{self, read_chunks};
use crate::rows::label::LabelUnit;
use crate::rows::row::Row;
use crate::text::read_options::{ReadOptions, ReadReport};
use crate::text::reader::{OnRows, ReadObserver, ReadProgress, stream_csv};

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
    Ok(match format {
        Some(Format::Packed) => (Origin::Packed, stream_packed(path, options, observer, on_rows)?),
        Some(format) => (Origin::Parsed, read_format(path, format, options, observer, on_rows)?),
        None => (Origin::Parsed, stream_csv(path, options, observer, on_rows)?),
    })
}

fn stream_packed(
    path: &Path,
    options: &ReadOptions,
    observer: &mut ReadObserver<'_>,
    on_rows: &mut OnRows<'_>,
) -> Result<ReadReport, DataError> {
    let mut report = ReadReport::default();
    read_chunks(path, options.limit, &mut |rows, read| {
        on_rows(rows)?;
        report.rows = read[0];
        if observer(ReadProgress::of_rows(read[0], read[1])).is_break() {
            return Err(DataError::Stopped { path: path.to_path_buf() });
        }
        Ok(())
    })?;
    Ok(report)
}
