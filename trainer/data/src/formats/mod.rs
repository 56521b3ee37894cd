//! File formats of other programs, one module each; detected from the file name or chosen by an option.
//!
//! A reader passes its rows to an [`RowBatcher`], which counts bad rows, reports progress and applies limits. A writer
//! receives rows or games and counts those that its format cannot represent. Both work record by record, so no file
//! needs to fit into memory.

mod binpack;
mod bullet;
mod pgn;
mod plain;
mod row_batcher;
#[cfg(test)]
mod tests;
mod viri;

use std::io::BufReader;
use std::path::Path;
use std::sync::atomic::AtomicU64;

use self::binpack::read_binpack;
use self::bullet::read_bullet;
use self::pgn::read_pgn;
use self::plain::read_plain;
use self::row_batcher::RowBatcher;
use self::viri::read_viri;
use crate::error::DataError;
use crate::format::Format;
use crate::source::{Detection, open};
use crate::text::read_options::{ReadOptions, ReadReport};
use crate::text::reader::{OnRows, ReadObserver, stream_csv};

pub(super) use binpack::BinpackWriter;
pub(super) use bullet::write_bullet;
pub(super) use plain::write_plain;
pub use viri::write_viri;

/// Passes the rows of a file in one of these formats, or of text whose format is detected, to `on_rows`.
///
/// # Errors
/// The file cannot be read, is cut short, is not in this format or has too many bad rows, the observer stops the
/// reading, or `on_rows` fails.
pub(crate) fn read_format(
    path: &Path,
    format: Format,
    options: &ReadOptions,
    observer: &mut ReadObserver<'_>,
    on_rows: &mut OnRows<'_>,
) -> Result<ReadReport, DataError> {
    type Reader = fn(&mut dyn std::io::BufRead, &mut RowBatcher<'_, '_>) -> Result<(), DataError>;
    let reader: Reader = match format {
        Format::Bullet => read_bullet,
        Format::Plain => read_plain,
        Format::Pgn => read_pgn,
        Format::Viri => read_viri,
        Format::Binpack => read_binpack,
        _ => return stream_csv(path, options, observer, on_rows),
    };
    let size = std::fs::metadata(path).map_err(|source| DataError::io(path, "open it", source))?.len();
    let bytes = AtomicU64::new(0);
    let detection = if format.is_text() { Detection::ByContent } else { Detection::ByName };
    let input = open(path, detection, &bytes).map_err(|source| DataError::io(path, "open it", source))?;
    let mut input = BufReader::with_capacity(1 << 20, input);
    let mut batcher = RowBatcher::new(path, options, (&bytes, size), observer, on_rows);
    reader(&mut input, &mut batcher)?;
    batcher.finish(format.record())
}
