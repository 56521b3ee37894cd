//! Writes rows as CSV.

use std::io::{self, Write};
use std::path::Path;

use alfiere_chess::movegen::{CastlingNotation, format_uci_move};
use alfiere_chess::types::Move;

use super::atomic::write_text;
use super::error::DataError;
use crate::rows::board_row::ranked_moves;
use crate::rows::result::RowResult;
use crate::rows::row::Row;

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct CsvColumns {
    /// Any row has a best move.
    pub(super) moves: bool,
    pub(super) results: bool,
    /// The games of rows are named.
    pub(super) games: bool,
}

impl CsvColumns {
    /// Updates the columns for more rows.
    pub(super) fn include(&mut self, rows: &[Row]) {
        self.moves = self.moves || rows.iter().any(|row| row.best_move_rank().is_some());
        self.results = self.results || rows.iter().any(|row| row.result() != RowResult::Unknown);
        self.games = self.games || rows.iter().any(|row| row.game_mark() > 0);
    }
}

fn best_move(row: &Row) -> Option<Move> {
    let rank = row.best_move_rank()?;
    ranked_moves(&row.to_board().ok()?).get(usize::from(rank)).copied()
}

pub(super) fn write_csv_head(out: &mut dyn Write, columns: CsvColumns) -> io::Result<()> {
    let moves = if columns.moves { ",Move" } else { "" };
    let results = if columns.results { ",Result" } else { "" };
    let games = if columns.games { ",Game" } else { "" };
    writeln!(out, "FEN,Evaluation{moves}{results}{games}")
}

/// The number of the last row's game, and its mark.
pub(super) type LastGame = (u64, u8);

pub(super) fn write_csv_rows(
    out: &mut dyn Write,
    rows: &[Row],
    columns: CsvColumns,
    last: &mut LastGame,
) -> io::Result<()> {
    for row in rows {
        write!(out, "{},{}", row.to_fen(), row.label())?;
        if columns.moves {
            out.write_all(b",")?;
            if let Some(mv) = best_move(row) {
                write!(out, "{}", format_uci_move(mv, CastlingNotation::Standard))?;
            }
        }
        if columns.results {
            write!(out, ",{}", row.result().text())?;
        }
        if columns.games {
            *last = (last.0 + u64::from(row.game_mark() != last.1), row.game_mark());
            write!(out, ",{}", last.0)?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Writes rows as CSV with a header, compressed if the name ends in `.gz` or `.zst`. There is a Move, Result or
/// Game column if any row has a best move or a result, or the rows' games are named.
///
/// # Errors
/// The file cannot be written.
pub fn write_csv(path: &Path, rows: &[Row]) -> Result<(), DataError> {
    let mut columns = CsvColumns::default();
    columns.include(rows);
    write_text(path, |out| {
        write_csv_head(out, columns)?;
        write_csv_rows(out, rows, columns, &mut LastGame::default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn rows_survive_every_kind_of_csv() {
        let folder = tempfile::tempdir().expect("a folder");
        let rows = sample::rows(3_000);
        for name in ["rows.csv", "rows.csv.gz", "rows.csv.zst"] {
            let path = folder.path().join(name);
            write_csv(&path, &rows).expect("written");
            assert_eq!(sample::rows_of(&path), rows, "{name}");
        }
    }
}
