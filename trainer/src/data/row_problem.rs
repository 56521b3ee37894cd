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
    /// The position is none.
    #[error("illegal FEN: {0}")]
    Fen(#[from] FenProblem),
    /// The evaluation is none.
    #[error("evaluation `{0}`: expected centipawns such as +56 or a mate such as #-2")]
    Label(String),
    /// The result is none.
    #[error("result `{0}`: expected 1-0, 0-1, 1/2-1/2 or *")]
    Result(String),
    /// The result of a line `FEN | cp | result` is none.
    #[error("result `{0}`: expected 1.0, 0.5 or 0.0, White's points")]
    Points(String),
    /// A line of a list of positions holds none.
    #[error("expected a FEN or EPD: {0}")]
    Position(String),
    /// Quotes that do not close.
    #[error("expected closed quotes")]
    Quotes,
}
