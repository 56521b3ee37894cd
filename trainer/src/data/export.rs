//! Rows back to CSV.

use std::io::{self, Write};
use std::path::Path;

use super::error::DataError;
use super::label::GameResult;
use super::row::Row;
use super::source::write_text;

/// Writes rows as CSV with a header, compressed when the name ends in `.gz` or `.zst`; with a Result column when any
/// row knows its result. Best moves are not kept in rows, so there is no Move column.
///
/// # Errors
/// The file cannot be written.
pub fn write_csv(path: &Path, rows: &[Row]) -> Result<(), DataError> {
    let with_results = rows.iter().any(|row| row.result() != GameResult::Unknown);
    write_text(path, |out| {
        write_head(out, with_results)?;
        write_rows(out, rows, with_results)
    })
}

pub(super) fn write_head(out: &mut dyn Write, with_results: bool) -> io::Result<()> {
    out.write_all(if with_results { b"FEN,Evaluation,Result\n" } else { b"FEN,Evaluation\n" })
}

pub(super) fn write_rows(out: &mut dyn Write, rows: &[Row], with_results: bool) -> io::Result<()> {
    for row in rows {
        write!(out, "{},{}", row.to_fen(), row.label())?;
        if with_results {
            write!(out, ",{}", row.result().text())?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::data::{ReadOptions, read_csv, sample};

    #[test]
    fn rows_survive_every_kind_of_csv() {
        let folder = tempfile::tempdir().expect("a folder");
        let rows = sample::rows(3_000);
        for name in ["rows.csv", "rows.csv.gz", "rows.csv.zst"] {
            let path = folder.path().join(name);
            write_csv(&path, &rows).expect("written");
            let read = read_csv(&path, &ReadOptions::default(), &mut |_| ControlFlow::Continue(())).expect("read");
            assert_eq!(read.0, rows, "{name}");
        }
    }
}
