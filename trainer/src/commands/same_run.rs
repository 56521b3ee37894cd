//! Whether a network file and a checkpoint are of the same run, as far as the network says what it was made of.

use alfiere_nnue::Network;
use alfiere_training::{Checkpoint, TrainingConfig};
use serde_json::Value;

/// Whether the network is of the checkpoint's run, after any epoch.
pub(crate) fn is_of_run(network: &Network, checkpoint: &Checkpoint) -> bool {
    let options = serde_json::from_value(network.provenance().configuration.clone());
    let config = options.ok().and_then(|options| TrainingConfig::new(options).ok());
    checkpoint.best.network.architecture == *network.architecture()
        && config.is_none_or(|config| config.leads_to_same_network(&checkpoint.config))
}

/// Whether the network was made of the checkpoint's best weights.
pub(crate) fn is_of_best_weights(network: &Network, checkpoint: &Checkpoint) -> bool {
    let epoch = network.provenance().free.get("best_epoch").and_then(Value::as_u64);
    is_of_run(network, checkpoint) && epoch.is_none_or(|epoch| epoch == u64::from(checkpoint.best.epoch))
}
