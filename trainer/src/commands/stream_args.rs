//! Arguments about data that is larger than memory.

use clap::Args;

/// Whether rows are streamed, and how many of them are in memory.
#[derive(Args, Clone)]
pub(crate) struct StreamArgs {
    /// Read the rows in windows instead of holding them all in memory: packed files only, see `trainer convert`
    ///
    /// Memory needed: about 75 bytes for each row of a window (315 MB by default), 60 for each held-out row, 24 for each
    /// game, a bit for each row of the files, and the network. The files are read twice before the first epoch and once
    /// in each epoch.
    #[arg(long)]
    pub(crate) stream: bool,
    /// Rows of a window: they are shuffled together, while the next window is read
    #[arg(long, value_name = "ROWS", default_value_t = 1 << 22, requires = "stream",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) window: u64,
}
