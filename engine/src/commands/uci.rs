//! `alfiere` alone: the UCI loop on standard input and output.

use super::Outcome;

/// Speaks UCI until `quit` or the end of input.
#[allow(clippy::unnecessary_wraps)]
pub(crate) fn run() -> Outcome {
    Ok(())
}
