//! Loads starting weights from an earlier run: from its checkpoint or from an exported network file.

use std::path::Path;

use alfiere_nnue::{FloatNetwork, Network, NetworkError, dequantise};
use thiserror::Error;

use super::checkpoint::{Checkpoint, CheckpointError};

/// Why starting weights cannot be loaded.
#[derive(Debug, Error)]
pub enum EarlierError {
    /// The file starts like a network file but cannot be read as one.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The file is not a usable checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

/// Loads the best weights of a checkpoint, or those of a network file, rescaled so that one output unit is
/// `output_scale` centipawns. A checkpoint holds unrounded weights; a network file holds quantised ones.
///
/// # Errors
/// If the file cannot be read or is damaged.
pub fn earlier_weights(path: &Path, output_scale: f32) -> Result<FloatNetwork, EarlierError> {
    let (mut network, scale) = if Network::is_file(path) {
        let network = Network::load(path)?;
        (dequantise(&network), network.output_scale())
    } else {
        let checkpoint = Checkpoint::load(path)?;
        (checkpoint.best.network, checkpoint.config.options().objective.output_scale())
    };
    let last = network.layers.iter_mut().last();
    for value in last.into_iter().flat_map(|layer| layer.weights.iter_mut().chain(&mut layer.bias)) {
        *value *= scale / output_scale;
    }
    Ok(network)
}
