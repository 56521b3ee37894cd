//! File formats of other programs, one module each; detected from the file name or chosen by an option.
//!
//! A reader passes its rows to a [`RowBatcher`]. A writer receives rows or games and counts those that its format cannot
//! represent. Both work record by record, so no file needs to fit into memory.

mod binpack;
mod bullet;
mod pgn;
mod plain;
#[cfg(test)]
mod tests;
mod viri;

use std::io::{self, BufRead, ErrorKind};

use crate::error::DataError;
use crate::format::Format;
use crate::row_batcher::RowBatcher;

pub(super) use binpack::BinpackWriter;
pub(super) use bullet::write_bullet;
pub(super) use plain::write_plain;
pub use viri::write_viri;

/// Passes the rows of the input to a [`RowBatcher`].
pub(crate) type Reader = fn(&mut dyn BufRead, &mut RowBatcher<'_, '_>) -> Result<(), DataError>;

/// The reader of a format of records; `None` for text of one row a line and for packed rows.
pub(crate) fn record_reader(format: Format) -> Option<Reader> {
    Some(match format {
        Format::Bullet => bullet::read_bullet,
        Format::Plain => plain::read_plain,
        Format::Pgn => pgn::read_pgn,
        Format::Viri => viri::read_viri,
        Format::Binpack => binpack::read_binpack,
        Format::Csv | Format::BulletText | Format::Lichess | Format::Packed => return None,
    })
}

/// Reads until the buffer is full or the input ends; returns the number of bytes read.
fn fill(input: &mut dyn BufRead, buffer: &mut [u8]) -> io::Result<usize> {
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
