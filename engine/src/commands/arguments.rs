//! Arguments of several commands: the limit of a search, a player, this program.

use std::path::PathBuf;
use std::time::Duration;

use alfiere::suite::FixedLimit;
use alfiere_search::engine::Player;
use clap::Args;

use super::Failure;

/// The limit of each search. A command makes a group of the three, so that at most one is given.
#[derive(Args)]
#[group(skip)]
pub(crate) struct LimitArgs {
    /// Depth per position
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=240))]
    depth: Option<u32>,
    /// Nodes per position
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds per position
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
}

impl LimitArgs {
    /// The limit, if one is given.
    pub(crate) fn limit(&self) -> Option<FixedLimit> {
        let time = self.movetime.map(Duration::from_millis);
        self.depth.map(FixedLimit::Depth).or(self.nodes.map(FixedLimit::Nodes)).or(time.map(FixedLimit::MoveTime))
    }
}

/// Parses a player's name.
pub(crate) fn player(name: &str) -> Result<Player, String> {
    Player::named(name).ok_or_else(|| format!("expected one of {}", Player::names()))
}

/// The path of this program, for matches against itself.
pub(crate) fn own_program() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| Failure::new(format!("cannot find the path of this program: {error}")))
}
