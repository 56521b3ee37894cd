//! Building blocks of a forward pass.

use alfiere_nnue::quantisation::weight_step;
use alfiere_nnue::{Activation, Architecture, LayerShape};
use ndarray::Array2;

use super::batch::is_narrow;
use super::kernels::dense_layer::LayerOps;
use super::random::{LayerDropout, Purpose, derive};
use crate::burn::tensor::{Device, Tensor, TensorData};
use crate::float::{FloatLayer, FloatNetwork};

/// Dropout for one training step, applied to every hidden layer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dropout {
    /// Probability of dropping a neuron, in [0, 1); 0 disables dropout.
    pub rate: f32,
    pub seed: u64,
    /// Number of the step, from the start of training.
    pub step: u64,
}

impl Dropout {
    pub const NONE: Self = Self { rate: 0.0, seed: 0, step: 0 };
}

/// The arithmetic of the first layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Accumulator {
    /// As in the engine; needs a narrow second layer.
    Integers,
    Floats,
}

impl Accumulator {
    /// The arithmetic for a network whose weights are within the limits of training.
    pub(super) fn of(architecture: &Architecture, dropout: Dropout) -> Self {
        if dropout.rate == 0.0 && is_narrow(architecture) { Self::Integers } else { Self::Floats }
    }
}

/// What a forward pass computes.
pub(super) struct Forward {
    /// `[positions]`
    pub(super) outputs: Tensor<1>,
    /// The rows of the second layer `[positions, outputs]`, with stacks each position's own; `None` if there is none or the
    /// pass is one operation.
    pub(super) second: Option<Tensor<2>>,
}

#[derive(Clone, Debug)]
pub(super) struct LayerTensors {
    pub(super) weights: Tensor<2>,
    pub(super) bias: Tensor<1>,
}

impl LayerTensors {
    pub(super) fn new(layer: FloatLayer, device: &Device) -> Self {
        let (inputs, outputs) = layer.weights.dim();
        let [weights, bias] = [layer.weights.into_raw_vec_and_offset().0, layer.bias.into_raw_vec_and_offset().0];
        Self {
            weights: Tensor::from_data(TensorData::new(weights, [inputs, outputs]), device),
            bias: Tensor::from_data(TensorData::new(bias, [outputs]), device),
        }
    }

    pub(super) fn into_layer(self) -> FloatLayer {
        let [inputs, outputs] = self.weights.dims();
        let weights = Array2::from_shape_vec((inputs, outputs), values(self.weights));
        FloatLayer { weights: weights.expect("a tensor has the size of its shape"), bias: values(self.bias).into() }
    }

    pub(super) fn tracked(self) -> Self {
        Self { weights: self.weights.require_grad(), bias: self.bias.require_grad() }
    }
}

/// The network's layers as tensors, [`rounded`](super::rounded) where the kernels do not round by themselves.
///
/// A table of integers is rounded by its kernel: its weights are moved, not copied, until [`restore`] returns them.
pub(super) fn lend_layers(network: &mut FloatNetwork, accumulator: Accumulator, device: &Device) -> Vec<LayerTensors> {
    let FloatNetwork { architecture, layers } = network;
    let tensors = layers.iter_mut().enumerate().map(|(index, layer)| {
        let layer = if index == 0 && accumulator == Accumulator::Integers {
            std::mem::replace(layer, FloatLayer::zeros(LayerShape { inputs: 0, outputs: 0 }))
        } else {
            let mut copy = layer.clone();
            round(architecture, index, &mut copy);
            copy
        };
        LayerTensors::new(layer, device)
    });
    tensors.collect()
}

/// Returns the weights that [`lend_layers`] moved.
pub(super) fn restore(network: &mut FloatNetwork, accumulator: Accumulator, tensors: Vec<LayerTensors>) {
    if let (Accumulator::Integers, Some(first)) = (accumulator, tensors.into_iter().next()) {
        network.layers[0] = first.into_layer();
    }
}

/// A tensor's values, without a copy if no other tensor has the same memory.
pub(super) fn values<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    // Every tensor here was created from f32 on this device, so it converts back to f32.
    tensor.into_data().try_into_vec().expect("a tensor of f32")
}

/// Computes the network output from the rows after the first `done` layers (one or two); `layer` computes one layer.
pub(super) fn later_layers(
    architecture: &Architecture,
    mut rows: Tensor<2>,
    done: usize,
    layer: impl Fn(usize, Tensor<2>) -> Tensor<2>,
) -> Tensor<2> {
    let last = architecture.hidden.len();
    if !architecture.skip {
        return (done..=last).fold(rows, |rows, index| layer(index, rows));
    }
    let mut skip_inputs = SkipInputs::default();
    if done == 2 {
        rows = skip_inputs.push(rows);
    }
    for index in done..last {
        rows = skip_inputs.push(layer(index, rows));
    }
    skip_inputs.output(|rows| layer(last, rows))
}

/// The activation and dropout of a layer, from 0. `None` for the last layer and for layers whose sums are used twice
/// (skip).
pub(super) fn layer_ops(architecture: &Architecture, dropout: Dropout, layer: usize) -> Option<LayerOps> {
    let purpose = Purpose::Dropout { step: dropout.step, layer: layer as u32 };
    let drop = (dropout.rate > 0.0).then(|| LayerDropout::new(dropout.rate, derive(dropout.seed, purpose)));
    // Pairwise factors use clipped ReLU, independent of the activation of later layers.
    let activation =
        if layer == 0 && architecture.pairwise { Activation::ClippedRelu } else { architecture.activation };
    let follows = layer == 0 || !architecture.skip;
    (follows && layer < architecture.hidden.len()).then_some(LayerOps { activation, drop })
}

