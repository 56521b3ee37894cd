//! `trainer sort-neurons`: reorders the neurons of a network, which makes the engine faster.

use std::path::PathBuf;

use alfiere_model::{active_groups, sort_neurons};
use alfiere_nnue::{Network, dequantise, quantise};
use clap::Args;

use super::data_args::{DataArgs, paths};
use super::output::{Replace, line};
use super::{CommandResult, Failure};

/// Default value of `--rows`.
const DEFAULT_ROWS: usize = 20_000;

/// Reorder the neurons of a network, so that the engine skips more of them
///
/// The engine skips groups of four adjacent neurons that are inactive. This command gathers neurons that are active in
/// the same positions. `trainer train` does the same, with up to 5,000 held-out rows. The evaluation of every position is unchanged, and the
/// labels of the rows have no effect. Only networks with layers after the accumulator have such groups.
///
/// Example: trainer sort-neurons nets/mine.nnue --data my.csv.gz --out nets/sorted.nnue
#[derive(Args)]
pub(crate) struct SortNeurons {
    /// Network file
    #[arg(value_name = "NET.nnue")]
    network: PathBuf,
    #[command(flatten)]
    data: DataArgs,
    /// File to write
    #[arg(long, value_name = "OUT.nnue")]
    out: PathBuf,
    #[command(flatten)]
    replace: Replace,
}

impl SortNeurons {
    pub(crate) fn run(mut self) -> CommandResult {
        let inputs = [self.network.as_path()].into_iter().chain(paths(&self.data.data));
        self.replace.check(inputs, [self.out.as_path()])?;
        let network = Network::load(&self.network)?;
        if network.architecture().hidden.len() < 2 {
            let message = format!("'{}' has no layers after the accumulator", network.architecture());
            return Err(Failure::at(&self.network, message));
        }
        self.data.read.rows.limit.get_or_insert(DEFAULT_ROWS);
        let rows = self.data.load()?.rows;
        let mut float = dequantise(&network);
        let before = active_groups(&float, rows.iter());
        sort_neurons(&mut float, rows.iter());
        let after = active_groups(&float, rows.iter());
        quantise(&float, network.output_scale(), network.provenance().clone())?.save(&self.out)?;
        line(&format!("wrote {}: {after:.1} active groups per position, before {before:.1}", self.out.display()));
        Ok(())
    }
}
