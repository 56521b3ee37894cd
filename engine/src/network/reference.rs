//! The integer forward pass straight from the parameters: no padding, no vectors, no state.
//!
//! Written to be obviously right; every faster way is tested against it.

use super::architecture::{Activation, Architecture};
use super::features::FeatureLists;
use super::parameters::{Hidden, Layer, Layers, Parameters, Scaled};
use super::quantisation::{ACCUMULATOR_SCALE, accumulator_activation, dense_activation, pair_activation};

/// The output sum of one bucket.
pub(super) fn output_sum(parameters: &Parameters, features: &FeatureLists, bucket: usize) -> i32 {
    match &parameters.layers {
        Layers::Linear(layer) => {
            features.first.iter().fold(layer.bias[bucket], |sum, &input| sum.wrapping_add(layer.row(input)[bucket]))
        }
        Layers::Layered(hidden) => {
            let architecture = &parameters.architecture;
            let output =
                |features| accumulator_output(architecture, clipped_accumulator(&hidden.accumulator, features));
            let mut values = output(&features.first);
            if architecture.views() == 2 {
                values.extend(output(&features.second));
            }
            let inputs = if hidden.dense.is_empty() { values } else { deep(architecture, hidden, values, bucket) };
            let weights = hidden.output.layer.column(bucket).map(i32::from);
            inputs.iter().zip(weights).fold(hidden.output.layer.bias[bucket], |sum, (input, weight)| {
                sum.wrapping_add(input.wrapping_mul(weight))
            })
        }
    }
}

fn clipped_accumulator(layer: &Layer<i16, i16>, features: &[usize]) -> Vec<i32> {
    let mut sums: Vec<i16> = layer.bias.clone();
    for &input in features {
        for (sum, weight) in sums.iter_mut().zip(layer.row(input)) {
            *sum = sum.wrapping_add(*weight);
        }
    }
    sums.into_iter().map(|sum| i32::from(sum).clamp(0, ACCUMULATOR_SCALE)).collect()
}

/// What one accumulator hands on: wide numbers in a shallow network, bytes in a deeper one.
fn accumulator_output(architecture: &Architecture, clipped: Vec<i32>) -> Vec<i32> {
    let activation = architecture.activation;
    if architecture.pairwise {
        let (first, second) = clipped.split_at(clipped.len() / 2);
        return first.iter().zip(second).map(|(&first, &second)| i32::from(pair_activation(first, second))).collect();
    }
    match (architecture.hidden.len(), activation) {
        (1, Activation::ClippedRelu) => clipped,
        (1, Activation::SquaredClippedRelu) => clipped.iter().map(|value| value * value).collect(),
        _ => clipped.iter().map(|&value| i32::from(accumulator_activation(activation, value))).collect(),
    }
}

fn deep(architecture: &Architecture, hidden: &Hidden, mut values: Vec<i32>, bucket: usize) -> Vec<i32> {
    for (index, Scaled { layer, bits }) in hidden.dense.iter().enumerate() {
        let outputs = architecture.outputs_of(index + 1, bucket);
        let mut sums = layer.bias[outputs.clone()].to_vec();
        for (input, &value) in values.iter().enumerate() {
            for (sum, &weight) in sums.iter_mut().zip(&layer.row(input)[outputs.clone()]) {
                *sum = sum.wrapping_add(value * i32::from(weight));
            }
        }
        let activate = |sum| i32::from(dense_activation(architecture.activation, sum, *bits));
        values = sums.into_iter().map(activate).collect();
    }
    values
}
