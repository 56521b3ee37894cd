//! Why a command failed.

use std::error::Error;
use std::fmt;
use std::path::Path;

/// Why a command failed, as one message for the user.
///
/// Library errors have their own context (file, line, expected input), so all of them convert.
#[derive(Debug)]
pub enum Failure {
    Error(String),
    /// The user stopped the command; results so far were printed.
    Stopped,
}

/// The result of every command.
pub type CommandResult = Result<(), Failure>;

impl Failure {
    pub fn new(message: impl Into<String>) -> Self {
        Self::Error(message.into())
    }

    pub fn at(path: &Path, problem: impl fmt::Display) -> Self {
        Self::new(format!("{}: {problem}", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(message) => out.write_str(message),
            Self::Stopped => out.write_str("stopped"),
        }
    }
}

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::new(error.to_string())
    }
}
