//! `trainer export`: a network in the flat layout or in bullet's, for other engines.

use std::io::Write;
use std::path::PathBuf;

use alfiere_data::atomic;
use alfiere_model::{bullet_layout, flat_layout};
use alfiere_nnue::{Activation, Network};
use alfiere_terminal::{Replace, say};
use clap::Args;

use super::output::grouped;
use super::{CommandResult, Failure};

/// Write the integers of a network as a flat file for your own engine
///
/// For networks `dual [N]` with any king and output buckets. docs/guide/networks.md describes the files, and trainer/examples has
/// a reader in Rust and one in C. `--bullet` writes the layout of bullet's quantised.bin instead, and prints the constants
/// that your engine needs.
///
/// Examples:
///
/// trainer export nets/mine.nnue --layout mine.flat
///
/// trainer export nets/mine.nnue --bullet quantised.bin --qa 255 --qb 64
#[derive(Args)]
#[command(group(clap::ArgGroup::new("output").required(true).args(["layout", "bullet"])))]
pub(crate) struct Export {
    /// Network file
    #[arg(value_name = "NET.nnue")]
    network: PathBuf,
    /// Flat file to write
    #[arg(long, value_name = "OUT")]
    layout: Option<PathBuf>,
    /// File to write in bullet's layout: the network must be trained with --no-side-to-move
    #[arg(long, value_name = "OUT")]
    bullet: Option<PathBuf>,
    /// Scale of the accumulators in bullet's layout; with 255, their numbers are the network's own
    #[arg(long, value_name = "N", default_value_t = 255, requires = "bullet", value_parser = clap::value_parser!(u16).range(1..))]
    qa: u16,
    /// Scale of the output weights in bullet's layout; a larger one rounds less
    #[arg(long, value_name = "N", default_value_t = 64, requires = "bullet", value_parser = clap::value_parser!(u16).range(1..))]
    qb: u16,
    #[command(flatten)]
    replace: Replace,
}

impl Export {
    pub(crate) fn run(&self) -> CommandResult {
        let outputs = self.layout.as_deref().into_iter().chain(self.bullet.as_deref());
        self.replace.check([self.network.as_path()], outputs.clone())?;
        let network = Network::load(&self.network)?;
        let is_bullet = self.bullet.is_some();
        let bytes = if is_bullet { bullet_layout(&network, self.qa, self.qb) } else { flat_layout(&network) };
        let bytes = bytes.map_err(|error| Failure::at(&self.network, error))?;
        for path in outputs {
            atomic::write(path, |file| file.write_all(&bytes))?;
            let size = grouped(bytes.len() as u64);
            say(format_args!("wrote {}: {}, {size} bytes", path.display(), network.architecture()));
        }
        if is_bullet {
            self.print_constants(&network);
        }
        Ok(())
    }

    /// What an engine that reads bullet's layout has as constants.
    fn print_constants(&self, network: &Network) {
        let architecture = network.architecture();
        let width = architecture.hidden.first().copied().unwrap_or(0);
        let (kings, outputs) = (architecture.inputs.sets(), architecture.output_buckets);
        let is_squared = architecture.activation == Activation::SquaredClippedRelu;
        let activation = if is_squared { "SCReLU" } else { "CReLU" };
        let factor = |count: usize| if count == 1 { String::new() } else { format!("x{count}") };
        let shape = format!("(768{} -> {width})x2 -> 1{}", factor(kings), factor(outputs.count()));
        let (qa, qb, scale) = (self.qa, self.qb, network.output_scale());
        say(format_args!("{shape}, {activation}, QA {qa}, QB {qb}, SCALE {scale}"));
        if kings > 1 {
            say(format_args!("king buckets of a1 to h8: {:?}", architecture.inputs.king_map()));
        }
        if outputs.count() > 1 {
            say(format_args!("output buckets of 2 to 32 pieces: {:?}", outputs.by_pieces()));
        }
    }
}
