//! One file a command: its arguments, its checks, and how its results are printed.
//!
//! A command parses into typed arguments, calls the library, prints; it holds no chess and no statistics of its own.

pub(crate) mod uci;

use std::error::Error;
use std::process::ExitCode;

use clap::Subcommand;

/// Why a command ended without doing what was asked: one sentence for the person who typed it.
///
/// Library errors carry their own context (which file, which line, what was expected), so any of them converts.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    /// A failure with this sentence.
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// What every command returns.
pub(crate) type Outcome = Result<(), Failure>;

/// Prints the failure's sentence on standard error, and gives the exit code that goes with it.
#[allow(clippy::print_stderr)]
pub(crate) fn report(failure: &Failure) -> ExitCode {
    eprintln!("error: {}", failure.0);
    ExitCode::FAILURE
}

/// The commands besides UCI.
#[derive(Subcommand)]
pub(crate) enum Command {}

impl Command {
    /// Runs the command to its end.
    pub(crate) fn run(self) -> Outcome {
        match self {}
    }
}
