//! `alfiere bench`: fixed positions, whose node count is the signature of this version's search.

use std::path::PathBuf;

use alfiere::bench;
use alfiere::eval::NetworkChoice;

use super::Outcome;

/// Searches fixed positions with one thread. The last line is "N nodes M nps"; N is the same on every run and machine, but
/// another with another network.
///
/// Example: alfiere bench 12
#[derive(clap::Args)]
pub(crate) struct Bench {
    /// How deep to search each position, in plies.
    #[arg(default_value_t = bench::DEFAULT_DEPTH)]
    depth: u32,
    /// Network in place of the embedded one
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
}

impl Bench {
    #[allow(clippy::print_stdout)]
    pub(crate) fn run(self) -> Outcome {
        let summary = bench::run(self.depth, NetworkChoice::of(self.net)?, |measured| println!("{measured}"))?;
        println!("{summary}");
        Ok(())
    }
}
