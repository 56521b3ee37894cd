//! Errors of reading and writing files of positions; every message is one sentence that names the file.

use std::io;
use std::path::{Path, PathBuf};

use crate::data_file::DataFile;
use crate::rows::bad_row::RowProblem;
use crate::rows::bad_row::{BadRow, Location};

/// Why a file of positions cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// An I/O error.
    #[error("{path}: cannot {action}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The action, as it follows "cannot".
        action: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// The file is empty.
    #[error("{path}: the file is empty; expected lines `FEN,Evaluation`")]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The file is binary.
    #[error(
        "{path}: this is not a text file ({found}); expected CSV lines `FEN,Evaluation` in UTF-8, plain, gzip or zstd"
    )]
    Binary {
        /// The file.
        path: PathBuf,
        /// The evidence.
        found: &'static str,
    },
    /// The first line is neither a header nor a row.
    #[error(
        "{path}:1: found `{found}`; expected a header that names FEN and Evaluation, or a row `FEN,Evaluation` or `FEN | cp | result`"
    )]
    FirstLine {
        /// The file.
        path: PathBuf,
        /// The line, shortened.
        found: String,
    },
    /// A required column is missing.
    #[error("{path}:1: no {column} column in `{found}`; expected FEN and Evaluation (Move and Result are optional)")]
    MissingColumn {
        /// The file.
        path: PathBuf,
        /// Name of the column.
        column: &'static str,
        /// The line, shortened.
        found: String,
    },
    /// The compressed data is truncated or damaged.
    #[error(
        "{path}: the compressed data breaks off or is damaged after {rows} rows ({source}); copy or download the file again"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Rows read before.
        rows: u64,
        /// The decompressor's error.
        source: io::Error,
    },
    /// The last line is incomplete.
    #[error(
        "{path}:{line}: the file ends in the middle of a line (`{found}`: {problem}); copy it again or delete that line"
    )]
    Torn {
        /// The file.
        path: PathBuf,
        /// Line number, from 1.
        line: u64,
        /// The line, shortened.
        found: String,
        /// What is wrong with it.
        problem: RowProblem,
    },
    /// A bad row where none is allowed.
    #[error("{}", .row.in_file(.path))]
    BadRow {
        /// The file.
        path: PathBuf,
        /// The row.
        row: BadRow,
    },
    /// More bad rows than allowed, or no other.
    #[error("{path}: {bad} of {rows} rows are bad{}; the first is {first}", beyond(*bad, *limit))]
    TooManyBadRows {
        /// The file.
        path: PathBuf,
        /// Bad rows so far.
        bad: u64,
        /// Rows so far, bad ones included.
        rows: u64,
        /// Maximum number of bad rows.
        limit: u64,
        /// The first.
        first: BadRow,
    },
    /// Rows were read but none is left.
    #[error("{path}: no row with a position and an evaluation; expected lines `FEN,Evaluation`")]
    NoRows {
        /// The file.
        path: PathBuf,
    },
    /// A packed file is damaged or has another version.
    #[error("{path}: {problem}; expected a complete packed file of this version")]
    Packed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A game file is damaged or has another version.
    #[error("{path}: {problem}; expected a game file of this version, undamaged")]
    Games {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A game file cannot be continued because its games have other settings.
    #[error("{path}: these games were made with other settings ({difference}); use the same ones, or another file")]
    GameSettings {
        /// The file.
        path: PathBuf,
        /// Which setting differs, and how.
        difference: String,
    },
    /// Another program is writing to the game file.
    #[error("{path}: another run is writing to this file; wait for it, or use another file")]
    GamesBusy {
        /// The file.
        path: PathBuf,
    },
    /// A file of another program's format is malformed from this position on.
    #[error("{}: {problem}; expected {expected}", .location.in_file(.path))]
    Damage {
        /// The file.
        path: PathBuf,
        /// Where.
        location: Location,
        /// What is wrong there.
        problem: String,
        /// What the format requires there.
        expected: &'static str,
    },
    /// A file of another program's format ends inside a record.
    #[error("{}: the file ends in the middle of {what}; copy or download it again", .location.in_file(.path))]
    CutShort {
        /// The file.
        path: PathBuf,
        /// Where the record begins.
        location: Location,
        /// Kind of the incomplete record.
        what: &'static str,
    },
    /// Several formats use the ending of the name.
    #[error("{path}: this ending is ambiguous; name the format with `trainer convert --from`: {formats}")]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// Names of the formats.
        formats: String,
    },
    /// Only a CSV may be in another unit.
    #[error(
        "{path}: `--unit` is for CSV, and this file's format is in centipawns; `{path}:scale=F` multiplies its labels"
    )]
    Unit {
        /// The file.
        path: PathBuf,
    },
    /// Captures cannot be told apart without best moves.
    #[error(
        "{path}: `--skip-captures` needs the best move of each position, and no row has one (a CSV has them in a Move \
         column); `--captures resolve` works without"
    )]
    NoBestMoves {
        /// The file.
        path: PathBuf,
    },
    /// Streaming requires packed files.
    #[error("{path}: only packed files can be streamed; make one with `trainer convert {path} {}`", .path.with_extension("packed").display())]
    NotPacked {
        /// The file.
        path: PathBuf,
    },
    /// The file has changed since it was opened.
    #[error("{path}: the file was changed or cut short since it was checked; a run needs the same rows throughout")]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The format requires results, and no row has one.
    #[error("{path}: no row has a game result, and each {record} needs one; convert to CSV instead")]
    NoResults {
        /// The file that was read.
        path: PathBuf,
        /// Name of a record of the format.
        record: &'static str,
    },
    /// No row can be represented in the format.
    #[error("{path}: no row can be written; left out {reasons}")]
    NothingWritten {
        /// The file that was to be written.
        path: PathBuf,
        /// Number of rows per reason.
        reasons: String,
    },
    /// There are too many rows for 32-bit indices.
    #[error("{rows} rows are more than the maximum of 4294967295; use fewer files, or `--rows`")]
    TooManyRows {
        /// Number of rows.
        rows: u64,
    },
    /// The user stopped the reading.
    #[error("stopped while reading {path}")]
    Stopped {
        /// The file.
        path: PathBuf,
    },
    /// A file, the first of several, has no rows.
    #[error("{path}: there is no row in this file")]
    WithoutRows {
        /// The file.
        path: PathBuf,
    },
    /// The filters removed all rows.
    #[error("no rows left of {read} after the filters; use weaker filters")]
    NothingLeft {
        /// Rows read.
        read: u64,
    },
}

