//! Why a command failed.

use std::error::Error;
use std::fmt::Display;
use std::path::Path;

/// Why a command failed: one sentence for the user.
///
/// Library errors carry their own context (file, line, expected value), so all of them convert to this type.
#[derive(Debug)]
pub(crate) struct Failure(pub(super) String);

impl Failure {
    /// Creates a failure with this sentence.
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }

    /// Creates a failure with this problem of a file.
    pub(crate) fn at(path: &Path, problem: impl Display) -> Self {
        Self(format!("{}: {problem}", path.display()))
    }
}

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// Return type of every command.
pub(crate) type CommandResult = Result<(), Failure>;
