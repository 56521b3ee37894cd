//! `alfiere bench`: searches fixed positions; the node count is the signature of this version's search.

use std::path::PathBuf;
use std::sync::Arc;

use alfiere_nnue::{InstructionSet, Network};
use alfiere_search::bench;
use alfiere_search::eval::NetworkChoice;
use alfiere_search::search::Control;

use super::progress::say;
use super::{CommandResult, Failure};

/// Search fixed positions with one thread. The last line is "N nodes M nps". N is the same on every run and machine,
/// and depends on the network.
///
/// Example: alfiere bench 12
#[derive(clap::Args)]
pub(crate) struct Bench {
    /// Depth of each search in plies
    #[arg(default_value_t = bench::DEFAULT_DEPTH)]
    depth: u32,
    /// Network file instead of the embedded network
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Instruction set of the network's kernels (scalar, neon, avx2 or avx512) instead of the fastest available
    #[arg(long, value_name = "SET")]
    instruction_set: Option<InstructionSet>,
}

impl Bench {
    pub(crate) fn run(self) -> CommandResult {
        let mut network = NetworkChoice::of(self.net)?;
        if let Some(set) = self.instruction_set {
            let chosen = Network::clone(&network).with_instruction_set(set);
            let chosen = chosen.ok_or_else(|| Failure::new(format!("this processor does not support {set}")))?;
            network = NetworkChoice::Loaded(Arc::new(chosen));
        }
        let summary = bench::run(self.depth, network, &Control::default(), |measured| say(measured))?;
        say(summary);
        Ok(())
    }
}
