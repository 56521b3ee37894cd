//! Writes rows to formats that hold single rows: CSV, `FEN | cp | result`, bulletformat.

use std::path::{Path, PathBuf};

use super::sink::{Sink, Written};
use crate::error::DataError;
use crate::export::{CsvColumns, write_csv_head, write_csv_rows};
use crate::format::Format;
use crate::formats::write_bullet;
use crate::left_out::LeftOut;
use crate::output_file::OutputFile;
use crate::rows::row::{BestMove, Row};
use crate::text::bullet_text::write_bullet_text;

/// A file of rows that is being written.
pub(super) struct RowSink {
    path: PathBuf,
    format: Format,
    columns: CsvColumns,
    file: OutputFile,
    taken: u64,
    left_out: LeftOut,
    lost_moves: bool,
}

impl RowSink {
    /// `columns`: the optional columns of a CSV.
    pub(super) fn new(path: &Path, format: Format, columns: CsvColumns) -> Result<Self, DataError> {
        let mut file = OutputFile::beside(path)?;
        if format == Format::Csv {
            file.write(|out| write_csv_head(out, columns))?;
        }
        let (taken, left_out, lost_moves) = (0, LeftOut::default(), false);
        Ok(Self { path: path.to_path_buf(), format, columns, file, taken, left_out, lost_moves })
    }
}

impl Sink for RowSink {
    fn push(&mut self, rows: &[Row]) -> Result<(), DataError> {
        let (format, columns, left_out) = (self.format, self.columns, &mut self.left_out);
        self.taken += rows.len() as u64;
        let is_lost = |row: &Row| row.best_move_rank().is_none() || format != Format::Csv;
        self.lost_moves |= rows.iter().any(|row| row.best_move() != BestMove::Unknown && is_lost(row));
        self.file.write(|out| match format {
            Format::Bullet => write_bullet(out, rows, left_out),
            Format::BulletText => write_bullet_text(out, rows, left_out),
            _ => write_csv_rows(out, rows, columns),
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
