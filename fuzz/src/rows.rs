//! Files of rows in any format.

use std::ops::ControlFlow;
use std::path::PathBuf;

use alfiere_data::{BadRows, DataFile, Format, ReadOptions, RequiredFields, Row, stream_rows};
use alfiere_chess::board::Board;
use alfiere_chess::movegen::legal_moves;

/// Reads the input as a file of this format, and uses every row.
pub fn read(bytes: &[u8], format: Format) {
    read_file(crate::file("rows", bytes), format, RequiredFields::Labels);
}

/// Reads a file of this format, and uses every row.
pub fn read_file(path: PathBuf, format: Format, required: RequiredFields) {
    let options = ReadOptions {
        bad_rows: BadRows::SkipCount(u64::MAX),
        required,
        from: Some(format),
        ..ReadOptions::default()
    };
    let file = DataFile { scale: 1.25, ..DataFile::new(path) };
    let outcome = stream_rows(&file, &options, &mut |_| ControlFlow::Continue(()), &mut |rows| {
        rows.iter().for_each(check);
        Ok(())
    });
    if let Err(error) = outcome {
        assert!(!error.to_string().is_empty());
    }
}

/// A row that was read survives as bytes and has a FEN; it may be a position that no board accepts.
fn check(row: &Row) {
    assert_eq!(Row::from_bytes(&row.to_bytes()).as_ref(), Some(row));
    let fen = row.to_fen();
    assert!(fen.is_ascii() && fen.split(' ').count() == 6, "{fen}");
    if let Ok(board) = Board::from_fen(&fen) {
        legal_moves(&board);
    }
}
