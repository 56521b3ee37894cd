//! The network in floating point, as trained. Independent of quantisation.

use alfiere_nnue::{Architecture, ArchitectureError, FeatureLists, LayerShape};
use ndarray::{Array1, Array2, Axis, concatenate};

/// One layer: `y = x · weights + bias`.
#[derive(Clone, PartialEq, Debug)]
pub struct FloatLayer {
    /// `[inputs][outputs]`: a row holds what one input adds to all outputs.
    pub weights: Array2<f32>,
    /// `[outputs]`.
    pub bias: Array1<f32>,
}

/// A network in floating point. The trainer chooses its output unit (see [`alfiere_nnue::Network::output_scale`]).
#[derive(Clone, PartialEq, Debug)]
pub struct FloatNetwork {
    pub architecture: Architecture,
    /// From input to output, shaped as [`Architecture::layer_shapes`] says.
    pub layers: Vec<FloatLayer>,
}

impl FloatLayer {
    pub fn zeros(shape: LayerShape) -> Self {
        Self { weights: Array2::zeros((shape.inputs, shape.outputs)), bias: Array1::zeros(shape.outputs) }
    }

    pub fn inputs(&self) -> usize {
        self.weights.nrows()
    }

    pub fn outputs(&self) -> usize {
        self.weights.ncols()
    }

    /// All weights, row by row, and all biases.
    ///
    /// # Panics
    /// If the weights do not lie row by row in memory.
    pub fn as_slices_mut(&mut self) -> (&mut [f32], &mut [f32]) {
        let in_order = "rows of weights lie one after the other";
        (self.weights.as_slice_mut().expect(in_order), self.bias.as_slice_mut().expect(in_order))
    }

    /// The sums over the active inputs.
    fn sparse(&self, active: &[usize]) -> Array1<f32> {
        active.iter().fold(self.bias.clone(), |sums, &input| sums + self.weights.row(input))
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
    /// If they are not, or the architecture is out of its limits.
    pub fn validate(&self) -> Result<(), ArchitectureError> {
        let shape = |layer: &FloatLayer| [layer.inputs(), layer.outputs(), layer.bias.len()];
        self.architecture.check_layers(self.layers.iter().map(shape).collect())
    }

    /// The value of a position in output units: the side to move's for `dual`, White's for `white`.
    #[cfg(test)]
    pub(crate) fn forward(&self, features: &FeatureLists) -> f32 {
        crate::gradient_check::Reference::new(self).forward(features) as f32
    }

    /// What the accumulators hand on, the side to move's first: [`Architecture::accumulator_outputs`] values a view.
    ///
    /// # Panics
    /// If there is no hidden layer, the layers are not those of the architecture, or a feature is none of its inputs.
    pub fn accumulator_outputs(&self, features: &FeatureLists) -> Array1<f32> {
        let first = self.activated(self.layers[0].sparse(&features.first));
        if self.architecture.views() == 1 {
            return first;
        }
        concatenate![Axis(0), first, self.activated(self.layers[0].sparse(&features.second))]
    }

    /// What an accumulator with these sums puts out.
    fn activated(&self, sums: Array1<f32>) -> Array1<f32> {
        if self.architecture.pairwise {
            let clipped = sums.mapv(|sum| sum.clamp(0.0, 1.0));
            let (first, second) = clipped.view().split_at(Axis(0), clipped.len() / 2);
            return &first * &second;
        }
        sums.mapv_into(|sum| self.architecture.activation.apply(sum))
    }
}

#[cfg(test)]
mod tests {
    use alfiere_chess::types::{Color, Piece, Square};
    use alfiere_nnue::SIDE_TO_MOVE_INPUT;
    use ndarray::{Slice, array};

    use super::*;

    fn kings(network: &FloatNetwork, side_to_move: Color) -> FeatureLists {
        let pieces = [(Piece::WhiteKing, Square::E1), (Piece::BlackKing, Square::D8)];
        FeatureLists::new(&network.architecture, side_to_move, pieces)
    }