/// The accumulator's outputs from rows of activated neurons: the neurons, or with pairs the products of each
/// accumulator's halves.
pub(super) fn accumulator_outputs(architecture: &Architecture, rows: Tensor<2>) -> Tensor<2> {
    if !architecture.pairwise {
        return rows;
    }
    let ([positions, _], outputs) = (rows.dims(), architecture.accumulator_outputs());
    rows.reshape([positions * architecture.views(), 2, outputs]).prod_dim(1).reshape([positions as i32, -1])
}

/// Selects each position's own bucket from rows that hold the outputs of all buckets. `chosen` has a 1 in the column of
/// each position's bucket.
pub(super) fn select_bucket(rows: Tensor<2>, chosen: &Tensor<2>) -> Tensor<2> {
    let ([positions, columns], buckets) = (rows.dims(), chosen.dims()[1]);
    if buckets == 1 {
        return rows;
    }
    let width = columns / buckets;
    let chosen = chosen.clone().reshape([positions, buckets, 1]);
    (rows.reshape([positions, buckets, width]) * chosen).sum_dim(1).reshape([positions, width])
}

/// Inputs of the output layer, collected layer by layer.
#[derive(Default)]
pub(super) struct SkipInputs {
    values: Vec<Tensor<2>>,
    skipped: Option<Tensor<2>>,
}

impl SkipInputs {
    /// Adds the sums of the next layer; returns its activations: clipped values followed by clipped squares.
    pub(super) fn push(&mut self, sums: Tensor<2>) -> Tensor<2> {
        let width = sums.dims()[1];
        if self.skipped.is_none() {
            self.skipped = Some(sums.clone().narrow(1, width - 2, 1) - sums.clone().narrow(1, width - 1, 1));
        }
        let values = Tensor::cat(vec![sums.clone().clamp(0.0, 1.0), sums.square().clamp_max(1.0)], 1);
        self.values.push(values.clone());
        values
    }

    /// The network's output; `layer` computes the output layer from the last activations.
    pub(super) fn output(self, layer: impl FnOnce(Tensor<2>) -> Tensor<2>) -> Tensor<2> {
        let output = layer(Tensor::cat(self.values, 1));
        match self.skipped {
            Some(skipped) => output + skipped,
            None => output,
        }
    }
}

/// The network with the weights of its 8-bit layers rounded as in a network file, and an accumulator's biases too.
pub fn rounded(mut network: FloatNetwork) -> FloatNetwork {
    for (index, layer) in network.layers.iter_mut().enumerate() {
        round(&network.architecture, index, layer);
    }
    network
}

/// Rounds one layer, counted from 0.
pub(super) fn round(architecture: &Architecture, index: usize, layer: &mut FloatLayer) {
    let nearest = |step: f32| move |number: f32| (number / step).round() * step;
    let [weights, bias] = rounding_steps(architecture, index);
    if let Some(step) = weights {
        layer.weights.mapv_inplace(nearest(step));
    }
    if let Some(step) = bias {
        layer.bias.mapv_inplace(nearest(step));
    }
}

/// The distance between neighbouring values of a layer's weights and of its biases; `None` if they are not rounded.
pub(super) fn rounding_steps(architecture: &Architecture, index: usize) -> [Option<f32>; 2] {
    let step = weight_step(architecture, index);
    [step, step.filter(|_| index == 0)]
}

#[cfg(test)]
mod tests {
    use super::super::{Batch, Dropout, Learner, Objective, Processor, StepSize, initialise};
    use super::*;
    use crate::test_batches::{batch, gradients};
    use crate::test_samples::samples;

    #[test]
    fn step_uses_rounded_weights_and_updates_unrounded_ones() {
        let network = initialise("dual [16,8,4] x8 stacks".parse().expect("valid"), 1).expect("valid");
        let in_use = rounded(network.clone());
        assert_ne!(network.layers[0], in_use.layers[0]);
        assert_ne!(network.layers[1], in_use.layers[1]);
        assert_eq!(network.layers[3], in_use.layers[3]);
        assert_eq!(in_use, rounded(in_use.clone()));
        let batch = batch(&network.architecture, Objective::ClippedCentipawns, &samples(50, 1));
        let [mut one, mut other] = [network.clone(), in_use].map(|network| Learner::new(network, Processor::cores()));
        let found = |learner: &mut Learner| gradients(learner, &batch, Objective::ClippedCentipawns, Dropout::NONE);
        assert_eq!(found(&mut one), found(&mut other));
        one.step(
            &Batch::Sparse(batch),
            Objective::ClippedCentipawns,
            Dropout::NONE,
            StepSize { rate: 1e-4, decay: 0.0 },
        );
        let moved = one.state().network.layers[1].weights.iter().zip(&network.layers[1].weights);
        let farthest = moved.map(|(after, before)| (after - before).abs()).fold(0.0, f32::max);
        assert!((5e-5..2e-4).contains(&farthest), "{farthest}");
    }
}
