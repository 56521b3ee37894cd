//! Histograms of the weights of each layer, and how many are at the limit of the integer network.

use alfiere_nnue::quantisation::{weight_limit, weight_step};
use alfiere_nnue::{Architecture, FloatLayer, FloatNetwork};
use serde::{Deserialize, Serialize};

/// Number of bars of a histogram.
pub const BINS: usize = 41;
/// A weight within this share of the limit is at it: training clips weights to the limit.
const NEAR: f32 = 1e-4;
/// Share of the weights that the bars hold; the axis ends at the next round number.
const SHOWN: f64 = 0.995;
/// Number of weights from which the axis is chosen, at most.
const SAMPLE: usize = 100_000;

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
    /// Largest absolute weight in `counts`; `None`: the limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<f32>,
    /// Number of weights in [`BINS`] equal parts of −range to range.
    pub counts: Vec<u64>,
    /// Number of weights below −range.
    #[serde(default)]
    pub below: u64,
    /// Number of weights above the range.
    #[serde(default)]
    pub above: u64,
    /// Number of weights at the limit.
    pub at_limit: u64,
}

impl LayerWeights {
    /// Number of weights.
    pub fn weights(&self) -> u64 {
        self.counts.iter().chain([&self.below, &self.above]).fold(0, |sum, &count| sum.saturating_add(count))
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
        let range = range(layer, limit, weight_step(architecture, index));
        let end = range.unwrap_or(limit);
        let mut counts = vec![0_u64; BINS];
        let (mut below, mut above, mut at_limit) = (0, 0, 0);
        let scale = BINS as f32 / (2.0 * end);
        for &weight in &layer.weights {
            match weight {
                weight if weight < -end => below += 1,
                weight if weight > end => above += 1,
                // The cast saturates.
                weight => counts[(((weight + end) * scale) as usize).min(BINS - 1)] += 1,
            }
            at_limit += u64::from(weight.abs() >= limit * (1.0 - NEAR));
        }
        let (inputs, outputs) = (layer.inputs(), layer.outputs());
        LayerWeights { name: name(architecture, index), inputs, outputs, limit, range, counts, below, above, at_limit }
    };
    network.layers.iter().enumerate().map(describe).collect()
}

/// The quantile [`SHOWN`] of the absolute weights, rounded up: to half of a power of ten, or to whole bars of weights that
/// are multiples of `step`. `None` if that is not below the limit.
fn range(layer: &FloatLayer, limit: f32, step: Option<f32>) -> Option<f32> {
    // An odd number visits all columns.
    let every = layer.weights.len().div_ceil(SAMPLE) | 1;
    let mut sizes: Vec<f32> = layer.weights.iter().step_by(every).map(|weight| weight.abs()).collect();
    let place = (SHOWN * sizes.len().checked_sub(1)? as f64).ceil() as usize;
    let (_, &mut size, _) = sizes.select_nth_unstable_by(place, f32::total_cmp);
    let range = if let Some(step) = step {
        // Rounded weights: every bar holds the same number of values, which is odd, with 0 in the middle.
        let values = (2.0 * size / (step * BINS as f32)).ceil() as u32 | 1;
        step * (values * BINS as u32) as f32 / 2.0
    } else {
        let unit = 10f32.powf(size.log10().floor()) / 2.0;
        (size / unit).ceil() * unit
    };
    (range > 0.0 && range < limit).then_some(range)
}

fn name(architecture: &Architecture, index: usize) -> String {
    match index {
        _ if index == architecture.hidden.len() => "output".to_owned(),
        0 => "accumulator".to_owned(),
        _ => format!("layer {}", index + 1),
    }
}
