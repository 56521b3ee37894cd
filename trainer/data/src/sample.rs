//! Rows for this crate's tests: artificial games of kings and pawns, cheap to generate and legal, and real games.

use std::ops::ControlFlow;
use std::path::Path;

use crate::{DataError, DataFile, Label, ReadOptions, ReadReport, Row, stream_rows};

pub fn row(fen: &str) -> Row {
    Row::from_fen(fen.as_bytes()).expect(fen)
}

/// The first rows of the sample in the repository.
pub fn real(count: usize) -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/kaggle/sample.csv.gz");
    read(&path, &ReadOptions { limit: Some(count), ..ReadOptions::default() }).expect("the sample").0
}

/// All rows of a file.
pub fn read(path: &Path, options: &ReadOptions) -> Result<(Vec<Row>, ReadReport), DataError> {
    let mut rows = Vec::new();
    let mut on_rows = |more: &[Row]| {
        rows.extend_from_slice(more);
        Ok(())
    };
    let (_, report) = stream_rows(&DataFile::new(path), options, &mut |_| ControlFlow::Continue(()), &mut on_rows)?;
    Ok((rows, report))
}

/// All rows of a file without problems.
pub fn rows_of(path: &Path) -> Vec<Row> {
    read(path, &ReadOptions::default()).expect("sound").0
}

/// All rows of a file with this content, which is called `FILE` in the error.
pub fn read_bytes(content: impl AsRef<[u8]>, options: &ReadOptions) -> Result<(Vec<Row>, ReadReport), String> {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), content).expect("written");
    read(file.path(), options).map_err(|error| error.to_string().replace(&*file.path().to_string_lossy(), "FILE"))
}

/// [`real`] without move numbers, as read from FENs of four fields.
pub fn unnumbered(count: usize) -> Vec<Row> {
    real(count).into_iter().map(|row| Row { full_moves: 1, clock: 0, ..row }).collect()
}

/// Generates rows in games of about 40 positions, with labels in the range of clipped centipawns.
pub fn rows(count: usize) -> Vec<Row> {
    let mut state = 0x2545_F491_4F6C_DD1Du64;
    let mut next = move |bound: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) % bound
    };
    let mut rows = Vec::with_capacity(count);
    let (mut move_number, mut length) = (1, 20);
    while rows.len() < count {
        let pawns: String = (0..8).map(|_| if next(2) == 0 { 'P' } else { '1' }).collect();
        let others: String = (0..8).map(|_| if next(2) == 0 { 'n' } else { '1' }).collect();
        let side = if rows.len() % 2 == 0 { 'w' } else { 'b' };
        let fen = format!("k7/8/{others}/8/8/{pawns}/{pawns}/K7 {side} - - 0 {move_number}");
        if let Ok(row) = Row::from_fen(fen.as_bytes()) {
            rows.push(row.with_label(Label::centipawns(next(2_001) as i64 - 1_000)));
        }
        if rows.len() % 2 == 0 {
            move_number += 1;
        }
        if move_number > length {
            (move_number, length) = (1, 10 + next(20));
        }
    }
    rows
}