impl DataError {
    /// A file operation that failed; `action` completes "cannot".
    pub fn io(path: &Path, action: &'static str, source: io::Error) -> Self {
        Self::Io { path: path.to_path_buf(), action, source }
    }

    /// No row is left of those that were read from these files.
    pub(super) fn nothing_left(files: &[DataFile], read: u64) -> Self {
        match files.first() {
            Some(file) if read == 0 => Self::WithoutRows { path: file.path.clone() },
            _ => Self::NothingLeft { read },
        }
    }

    pub(super) fn games(path: &Path, problem: String) -> Self {
        Self::Games { path: path.to_path_buf(), problem }
    }

    pub(super) fn games_busy(path: &Path) -> Self {
        Self::GamesBusy { path: path.to_path_buf() }
    }

    pub(super) fn packed(path: &Path, problem: String) -> Self {
        Self::Packed { path: path.to_path_buf(), problem }
    }
}

fn beyond(bad: u64, limit: u64) -> String {
    if bad > limit { format!(", more than the {limit} allowed") } else { String::new() }
}

/// A line shortened for a message: at most 90 characters, all printable.
pub(super) fn excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(&text[..text.len().min(360)]);
    let mut short: String = text.chars().take(90).map(|c| if c.is_control() { '·' } else { c }).collect();
    if text.chars().count() > 90 {
        short.push('…');
    }
    short
}
