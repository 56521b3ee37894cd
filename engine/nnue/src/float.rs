//! The network in floating point: what the trainer learns and hands over, with a plain forward pass as reference.
//!
//! Written to be obviously right, not to be fast. Independent of quantisation.

use std::ops::Range;

use thiserror::Error;

use super::architecture::{Architecture, ArchitectureError, LayerShape, clipped_square};
use super::features::{FeatureLists, output_bucket};

/// One layer: `y[o] = bias[o] + sum over i of x[i] * weights[i * outputs + o]`.
#[derive(Clone, PartialEq, Debug)]
pub struct FloatLayer {
    /// Values that come in.
    pub inputs: usize,
    /// Values that go out.
    pub outputs: usize,
    /// `[inputs][outputs]`, row-major: a row holds what one input adds to all outputs.
    pub weights: Vec<f32>,
    /// `[outputs]`.
    pub bias: Vec<f32>,
}

/// A whole network in floating point; its output unit is whatever the trainer chose (see the output scale of
/// the quantised network).
#[derive(Clone, PartialEq, Debug)]
pub struct FloatNetwork {
    /// The shape.
    pub architecture: Architecture,
    /// From input to output, shaped as [`Architecture::layer_shapes`] says.
    pub layers: Vec<FloatLayer>,
}

/// Why layers do not make up a network.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FloatNetworkError {
    /// The shape itself is impossible.
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
    /// A layer too many or too few.
    #[error("{found} layers, the architecture has {expected}")]
    LayerCount {
        /// Layers given.
        found: usize,
        /// Layers of the architecture.
        expected: usize,
    },
    /// A layer of the wrong shape.
    #[error("layer {layer} has {what} {found}, the architecture says {expected}")]
    Shape {
        /// Which layer, from 0.
        layer: usize,
        /// Which figure.
        what: &'static str,
        /// Its value.
        found: usize,
        /// What it must be.
        expected: usize,
    },
}

impl FloatLayer {
    /// A layer of zeros.
    pub fn zeros(shape: LayerShape) -> Self {
        let LayerShape { inputs, outputs } = shape;
        Self { inputs, outputs, weights: vec![0.0; inputs * outputs], bias: vec![0.0; outputs] }
    }

    /// The weights of one input, one per output.
    pub fn row(&self, input: usize) -> &[f32] {
        &self.weights[input * self.outputs..][..self.outputs]
    }

    fn sparse(&self, active: &[usize]) -> Vec<f32> {
        let mut sums = self.bias.clone();
        for &input in active {
            for (sum, weight) in sums.iter_mut().zip(self.row(input)) {
                *sum += weight;
            }
        }
        sums
    }

    /// The sums of these outputs only.
    fn dense(&self, values: &[f32], outputs: Range<usize>) -> Vec<f32> {
        let mut sums = self.bias[outputs.clone()].to_vec();
        for (input, &value) in values.iter().enumerate() {
            for (sum, weight) in sums.iter_mut().zip(&self.row(input)[outputs.clone()]) {
                *sum += value * weight;
            }
        }
        sums
    }
}

impl FloatNetwork {
    /// A network of zeros.
    ///
    /// # Errors
    /// If the architecture is out of its limits.
    pub fn zeros(architecture: Architecture) -> Result<Self, ArchitectureError> {
        architecture.validate()?;
        let layers = architecture.layer_shapes().into_iter().map(FloatLayer::zeros).collect();
        Ok(Self { architecture, layers })
    }

    /// Checks that the layers are those of the architecture.
    ///
    /// # Errors
    /// The first difference.
    pub fn validate(&self) -> Result<(), FloatNetworkError> {
        self.architecture.validate()?;
        let shapes = self.architecture.layer_shapes();
        if shapes.len() != self.layers.len() {
            return Err(FloatNetworkError::LayerCount { found: self.layers.len(), expected: shapes.len() });
        }
        for (layer, (shape, given)) in shapes.iter().zip(&self.layers).enumerate() {
            for (what, found, expected) in [
                ("inputs", given.inputs, shape.inputs),
                ("outputs", given.outputs, shape.outputs),
                ("number of weights", given.weights.len(), shape.inputs * shape.outputs),
                ("number of biases", given.bias.len(), shape.outputs),
            ] {
                if found != expected {
                    return Err(FloatNetworkError::Shape { layer, what, found, expected });
                }
            }
        }
        Ok(())
    }

