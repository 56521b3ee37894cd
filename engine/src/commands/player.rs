//! Players as arguments.

use std::path::PathBuf;

use alfiere_search::engine::Player;

use super::Failure;

/// Parses a player's name.
pub(crate) fn player(name: &str) -> Result<Player, String> {
    Player::named(name).ok_or_else(|| format!("expected one of {}", Player::names()))
}

/// The path of this program, for matches against itself.
pub(crate) fn own_program() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| Failure::new(format!("cannot find the path of this program: {error}")))
}
