//! `trainer export`: a network in the flat layout, for other engines.

use std::io::Write;
use std::path::PathBuf;

use alfiere_data::atomic;
use alfiere_nnue::Network;
use clap::Args;

use super::output::{Replace, grouped, line};
use super::{CommandResult, Failure};

/// Write the integers of a network as a flat file for your own engine
///
/// For networks `dual [N]` with any king and output buckets. docs/guide/networks.md describes the file, and trainer/examples has
/// a reader in Rust and one in C.
///
/// Example: trainer export nets/mine.nnue --layout mine.flat
#[derive(Args)]
pub(crate) struct Export {
    /// Network file
    #[arg(value_name = "NET.nnue")]
    network: PathBuf,
    /// File to write
    #[arg(long, value_name = "OUT")]
    layout: PathBuf,
    #[command(flatten)]
    replace: Replace,
}

impl Export {
    pub(crate) fn run(&self) -> CommandResult {
        self.replace.check([self.network.as_path()], [self.layout.as_path()])?;
        let network = Network::load(&self.network)?;
        let bytes = network.to_layout().map_err(|error| Failure::at(&self.network, error))?;
        atomic::write(&self.layout, |file| file.write_all(&bytes))?;
        let (name, size) = (self.layout.display(), grouped(bytes.len() as u64));
        line(&format!("wrote {name}: {}, {size} bytes", network.architecture()));
        Ok(())
    }
}
