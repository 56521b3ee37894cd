//! Weights to begin with, from what an earlier run left: its checkpoint, or the network file that was made of it.

use std::path::Path;

use alfiere_nnue::{FloatNetwork, Network, NetworkError, dequantise};
use thiserror::Error;

use super::checkpoint::{Checkpoint, CheckpointError};

/// Why a file holds no weights to begin with.
#[derive(Debug, Error)]
pub enum EarlierError {
    /// It begins as a network file and cannot be read as one.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// It is no usable checkpoint either.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

/// The best weights of a checkpoint, or those of a network file, as a network whose output unit is `output_scale`
/// centipawns. A checkpoint holds what rounding has taken away from a file.
///
/// # Errors
/// If the file cannot be read, or is damaged.
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
