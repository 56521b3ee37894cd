//! What can be wrong with a file of positions; every message is one sentence that names the file.

use std::io;
use std::path::{Path, PathBuf};

use super::bad_row::{BadRow, Place};
use super::row_problem::RowProblem;

/// Why a file of positions could not be read, or not be written.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The file system said no.
    #[error("{path}: cannot {action}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried, after "cannot".
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Nothing in it.
    #[error("{path}: the file is empty; expected lines `FEN,Evaluation`")]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// Not text.
    #[error(
        "{path}: this is not a text file ({found}); expected CSV lines `FEN,Evaluation` in UTF-8, plain, gzip or zstd"
    )]
    Binary {
        /// The file.
        path: PathBuf,
        /// What gave it away.
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
    /// A needed column is missing.
    #[error("{path}:1: no {column} column in `{found}`; expected FEN and Evaluation (Move and Result are optional)")]
    MissingColumn {
        /// The file.
        path: PathBuf,
        /// Which.
        column: &'static str,
        /// The line, shortened.
        found: String,
    },
    /// The compressed stream breaks off.
    #[error(
        "{path}: the compressed data breaks off or is damaged after {rows} rows ({source}); copy or download the file again"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Rows read before.
        rows: u64,
        /// What the decompressor said.
        source: io::Error,
    },
    /// The last line stops in the middle.
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
        /// What it lacks.
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
    /// More bad rows than allowed.
    #[error("{path}: {bad} of {rows} rows are bad, more than the {limit} allowed; the first is {first}")]
    TooManyBadRows {
        /// The file.
        path: PathBuf,
        /// Bad rows so far.
        bad: u64,
        /// Rows so far, bad ones included.
        rows: u64,
        /// How many were allowed.
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
    /// A packed file that is not what it says.
    #[error("{path}: {problem}; expected a packed file of this version, whole")]
    Packed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A game file that is not what it says.
    #[error("{path}: {problem}; expected a game file of this version, undamaged")]
    Games {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A game file to go on with that was made otherwise.
    #[error("{path}: these games were made with other settings ({difference}); use the same ones, or another file")]
    GameSettings {
        /// The file.
        path: PathBuf,
        /// Which setting differs, and how.
        difference: String,
    },
    /// A game file that another program writes to.
    #[error("{path}: another run is writing to this file; wait for it, or use another file")]
    GamesBusy {
        /// The file.
        path: PathBuf,
    },
    /// Another program's file that is not what its name says, from this place on.
    #[error("{}: {problem}; expected {expected}", .place.in_file(.path))]
    Damage {
        /// The file.
        path: PathBuf,
        /// Where.
        place: Place,
        /// What is wrong there.
        problem: String,
        /// What the format has there.
        expected: &'static str,
    },
    /// Another program's file that ends inside a record.
    #[error("{}: the file ends in the middle of {what}; copy or download it again", .place.in_file(.path))]
    CutShort {
        /// The file.
        path: PathBuf,
        /// Where the record begins.
        place: Place,
        /// What is not whole.
        what: &'static str,
    },
    /// A name that may stand for several formats.
    #[error("{path}: this ending does not tell the format; say it with `trainer convert --from`: {formats}")]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// The formats that may be named.
        formats: String,
    },
    /// A file that is not packed where only packed files will do.
    #[error("{path}: only packed files can be streamed; make one with `trainer convert {path} {}`", .path.with_extension("packed").display())]
    NotPacked {
        /// The file.
        path: PathBuf,
    },
    /// A file that is no longer what it was.
    #[error("{path}: the file was changed or cut short since it was checked; a run needs the same rows throughout")]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// Rows without results where a format needs them.
    #[error("{path}: no row knows its game's result, and each {record} needs one; convert to CSV instead")]
    NoResults {
        /// The file that was read.
        path: PathBuf,
        /// What a row becomes.
        record: &'static str,
    },
    /// Nothing that the format can hold.
    #[error("{path}: no row can be written; left out {reasons}")]
    NothingWritten {
        /// The file that was to be written.
        path: PathBuf,
        /// How many rows for which reason.
        reasons: String,
    },
    /// More rows than can be numbered.
    #[error("{rows} rows in all are more than the 4294967295 that can be numbered; give fewer files, or `--rows`")]
    TooManyRows {
        /// How many there are.
        rows: u64,
    },
    /// The user stopped the reading.
    #[error("stopped while reading {path}")]
    Stopped {
        /// The file.
        path: PathBuf,
    },
    /// Files that yield nothing to train on.
    #[error("no rows left of {read} after the filters; loosen them")]
    NothingLeft {
        /// Rows read.
        read: u64,
    },
}

impl DataError {
    pub(crate) fn io(path: &Path, action: &'static str, source: io::Error) -> Self {
        Self::Io { path: path.to_path_buf(), action, source }
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

/// A piece of a line fit for a message: at most 90 characters, nothing unprintable.
pub(super) fn excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(&text[..text.len().min(360)]);
    let mut short: String = text.chars().take(90).map(|c| if c.is_control() { '·' } else { c }).collect();
    if text.chars().count() > 90 {
        short.push('…');
    }
    short
}
