//! `alfiere` without a command: the UCI loop on standard input and output.

use alfiere_search::engine::Engine;
use alfiere_search::uci::Session;

use super::CommandResult;

/// Runs the UCI loop until `quit` or the end of input.
pub(crate) fn run() -> CommandResult {
    Session::new(Engine::new(), std::io::stdout()).run(std::io::stdin().lock())?;
    Ok(())
}
