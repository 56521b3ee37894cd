//! The record of a training run: a small file that is appended to during the run, for pages and other programs.
//!
//! One JSON object a line; a run of a day writes a few megabytes. A killed run leaves at most its last line
//! incomplete, and a resumed run continues the file.
//!
//! | `kind` | when | holds |
//! |---|---|---|
//! | `start` | at the start, and again when the run is resumed | [`Start`]: network, options, rows; the step it starts after |
//! | `step` | once a second at first, later every ten seconds | [`Step`]: loss and learning rate since the last such line, speed |
//! | `weights` | within a long epoch, with checkpoints | [`LayerWeights`] of each layer |
//! | `epoch` | after each epoch | its [`EpochRecord`]; now and then, and with the last epoch, [`LayerWeights`] of each layer and [`Mistake`]s on the rows that select the epoch |
//! | `end` | at the end | why the run stopped |
//!
//! Times are in seconds since 1970. After a `start`, earlier lines of steps beyond it do not count: they were lost.
//!
//! [`EpochRecord`]: crate::EpochRecord

mod line;
mod reader;
mod recorder;
#[cfg(test)]
mod tests;
mod weights;

use std::path::{Path, PathBuf};

pub use line::{Line, Mistake, RowCounts, Start, Step};
pub use reader::{RecordError, RunRecord};
pub use recorder::Recorder;
pub use weights::{BINS, LayerWeights, layer_weights};

/// Extension of a record, instead of that of its network.
const EXTENSION: &str = "run.jsonl";

/// The record of the run that writes this network; a path that ends in `.jsonl` is a record already.
pub fn record_path(network: &Path) -> PathBuf {
    if network.extension().is_some_and(|extension| extension == "jsonl") {
        return network.to_path_buf();
    }
    network.with_extension(EXTENSION)
}
