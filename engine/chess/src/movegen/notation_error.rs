//! Why a written move is refused.

use thiserror::Error;

/// A move as text that means nothing here.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveError {
    /// Not a move in any position.
    #[error("'{text}' is no move, expected {expected}")]
    Syntax {
        /// What was read.
        text: String,
        /// What a move looks like.
        expected: &'static str,
    },
    /// A move, but not of this position.
    #[error("'{text}' is not legal in {fen}")]
    Illegal {
        /// What was read.
        text: String,
        /// The position.
        fen: String,
    },
    /// Several legal moves are written like this.
    #[error("'{text}' is ambiguous in {fen}")]
    Ambiguous {
        /// What was read.
        text: String,
        /// The position.
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