    /// The value of a position in output units: the side to move's for `dual`, White's for `white`.
    ///
    /// # Panics
    /// If the layers are not those of the architecture, or a feature is none of its inputs.
    pub fn forward(&self, features: &FeatureLists) -> f32 {
        let bucket = output_bucket(self.architecture.output_buckets, features.piece_count);
        if self.architecture.hidden.is_empty() {
            return self.layers[0].sparse(&features.first)[bucket];
        }
        let mut values = self.accumulator_outputs(features);
        let (mut seen, mut skipped) = (Vec::new(), 0.0);
        let last = self.layers.len() - 1;
        for (index, layer) in self.layers.iter().enumerate().take(last).skip(1) {
            let sums = layer.dense(&values, self.architecture.outputs_of(index, bucket));
            if self.architecture.skip {
                if let ([.., plus, minus], 1) = (sums.as_slice(), index) {
                    skipped = plus - minus;
                }
                values = sums.iter().map(|sum| sum.clamp(0.0, 1.0)).collect();
                values.extend(sums.iter().map(|&sum| clipped_square(sum)));
                seen.extend_from_slice(&values);
            } else {
                values = sums.into_iter().map(|sum| self.architecture.activation.apply(sum)).collect();
            }
        }
        let seen = if self.architecture.skip { &seen } else { &values };
        self.layers[last].dense(seen, bucket..bucket + 1)[0] + skipped
    }

    /// What the accumulators hand on, the side to move's first: [`Architecture::accumulator_outputs`] values a view.
    ///
    /// # Panics
    /// As [`Self::forward`], and if there is no hidden layer.
    pub fn accumulator_outputs(&self, features: &FeatureLists) -> Vec<f32> {
        let mut values = self.activated(self.layers[0].sparse(&features.first));
        if self.architecture.views() == 2 {
            values.extend(self.activated(self.layers[0].sparse(&features.second)));
        }
        values
    }

