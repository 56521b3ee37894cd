//! The integer forward pass from the parameters, without padding, vectors or state: the reference for tests of the kernels.

use ndarray::s;

use crate::shape::architecture::{Activation, Architecture};
use crate::shape::features::FeatureLists;
use crate::shape::parameters::{Hidden, Layer, Layers, Parameters, Scaled};
use crate::shape::quantisation::{
    ACCUMULATOR_SCALE, accumulator_activation, dense_activation, dense_square, pair_activation, skipped_sum,
};

pub(crate) fn output_sum(parameters: &Parameters, features: &FeatureLists, bucket: usize) -> i32 {
    match &parameters.layers {
        Layers::Linear(layer) => features
            .first
            .iter()
            .fold(layer.bias[bucket], |sum, &input| sum.wrapping_add(layer.weights[[input, bucket]])),
        Layers::Layered(hidden) => {
            let architecture = &parameters.architecture;
            let output =
                |features| accumulator_output(architecture, clipped_accumulator(&hidden.accumulator, features));
            let mut values = output(&features.first);
            if architecture.views() == 2 {
                values.extend(output(&features.second));
            }
            let (inputs, skipped) = deep(architecture, hidden, values, bucket);
            let weights = hidden.output.layer.weights.column(bucket).mapv(i32::from);
            let start = hidden.output.layer.bias[bucket].wrapping_add(skipped);
            inputs.iter().zip(weights).fold(start, |sum, (input, weight)| sum.wrapping_add(input.wrapping_mul(weight)))
        }
    }
}

fn clipped_accumulator(layer: &Layer<i16, i16>, features: &[usize]) -> Vec<i32> {
    let mut sums = layer.bias.to_vec();
    for &input in features {
        for (sum, weight) in sums.iter_mut().zip(layer.weights.row(input)) {
            *sum = sum.wrapping_add(*weight);
        }
    }
    sums.into_iter().map(|sum| i32::from(sum).clamp(0, ACCUMULATOR_SCALE)).collect()
}

/// The outputs of one accumulator: wide integers if the output layer reads them, bytes if a dense layer does.
fn accumulator_output(architecture: &Architecture, clipped: Vec<i32>) -> Vec<i32> {
    let activation = architecture.activation;
    if architecture.pairwise {
        let (first, second) = clipped.split_at(clipped.len() / 2);
        return first.iter().zip(second).map(|(&first, &second)| i32::from(pair_activation(first, second))).collect();
    }
    match (architecture.hidden.len(), activation) {
        (1, Activation::SquaredClippedRelu) => clipped.iter().map(|value| value * value).collect(),
        (1, _) => clipped,
        _ => clipped.iter().map(|&value| i32::from(accumulator_activation(activation, value))).collect(),
    }
}

/// The inputs of the output layer and the skip connection's sum, from the outputs of the accumulators.
fn deep(architecture: &Architecture, hidden: &Hidden, mut values: Vec<i32>, bucket: usize) -> (Vec<i32>, i32) {
    let (mut seen, mut skipped) = (Vec::new(), 0);
    for (index, Scaled { layer, bits }) in hidden.dense.iter().enumerate() {
        let outputs = architecture.outputs_of(index + 1, bucket);
        let weights = layer.weights.slice(s![.., outputs.clone()]);
        let mut sums = layer.bias.slice(s![outputs]).to_vec();
        for (weights, &value) in weights.rows().into_iter().zip(&values) {
            for (sum, &weight) in sums.iter_mut().zip(weights) {
                *sum = sum.wrapping_add(value * i32::from(weight));
            }
        }
        if architecture.skip {
            if let ([.., plus, minus], 0) = (sums.as_slice(), index) {
                skipped = skipped_sum(plus.wrapping_sub(*minus), *bits, hidden.output.bits);
            }
            let clipped = sums.iter().map(|&sum| dense_activation(Activation::ClippedRelu, sum, *bits));
            let squares = sums.iter().map(|&sum| dense_square(sum, *bits));
            values = clipped.chain(squares).map(i32::from).collect();
            seen.extend_from_slice(&values);
        } else {
            let activate = |sum| i32::from(dense_activation(architecture.activation, sum, *bits));
            values = sums.into_iter().map(activate).collect();
        }
    }
    (if architecture.skip { seen } else { values }, skipped)
}
