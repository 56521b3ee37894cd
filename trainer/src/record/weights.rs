//! Histograms of the weights of each layer, and how many are at the limit of the integer network.

use alfiere_nnue::quantisation::weight_limit;
use alfiere_nnue::{Architecture, FloatLayer, FloatNetwork};
use serde::{Deserialize, Serialize};

/// Number of bars of a histogram.
pub const BINS: usize = 41;
/// A weight within this share of the limit is at it: training clips weights to the limit.
const NEAR: f32 = 1e-4;

/// The distribution of a layer's weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LayerWeights {
    /// Name: `accumulator`, `layer 2` or `output`.
    pub name: String,
    /// Number of inputs.
    pub inputs: usize,
    /// Number of outputs.
    pub outputs: usize,
    /// Largest absolute weight that training allows.
    pub limit: f32,
    /// Number of weights in [`BINS`] equal parts of −limit to limit.
    pub counts: Vec<u64>,
    /// Number of weights at the limit.
    pub at_limit: u64,
}

impl LayerWeights {
    /// Number of weights.
    pub fn weights(&self) -> u64 {
        self.counts.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Share of the weights at the limit.
    pub fn share_at_limit(&self) -> f64 {
        self.at_limit as f64 / self.weights().max(1) as f64
    }
}

/// The distribution of each layer's weights, from the input to the output.
pub fn layer_weights(network: &FloatNetwork) -> Vec<LayerWeights> {
    let architecture = &network.architecture;
    let describe = |(index, layer): (usize, &FloatLayer)| {
        let limit = weight_limit(architecture, index);
        let mut counts = vec![0_u64; BINS];
        let mut at_limit = 0;
        let scale = BINS as f32 / (2.0 * limit);
        for &weight in &layer.weights {
            // The cast saturates.
            counts[(((weight + limit) * scale) as usize).min(BINS - 1)] += 1;
            at_limit += u64::from(weight.abs() >= limit * (1.0 - NEAR));
        }
        let (inputs, outputs) = (layer.inputs(), layer.outputs());
        LayerWeights { name: name(architecture, index), inputs, outputs, limit, counts, at_limit }
    };
    network.layers.iter().enumerate().map(describe).collect()
}

fn name(architecture: &Architecture, index: usize) -> String {
    match index {
        _ if index == architecture.hidden.len() => "output".to_owned(),
        0 => "accumulator".to_owned(),
        _ => format!("layer {}", index + 1),
    }
}
