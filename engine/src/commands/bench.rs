//! `alfiere bench`: fixed positions, whose node count is the signature of this version's search.

use alfiere::bench;

use super::Outcome;

/// Searches fixed positions with one thread. The last line is "N nodes M nps"; N is the same on every run and machine.
///
/// Example: alfiere bench 12
#[derive(clap::Args)]
pub(crate) struct Bench {
    /// How deep to search each position, in plies.
    #[arg(default_value_t = bench::DEFAULT_DEPTH)]
    depth: u32,
}

impl Bench {
    #[allow(clippy::print_stdout)]
    pub(crate) fn run(self) -> Outcome {
        let summary = bench::run(self.depth, |measured| println!("{measured}"))?;
        println!("{summary}");
        Ok(())
    }
}
