//! What can be wrong with one line of a file of positions.

use super::fen::FenProblem;

/// Why a line is not a row.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RowProblem {
    /// Too few fields.
    #[error("expected {column} in field {field}, found {fields} field(s)")]
    MissingField {
        /// Which is missing.
        column: &'static str,
        /// Where it should stand, from 1.
        field: usize,
        /// Fields found.
        fields: usize,
    },
    /// The position is invalid.
    #[error("illegal FEN: {0}")]
    Fen(#[from] FenProblem),
    /// The evaluation is invalid.
    #[error("evaluation `{0}`: expected centipawns such as +56 or a mate such as #-2")]
    Label(String),
    /// The result is invalid.
    #[error("result `{0}`: expected 1-0, 0-1, 1/2-1/2 or *")]
    Result(String),
    /// The result of a line `FEN | cp | result` is none.
    #[error("result `{0}`: expected 1.0, 0.5 or 0.0, White's points")]
    Points(String),
    /// A line of a list of positions holds none.
    #[error("expected a FEN or EPD: {0}")]
    Position(String),
    /// A line that should be JSON.
    #[error("expected a JSON object with fen and evals: {0}")]
    Json(String),
    /// JSON without an evaluation.
    #[error("expected evals with cp or mate in their first line of play")]
    NoEvaluation,
    /// A move that the position does not have.
    #[error("move `{0}`: expected a legal move in UCI notation")]
    Move(String),
    /// An unknown line in a `.plain` file.
    #[error("line `{0}`: expected fen, move, score, ply, result or e")]
    PlainKey(String),
    /// A line that an entry of a `.plain` file lacks.
    #[error("expected a line `{0} ...` in the entry")]
    PlainMissing(&'static str),
    /// A line of a `.plain` file without its number.
    #[error("{0} `{1}`: expected a whole number")]
    PlainNumber(&'static str, String),
    /// A result in a `.plain` file.
    #[error("result {0}: expected 1, 0 or -1, as the side to move has it")]
    PlainResult(i32),
    /// Quotes that do not close.
    #[error("expected closed quotes")]
    Quotes,
}
