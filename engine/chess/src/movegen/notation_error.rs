//! Errors of move parsing.

use thiserror::Error;

/// A move text that cannot be resolved in the position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveError {
    /// The text is not a move in any position.
    #[error("'{text}' is not a move, expected {expected}")]
    Syntax {
        /// The text.
        text: String,
        /// Description of a valid move text.
        expected: &'static str,
    },
    /// A well-formed move that is not legal in the position.
    #[error("'{text}' is not legal in {fen}")]
    Illegal {
        /// The text.
        text: String,
        /// The position as FEN.
        fen: String,
    },
    /// More than one legal move matches the text.
    #[error("'{text}' is ambiguous in {fen}")]
    Ambiguous {
        /// The text.
        text: String,
        /// The position as FEN.
        fen: String,
    },
}

/// Letters of a refused text that an error shows.
const LONGEST_EXCERPT: usize = 80;

/// The start of a text for an error.
pub(super) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(LONGEST_EXCERPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
