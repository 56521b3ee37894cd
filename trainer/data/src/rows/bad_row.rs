//! An invalid row and its position in the file.

use std::path::Path;

use alfiere_chess::board::FenError;
use alfiere_chess::movegen::MoveError;

use super::label::{decimal, trim};

#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Location {
    /// A line of text, from 1.
    Line(u64),
    /// A byte of the unpacked file, from 0.
    Byte(u64),
}

impl Location {
    /// The position with the file's path: `FILE:LINE`, which editors can follow, or `FILE, byte N`.
    pub fn in_file(self, path: &Path) -> String {
        match self {
            Self::Line(line) => format!("{}:{line}", path.display()),
            Self::Byte(byte) => format!("{}, byte {byte}", path.display()),
        }
    }
}

impl std::fmt::Display for Location {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(line) => write!(out, "line {line}"),
            Self::Byte(byte) => write!(out, "byte {byte}"),
        }
    }
}

/// An invalid row. Displays as `line N: reason (found ...)`.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct BadRow {
    /// Where it begins.
    pub location: Location,
    /// The text found, shortened.
    pub found: String,
    /// What was expected instead.
    pub problem: String,
}

impl BadRow {
    /// One sentence with the file, the position, the reason and the text found.
    pub fn in_file(&self, path: &Path) -> String {
        format!("{}: {} (found `{}`)", self.location.in_file(path), self.problem, self.found)
    }
}

impl std::fmt::Display for BadRow {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}: {} (found `{}`)", self.location, self.problem, self.found)
    }
}

/// Why a line is not a row.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RowProblem {
    #[error("expected {column} in field {field}, found {fields} field(s)")]
    MissingField { column: &'static str, field: usize, fields: usize },
    #[error("illegal {0}")]
    Fen(#[from] FenError),
    #[error("evaluation `{0}`: expected centipawns such as +56 or a mate such as #-2")]
    Label(String),
    #[error(
        "evaluation `{0}`: expected centipawns such as +56, without decimals (`--unit pawns` reads pawns such as 0.56)"
    )]
    Pawns(String),
    #[error("result `{0}`: expected 1-0, 0-1, 1/2-1/2, White's points 1.0, 0.0 or 0.5, or *")]
    Result(String),
    #[error("expected a FEN or EPD: {0}")]
    Position(String),
    #[error("expected a JSON object with fen and evals: {0}")]
    Json(String),
    #[error("expected evals with cp or mate in their first line of play")]
    NoEvaluation,
    #[error("move {0}")]
    Move(Box<MoveError>),
    #[error("line `{0}`: expected fen, move, score, ply, result or e")]
    PlainKey(String),
    #[error("expected a line `{0} ...` in the entry")]
    PlainMissing(&'static str),
    #[error("{0} `{1}`: expected a whole number")]
    PlainNumber(&'static str, String),
    #[error("result {0}: expected 1, 0 or -1, for the side to move")]
    PlainResult(i32),
    #[error("expected closed quotes")]
    Quotes,
}

impl From<MoveError> for RowProblem {
    fn from(problem: MoveError) -> Self {
        Self::Move(Box::new(problem))
    }
}

impl RowProblem {
    /// An evaluation that cannot be read.
    pub(crate) fn label(text: &[u8]) -> Self {
        if decimal(trim(text)).is_some() { Self::Pawns(excerpt(text)) } else { Self::Label(excerpt(text)) }
    }
}

/// A line shortened for a message: at most 90 characters, all printable.
pub(crate) fn excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(&text[..text.len().min(360)]);
    let mut short: String = text.chars().take(90).map(|c| if c.is_control() { '·' } else { c }).collect();
    if text.chars().count() > 90 {
        short.push('…');
    }
    short
}
