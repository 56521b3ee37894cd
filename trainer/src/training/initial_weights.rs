//! Loads starting weights from an earlier run: from its checkpoint or from an exported network file.

use std::path::Path;

use alfiere_nnue::{FloatNetwork, Network, NetworkError, dequantise};
use thiserror::Error;

use super::checkpoint::{Checkpoint, CheckpointError};
use crate::data::HeldOutRule;

/// Why starting weights cannot be loaded.
#[derive(Debug, Error)]
pub enum InitialWeightsError {
    /// The file starts like a network file but cannot be read as one.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The file is not a usable checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

/// What a new run takes from an earlier one.
#[derive(Clone, PartialEq, Debug)]
pub struct InitialWeights {
    /// The weights.
    pub network: FloatNetwork,
    /// The rule by which the earlier run held out rows; `None` if its file does not say.
    pub held_out: Option<HeldOutRule>,
}

/// Loads the best weights of a checkpoint, or those of a network file, rescaled so that one output unit is
/// `output_scale` centipawns. A checkpoint holds unrounded weights; a network file holds quantised ones.
///
/// # Errors
/// If the file cannot be read or is damaged.
pub fn load_initial_weights(path: &Path, output_scale: f32) -> Result<InitialWeights, InitialWeightsError> {
    let (mut network, scale, held_out) = if Network::is_file(path) {
        let network = Network::load(path)?;
        let held_out = network.provenance().free.get(HeldOutRule::FIELD).and_then(HeldOutRule::from_json);
        (dequantise(&network), network.output_scale(), held_out)
    } else {
        let checkpoint = Checkpoint::load(path)?;
        let scale = checkpoint.config.options().objective.output_scale();
        (checkpoint.best.network, scale, checkpoint.held_out)
    };
    let last = network.layers.iter_mut().last();
    for value in last.into_iter().flat_map(|layer| layer.weights.iter_mut().chain(&mut layer.bias)) {
        *value *= scale / output_scale;
    }
    Ok(InitialWeights { network, held_out })
}
