//! Arguments for data that is larger than memory.

use clap::Args;

/// Whether rows are streamed, and the number of rows in memory.
#[derive(Args, Clone)]
pub(crate) struct StreamArgs {
    /// Read the rows in windows instead of loading all of them: packed files only, see `trainer convert`
    ///
    /// Memory use: about 75 bytes per row of a window (315 MB by default), 60 per held-out row, 24 per game, one bit
    /// per row of the files, plus the network. The files are read twice before the first epoch (three times if
    /// rows are not in game order) and once in each epoch.
    #[arg(long)]
    pub(crate) stream: bool,
    /// Rows per window: they are shuffled together while the next window is read
    #[arg(long, value_name = "ROWS", default_value_t = 1 << 22, requires = "stream",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) window: u64,
}