    #[test]
    fn one_hidden_layer_by_hand() {
        let mut network = FloatNetwork::zeros("dual [2] screlu x8".parse().expect("valid")).expect("valid");
        network.validate().expect("zeros have the right shape");
        network.layers[0].bias = array![0.5, -4.0];
        network.layers[0].weights[[SIDE_TO_MOVE_INPUT, 0]] = 0.25;
        for (input, weight) in [(0, 2.0), (1, 9.0), (2, -3.0), (3, 9.0)] {
            network.layers[1].weights[[input, 0]] = weight;
        }
        network.layers[1].bias[0] = 0.125;
        let value = network.forward(&kings(&network, Color::Black));
        assert!((value - (2.0 * 0.75 * 0.75 - 3.0 * 0.25 + 0.125)).abs() < 1e-6, "{value}");
    }

    #[test]
    fn pairs_by_hand() {
        let mut network = FloatNetwork::zeros("dual [4,1] pairwise".parse().expect("valid")).expect("valid");
        network.validate().expect("zeros have the right shape");
        network.layers[0].bias = array![0.5, 9.0, 0.25, 0.5];
        network.layers[0].weights[[SIDE_TO_MOVE_INPUT, 2]] = 0.5;
        network.layers[1].weights = array![[0.25], [0.125], [0.5], [-0.125]];
        network.layers[2].weights = array![[2.0]];
        let value = network.forward(&kings(&network, Color::Black));
        let sum = 0.25 * (0.5 * 0.75) + 0.125 * 0.5 + 0.5 * (0.5 * 0.25) - 0.125 * 0.5;
        assert!((value - 2.0 * sum).abs() < 1e-6, "{value}");
    }

    #[test]
    fn skipped_layers_by_hand() {
        let mut network = FloatNetwork::zeros("dual [1,2,1] skip".parse().expect("valid")).expect("valid");
        network.layers[1].bias = array![-0.5, -0.75];
        network.layers[2].weights = array![[9.0], [9.0], [1.0], [0.0]];
        network.layers[2].bias = array![0.25];
        network.layers[3].weights = array![[9.0], [9.0], [2.0], [1.0], [4.0], [8.0]];
        let first = 2.0 * 0.25 + 0.75 * 0.75;
        let second = 4.0 * 0.5 + 8.0 * 0.5 * 0.5;
        let value = network.forward(&kings(&network, Color::White));
        assert!((value - (first + second + 0.25)).abs() < 1e-6, "{value}");
    }

    #[test]
    fn linear_model_sees_the_side_to_move_only() {
        let mut network = FloatNetwork::zeros("dual [] crelu x1".parse().expect("valid")).expect("valid");
        network.layers[0].weights[[320 + 4, 0]] = 1.0;
        network.layers[0].weights[[320 + 59 - 56, 0]] = 10.0;
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
                let outputs = Slice::from(if index == 3 { 0..8 } else { stacks.outputs_of(index, bucket) });
                own.bias = all.bias.slice_axis(Axis(0), outputs).to_owned();
                own.weights = all.weights.slice_axis(Axis(1), outputs).to_owned();
            }
            own.validate().expect("the shared network's shape");
            let lists = FeatureLists { piece_count: 4 * bucket as u32 + 2, ..kings(&network, Color::White) };
            let [value, own] = [&network, &own].map(|network| network.forward(&lists));
            assert!((value - own).abs() < 1e-6, "{bucket}: {value}, {own}");
            values.push(value);
        }
        values.dedup();
        assert_eq!(values.len(), 8);
    }

    #[test]
    fn wrong_shapes_are_named() {
        let mut network = FloatNetwork::zeros("white [3,2]".parse().expect("valid")).expect("valid");
        network.layers[1].bias = array![0.0];
        let message = network.validate().expect_err("a bias is missing").to_string();
        assert!(
            message.starts_with("layers of [[769, 3, 3], [3, 2, 1], [2, 1, 1]] inputs, outputs and biases"),
            "{message}"
        );
        network.layers.pop();
        assert!(network.validate().is_err());
    }
}
