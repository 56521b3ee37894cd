//! Loads starting weights from an earlier run: from its checkpoint or from an exported network file.

use std::path::{Path, PathBuf};

use alfiere_data::HeldOutRule;
use alfiere_nnue::{FloatNetwork, Network, NetworkError, dequantise};
use thiserror::Error;

use super::checkpoint::{Checkpoint, CheckpointError};

/// Why starting weights cannot be loaded.
#[derive(Debug, Error)]
pub enum InitialWeightsError {
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(
        "{path}: one output unit is {found} centipawns, expected {expected} as in this run; a `skip` network keeps its scale"
    )]
    Scale { path: PathBuf, found: f32, expected: f32 },
}

/// What a new run takes from an earlier one.
#[derive(Clone, PartialEq, Debug)]
pub struct InitialWeights {
    pub network: FloatNetwork,
    /// The rule by which the earlier run held out rows; `None` if its file does not say.
    pub held_out: Option<HeldOutRule>,
}

/// Relative difference of scales that a network file's rounding can cause.
const SCALE_TOLERANCE: f32 = 1e-3;

/// Loads the best weights of a checkpoint, the current ones if it has no finished epoch, or those of a network file,
/// rescaled so that one output unit is `output_scale` centipawns. A checkpoint holds unrounded weights; a network file
/// holds quantised ones.
///
/// # Errors
/// If the file cannot be read or is damaged, or is a `skip` network with another scale.
pub fn load_initial_weights(path: &Path, output_scale: f32) -> Result<InitialWeights, InitialWeightsError> {
    let (mut network, scale, held_out) = if Network::is_file(path) {
        let network = Network::load(path)?;
        let held_out = network.provenance().free.get(HeldOutRule::FIELD).and_then(HeldOutRule::from_json);
        (dequantise(&network), network.output_scale(), held_out)
    } else {
        let checkpoint = Checkpoint::load(path)?;
        let scale = checkpoint.config.options().objective.output_scale();
        let held_out = checkpoint.held_out.clone();
        (checkpoint.into_weights(), scale, held_out)
    };
    if network.architecture.skip && (scale / output_scale - 1.0).abs() > SCALE_TOLERANCE {
        return Err(InitialWeightsError::Scale { path: path.to_path_buf(), found: scale, expected: output_scale });
    }
    let last = network.layers.iter_mut().last();
    for value in last.into_iter().flat_map(|layer| layer.weights.iter_mut().chain(&mut layer.bias)) {
        *value *= scale / output_scale;
    }
    Ok(InitialWeights { network, held_out })
}
