//! Writes rows to formats that hold single rows: CSV, `FEN | cp | result`, bulletformat.

use std::path::{Path, PathBuf};

use super::sink::{Sink, Written};
use crate::data::error::DataError;
use crate::data::export::{Known, write_csv_head, write_csv_rows};
use crate::data::formats::{Format, LeftOut, write_bullet};
use crate::data::output_file::OutputFile;
use crate::data::piped::write_piped;
use crate::data::row::{BestMove, Row};

/// A file of rows that is being written.
pub(super) struct RowSink {
    path: PathBuf,
    format: Format,
    known: Known,
    file: OutputFile,
    taken: u64,
    left_out: LeftOut,
    lost_moves: bool,
}

impl RowSink {
    /// `known` determines the columns of a CSV.
    pub(super) fn new(path: &Path, format: Format, known: Known) -> Result<Self, DataError> {
        let mut file = OutputFile::beside(path)?;
        if format == Format::Csv {
            file.write(|out| write_csv_head(out, known))?;
        }
        let (taken, left_out, lost_moves) = (0, LeftOut::default(), false);
        Ok(Self { path: path.to_path_buf(), format, known, file, taken, left_out, lost_moves })
    }
}

impl Sink for RowSink {
    fn push(&mut self, rows: &[Row]) -> Result<(), DataError> {
        let (format, known, left_out) = (self.format, self.known, &mut self.left_out);
        self.taken += rows.len() as u64;
        let is_lost = |row: &Row| row.best_move_rank().is_none() || format != Format::Csv;
        self.lost_moves |= rows.iter().any(|row| row.best_move() != BestMove::Unknown && is_lost(row));
        self.file.write(|out| match format {
            Format::Bullet => write_bullet(out, rows, left_out),
            Format::Piped => write_piped(out, rows, left_out),
            _ => write_csv_rows(out, rows, known),
        })
    }

    fn finish(self: Box<Self>) -> Result<Written, DataError> {
        let written = self.taken - self.left_out.total();
        if written > 0 {
            self.file.finish()?.publish()?;
        }
        let files = vec![(self.path, written)];
        Ok(Written { files, stale: None, left_out: self.left_out, lost_moves: self.lost_moves })
    }
}
