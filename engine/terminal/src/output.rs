//! Lines on standard output and standard error, and the exit code.

use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;
use std::sync::OnceLock;

use super::failure::{CommandResult, Failure};
use super::interrupt;

/// Why results could not be printed.
static PRINT_ERROR: OnceLock<String> = OnceLock::new();

/// Prints a line of results on standard output. A closed pipe (`| head`) is not an error.
pub fn say(line: impl Display) {
    if let Err(error) = writeln!(std::io::stdout(), "{line}")
        && error.kind() != ErrorKind::BrokenPipe
    {
        PRINT_ERROR.get_or_init(|| error.to_string());
    }
}

/// Checks that every line of results could be printed.
///
/// # Errors
/// If standard output is a file on a full disk, for example.
pub fn all_said() -> CommandResult {
    PRINT_ERROR.get().map_or(Ok(()), |error| Err(Failure::new(format!("standard output: {error}"))))
}

/// Prints a message on standard error; no bar may be visible. If it is closed, the work goes on.
pub fn remark(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Prints the message of a failed command on standard error, and returns the exit code of the program.
pub fn report(failure: &Failure) -> ExitCode {
    match failure {
        Failure::Stopped => interrupt::EXIT_CODE.into(),
        Failure::Error(message) => {
            remark(format_args!("error: {message}"));
            ExitCode::FAILURE
        }
    }
}