    /// What an accumulator with these sums puts out.
    fn activated(&self, sums: Vec<f32>) -> Vec<f32> {
        if self.architecture.pairwise {
            let (first, second) = sums.split_at(sums.len() / 2);
            return first.iter().zip(second).map(|(a, b)| a.clamp(0.0, 1.0) * b.clamp(0.0, 1.0)).collect();
        }
        sums.into_iter().map(|sum| self.architecture.activation.apply(sum)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfiere_chess::types::{Color, Piece, Square};

    fn kings(network: &FloatNetwork, side_to_move: Color) -> FeatureLists {
        let pieces = [(Piece::WhiteKing, Square::E1), (Piece::BlackKing, Square::D8)];
        FeatureLists::new(&network.architecture, side_to_move, pieces)
    }

    #[test]
    fn one_hidden_layer_by_hand() {
        let mut network = FloatNetwork::zeros("dual [2] screlu x8".parse().expect("valid")).expect("valid");
        network.validate().expect("zeros have the right shape");
        network.layers[0].bias = vec![0.5, -4.0];
        network.layers[0].weights[crate::SIDE_TO_MOVE_INPUT * 2] = 0.25;
        for (input, weight) in [(0, 2.0), (1, 9.0), (2, -3.0), (3, 9.0)] {
            network.layers[1].weights[input * 8] = weight;
        }
        network.layers[1].bias[0] = 0.125;
        let value = network.forward(&kings(&network, Color::Black));
        assert!((value - (2.0 * 0.75 * 0.75 - 3.0 * 0.25 + 0.125)).abs() < 1e-6, "{value}");
    }

    #[test]
    fn pairs_by_hand() {
        let mut network = FloatNetwork::zeros("dual [4,1] pairwise".parse().expect("valid")).expect("valid");
        network.validate().expect("zeros have the right shape");
        network.layers[0].bias = vec![0.5, 9.0, 0.25, 0.5];
        network.layers[0].weights[crate::SIDE_TO_MOVE_INPUT * 4 + 2] = 0.5;
        network.layers[1].weights = vec![0.25, 0.125, 0.5, -0.125];
        network.layers[2].weights = vec![2.0];
        let value = network.forward(&kings(&network, Color::Black));
        let sum = 0.25 * (0.5 * 0.75) + 0.125 * 0.5 + 0.5 * (0.5 * 0.25) - 0.125 * 0.5;
        assert!((value - 2.0 * sum).abs() < 1e-6, "{value}");
    }

    #[test]
    fn skipped_layers_by_hand() {
        let mut network = FloatNetwork::zeros("dual [1,2,1] skip".parse().expect("valid")).expect("valid");
        network.layers[1].bias = vec![-0.5, -0.75];
        network.layers[2].weights = vec![9.0, 9.0, 1.0, 0.0];
        network.layers[2].bias = vec![0.25];
        network.layers[3].weights = vec![9.0, 9.0, 2.0, 1.0, 4.0, 8.0];
        let first = 2.0 * 0.25 + 0.75 * 0.75;
        let second = 4.0 * 0.5 + 8.0 * 0.5 * 0.5;
        let value = network.forward(&kings(&network, Color::White));
        assert!((value - (first + second + 0.25)).abs() < 1e-6, "{value}");
    }

    #[test]
    fn linear_model_sees_the_side_to_move_only() {
        let mut network = FloatNetwork::zeros("dual [] crelu x1".parse().expect("valid")).expect("valid");
        network.layers[0].weights[320 + 4] = 1.0;
        network.layers[0].weights[320 + 59 - 56] = 10.0;
        assert!((network.forward(&kings(&network, Color::White)) - 1.0).abs() < 1e-6);
        assert!((network.forward(&kings(&network, Color::Black)) - 10.0).abs() < 1e-6);
    }

    #[test]
    fn a_stack_is_a_network_of_its_own() {
        let stacks: Architecture = "dual [6,3,2] x8 stacks".parse().expect("valid");
        let mut network = FloatNetwork::zeros(stacks.clone()).expect("valid");
        let mut number = 0.0_f32;
        for value in network.layers.iter_mut().flat_map(|layer| layer.weights.iter_mut().chain(&mut layer.bias)) {
            number += 1.0;
            *value = 0.3 * (number * 1.618).sin();
        }
        let mut values = Vec::new();
        for bucket in 0..8 {
            let shared = Architecture { stacks: false, ..stacks.clone() };
            let mut own = FloatNetwork::zeros(shared.clone()).expect("valid");
            own.layers[0] = network.layers[0].clone();
            for (index, (own, all)) in own.layers.iter_mut().zip(&network.layers).enumerate().skip(1) {
                // The output layer has a column for each bucket either way.
                let outputs = if index == 3 { 0..8 } else { stacks.outputs_of(index, bucket) };
                own.bias = all.bias[outputs.clone()].to_vec();
                own.weights = (0..all.inputs).flat_map(|input| all.row(input)[outputs.clone()].to_vec()).collect();
            }
            own.validate().expect("the shared network's shape");
            let lists = FeatureLists { piece_count: 4 * bucket as u32 + 2, ..kings(&network, Color::White) };
            let [value, own] = [&network, &own].map(|network| network.forward(&lists).to_bits());
            assert_eq!(value, own, "{bucket}");
            values.push(value);
        }
        values.dedup();
        assert_eq!(values.len(), 8);
    }

    #[test]
    fn wrong_shapes_are_named() {
        let mut network = FloatNetwork::zeros("white [3,2]".parse().expect("valid")).expect("valid");
        network.layers[1].bias.pop();
        let message = network.validate().expect_err("a bias is missing").to_string();
        assert_eq!(message, "layer 1 has number of biases 1, the architecture says 2");
        network.layers.pop();
        assert!(network.validate().is_err());
    }
}
