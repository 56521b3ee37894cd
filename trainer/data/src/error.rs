//! Errors of reading and writing files of positions; every message is one sentence that names the file.

use std::io;
use std::path::{Path, PathBuf};

use crate::data_file::DataFile;
use crate::rows::bad_row::{BadRow, Location, RowProblem};

/// Why a file of positions cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    #[error("{path}: cannot {action}: {source}")]
    Io { path: PathBuf, action: &'static str, source: io::Error },
    #[error("{path}: the file is empty; expected lines `FEN,Evaluation`")]
    Empty { path: PathBuf },
    #[error(
        "{path}: this is not a text file ({found}); expected CSV lines `FEN,Evaluation` in UTF-8, plain, gzip or zstd"
    )]
    Binary { path: PathBuf, found: &'static str },
    #[error(
        "{path}:1: found `{found}`; expected a header that names FEN and Evaluation between commas, semicolons or tabs (`--columns` states other names), or a row `FEN,Evaluation` or `FEN | cp | result`"
    )]
    FirstLine { path: PathBuf, found: String },
    #[error(
        "{path}:1: no {column} column in `{found}`; expected FEN and Evaluation (Move, Result and Game are optional; `--columns` states other names)"
    )]
    MissingColumn { path: PathBuf, column: &'static str, found: String },
    #[error(
        "{path}: the compressed data breaks off or is damaged after {rows} rows ({source}); copy or download the file again"
    )]
    Damaged { path: PathBuf, rows: u64, source: io::Error },
    #[error(
        "{path}:{line}: the file ends in the middle of a line (`{found}`: {problem}); copy it again or delete that line"
    )]
    Torn { path: PathBuf, line: u64, found: String, problem: RowProblem },
    #[error("{}", .row.in_file(.path))]
    BadRow { path: PathBuf, row: BadRow },
    #[error("{path}: {bad} of {rows} rows are bad{}; the first is {first}", beyond(*bad, *limit))]
    TooManyBadRows { path: PathBuf, bad: u64, rows: u64, limit: u64, first: BadRow },
    #[error("{path}: no row with a position and an evaluation; expected lines `FEN,Evaluation`")]
    NoRows { path: PathBuf },
    #[error("{path}: {problem}; expected a complete packed file of this version")]
    Packed { path: PathBuf, problem: String },
    #[error("{}: {problem}; expected {expected}", .location.in_file(.path))]
    Damage { path: PathBuf, location: Location, problem: String, expected: &'static str },
    #[error("{}: the file ends in the middle of {what}; copy or download it again", .location.in_file(.path))]
    CutShort { path: PathBuf, location: Location, what: &'static str },
    #[error("{path}: this ending is ambiguous; name the format with `--from`: {formats}")]
    UnknownFormat { path: PathBuf, formats: String },
    #[error(
        "{path}: `--unit` is for CSV, and this file's format is in centipawns; `{path}:scale=F` multiplies its labels"
    )]
    Unit { path: PathBuf },
    #[error(
        "{path}: `--skip-captures` needs the best move of each position, and no row has one (a CSV has them in a Move \
         column); `--captures resolve` works without"
    )]
    NoBestMoves { path: PathBuf },
    #[error("{path}: the file was changed or cut short since it was checked; a run needs the same rows throughout")]
    Changed { path: PathBuf },
    #[error("{path}: no row has a game result, and each {record} needs one; convert to CSV instead")]
    NoResults { path: PathBuf, record: &'static str },
    #[error("{path}: no row can be written; left out {reasons}")]
    NothingWritten { path: PathBuf, reasons: String },
    #[error("{rows} rows are more than the maximum of 4294967295; use fewer files, or `--rows`")]
    TooManyRows { rows: u64 },
    #[error("stopped while reading {path}")]
    Stopped { path: PathBuf },
    #[error("{path}: there is no row in this file")]
    WithoutRows { path: PathBuf },
    #[error("no rows left of {read} after the filters; use weaker filters")]
    NothingLeft { read: u64 },
}

impl DataError {
    /// A file operation that failed; `action` completes "cannot".
    pub fn io(path: &Path, action: &'static str, source: io::Error) -> Self {
        Self::Io { path: path.to_path_buf(), action, source }
    }

    /// A file that cannot be read or decompressed after this number of rows.
    pub(super) fn unreadable(path: &Path, rows: u64, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::IsADirectory => Self::io(path, "read it", source),
            _ => Self::Damaged { path: path.to_path_buf(), rows, source },
        }
    }

    /// No row is left of those that were read from these files.
    pub(super) fn nothing_left(files: &[DataFile], read: u64) -> Self {
        match files.first() {
            Some(file) if read == 0 => Self::WithoutRows { path: file.path.clone() },
            _ => Self::NothingLeft { read },
        }
    }

    pub(super) fn packed(path: &Path, problem: String) -> Self {
        Self::Packed { path: path.to_path_buf(), problem }
    }
}

fn beyond(bad: u64, limit: u64) -> String {
    if bad > limit { format!(", more than the {limit} allowed (`--bad-rows`)") } else { String::new() }
}
