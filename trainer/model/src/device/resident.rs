//! Training on a device that keeps everything: weights, moments, averages. A step sends nothing and reads only its loss.
//!
//! The same steps as those of [`Learner`](crate::Learner) on cores, in plain burn operations. The state goes to the device
//! before the first step and comes back when it is asked for.

use alfiere_nnue::{Architecture, FloatNetwork, PIECE_INPUTS};
use burn::tensor::{Device, Gradients, Tensor, TensorData};

use super::forward;
use crate::batch::DeviceBatch;
use crate::hints::backward;
use crate::layers::{Dropout, LayerTensors, rounding_steps, values};
use crate::learner_state::{LearnerState, StepSize};
use crate::objective::Objective;
use crate::optimiser::{Moments, Optimiser, SLOW_SHARE, StepConstants, average_share, is_slow_return};

/// A layer under training.
#[derive(Clone, Debug)]
struct ResidentLayer {
    weights: ResidentWeights<2>,
    bias: ResidentWeights<1>,
}

/// A network and the state of its optimiser on a device.
#[derive(Clone, Debug)]
pub(crate) struct Resident {
    architecture: Architecture,
    device: Device,
    steps: u64,
    layers: Vec<ResidentLayer>,
    /// The shared part of the first layer, `[768][width]`.
    shared: Option<ResidentWeights<2>>,
    slow: Option<Vec<LayerTensors>>,
    average: Option<Vec<LayerTensors>>,
    average_steps: u64,
}

impl Resident {
    pub(crate) fn new(state: &LearnerState, device: &Device) -> Self {
        let LearnerState { network, optimiser, average } = state;
        let layers = network.layers.iter().zip(&optimiser.layers).map(|(layer, moments)| {
            let (inputs, outputs) = layer.weights.dim();
            let weights = layer.weights.iter().copied();
            ResidentLayer {
                weights: ResidentWeights::new(weights, &moments.weights, [inputs, outputs], device),
                bias: ResidentWeights::new(layer.bias.iter().copied(), &moments.bias, [outputs], device),
            }
        });
        let shared = optimiser.shared.as_ref().map(|shared| {
            let shape = [PIECE_INPUTS, network.layers[0].outputs()];
            ResidentWeights::new(shared.weights.iter().copied(), &shared.moments, shape, device)
        });
        let send = |network: &FloatNetwork| send(network, device);
        Self {
            architecture: network.architecture.clone(),
            device: device.clone(),
            steps: optimiser.steps,
            layers: layers.collect(),
            shared,
            slow: optimiser.slow.as_ref().map(|slow| send(&slow.0)),
            average: average.as_ref().map(|average| send(&average.network)),
            average_steps: average.as_ref().map_or(0, |average| average.steps),
        }
    }

    /// Brings the state back.
    pub(crate) fn fetch(&self, state: &mut LearnerState) {
        let LearnerState { network, optimiser, average } = state;
        optimiser.steps = self.steps;
        let layers = self.layers.iter().zip(&mut network.layers).zip(&mut optimiser.layers);
        for ((resident, layer), moments) in layers {
            let (weights, bias) = layer.as_slices_mut();
            resident.weights.fetch(weights, &mut moments.weights);
            resident.bias.fetch(bias, &mut moments.bias);
        }
        if let (Some(resident), Some(shared)) = (&self.shared, &mut optimiser.shared) {
            resident.fetch(&mut shared.weights, &mut shared.moments);
        }
        if let (Some(tensors), Some(slow)) = (&self.slow, &mut optimiser.slow) {
            fetch(tensors, &mut slow.0);
        }
        if let (Some(tensors), Some(average)) = (&self.average, average) {
            average.steps = self.average_steps;
            fetch(tensors, &mut average.network);
        }
    }

    /// Takes one step on a batch; returns its mean loss before the step, without that of hints. The weights stay as they
    /// are if it is not finite.
    pub(crate) fn step(
        &mut self,
        batch: &DeviceBatch,
        objective: Objective,
        dropout: Dropout,
        size: StepSize,
        method: Optimiser,
        average_decay: f32,
    ) -> f32 {
        let device = self.device.clone().autodiff();
        let tensors: Vec<LayerTensors> = (0..self.layers.len()).map(|index| self.rounded(index).tracked()).collect();
        let forward = forward::forward_pass(&self.architecture, &tensors, batch, dropout, &device);
        let loss = objective.loss(forward.outputs, batch.targets.clone());
        let hints = batch.hints.as_ref().zip(forward.second);
        let hint_loss = hints.map(|((hints, targets), rows)| hints.loss(rows, targets.clone()));
        let mut gradients = backward(&loss, hint_loss);
        let loss: f32 = loss.into_scalar();
        if loss.is_finite() {
            self.apply(&tensors, &mut gradients, size, method);
            if let Some(average) = &mut self.average {
                self.average_steps += 1;
                approach(average, &self.layers, average_share(self.average_steps, average_decay));
            }
        }
        loss
    }

    /// A layer's weights as the forward pass uses them: rounded where the engine's are, see [`rounded`](crate::rounded).
    fn rounded(&self, index: usize) -> LayerTensors {
        let ResidentLayer { weights, bias } = &self.layers[index];
        let [step, bias_step] = rounding_steps(&self.architecture, index);
        LayerTensors {
            weights: nearest(weights.values.clone(), step).autodiff(),
            bias: nearest(bias.values.clone(), bias_step).autodiff(),
        }
    }

    /// Applies the gradients to the weights.
    fn apply(&mut self, tensors: &[LayerTensors], gradients: &mut Gradients, size: StepSize, method: Optimiser) {
        self.steps += 1;
        let step = self.steps;
        for (index, (layer, tensors)) in self.layers.iter_mut().zip(tensors).enumerate() {
            let updates = size.updates(&self.architecture, index, step);
            let [constants, bias_constants] = updates.map(|update| method.constants(update));
            let gradient = remove(&tensors.weights, gradients);
            match self.shared.as_mut().filter(|_| index == 0) {
                Some(shared) => advance_sum(shared, &mut layer.weights, gradient, &constants),
                None => layer.weights.advance(gradient, &constants),
            }
            layer.bias.advance(remove(&tensors.bias, gradients), &bias_constants);
        }
        if let Some(slow) = self.slow.as_mut().filter(|_| is_slow_return(step)) {
            approach(slow, &self.layers, SLOW_SHARE);
            for (layer, slow) in self.layers.iter_mut().zip(slow) {
                (layer.weights.values, layer.bias.values) = (slow.weights.clone(), slow.bias.clone());
            }
        }
    }
}

/// The values rounded to multiples of `step`, if there is one.
fn nearest<const D: usize>(values: Tensor<D>, step: Option<f32>) -> Tensor<D> {
    match step {
        Some(step) => (values / step).round() * step,
        None => values,
    }
}

/// A tensor's gradient; zeros if the loss does not depend on the tensor.
fn remove<const D: usize>(tensor: &Tensor<D>, gradients: &mut Gradients) -> Tensor<D> {
    tensor.grad_remove(gradients).unwrap_or_else(|| tensor.clone().inner().zeros_like())
}

/// Updates the first layer's weights as sums of a shared and an own part, as [`SharedRows`](crate::SharedRows) does.
fn advance_sum(
    shared: &mut ResidentWeights<2>,
    sums: &mut ResidentWeights<2>,
    gradient: Tensor<2>,
    constants: &StepConstants,
) {
    let [inputs, width] = gradient.dims();
    let buckets = inputs / PIECE_INPUTS;
    let shared_gradient = gradient.clone().narrow(0, 0, buckets * PIECE_INPUTS);
    let shared_gradient =
        shared_gradient.reshape([buckets, PIECE_INPUTS, width]).sum_dim(0).reshape([PIECE_INPUTS, width]);
    // The side-to-move row is not shared.
    let for_all = |part: &Tensor<2>| {
        let others = Tensor::zeros([inputs - buckets * PIECE_INPUTS, width], &part.device());
        Tensor::cat(vec![part.clone().repeat_dim(0, buckets), others], 0)
    };
    let before = for_all(&shared.values);
    shared.advance_freely(shared_gradient, constants);
    sums.values = sums.values.clone() - before;
    sums.advance_freely(gradient, constants);
    sums.values = (sums.values.clone() + for_all(&shared.values)).clamp(-constants.limit, constants.limit);
}

/// Moves the followers by this share of the way to the weights.
fn approach(followers: &mut [LayerTensors], layers: &[ResidentLayer], share: f32) {
    for (follower, layer) in followers.iter_mut().zip(layers) {
        let LayerTensors { weights, bias } = follower;
        *weights = weights.clone() + (layer.weights.values.clone() - weights.clone()) * share;
        *bias = bias.clone() + (layer.bias.values.clone() - bias.clone()) * share;
    }
}

fn send(network: &FloatNetwork, device: &Device) -> Vec<LayerTensors> {
    network.layers.iter().map(|layer| LayerTensors::new(layer.clone(), device)).collect()
}

fn fetch(tensors: &[LayerTensors], network: &mut FloatNetwork) {
    network.layers = tensors.iter().map(|layer| layer.clone().into_layer()).collect();
}

/// Weights with the first and second moments of their gradients.
#[derive(Clone, Debug)]
pub(super) struct ResidentWeights<const D: usize> {
    pub(super) values: Tensor<D>,
    mean: Tensor<D>,
    square: Tensor<D>,
}

impl<const D: usize> ResidentWeights<D> {
    pub(super) fn new(
        values: impl Iterator<Item = f32>,
        moments: &Moments,
        shape: [usize; D],
        device: &Device,
    ) -> Self {
        let send = |values: Vec<f32>| Tensor::from_data(TensorData::new(values, shape), device);
        Self { values: send(values.collect()), mean: send(moments.mean.clone()), square: send(moments.square.clone()) }
    }

    /// Brings weights and moments back.
    pub(super) fn fetch(&self, weights: &mut [f32], moments: &mut Moments) {
        weights.copy_from_slice(&values(self.values.clone()));
        moments.mean = values(self.mean.clone());
        moments.square = values(self.square.clone());
    }

    /// One step of the optimiser, clipped.
    pub(super) fn advance(&mut self, gradient: Tensor<D>, constants: &StepConstants) {
        self.advance_freely(gradient, constants);
        self.values = self.values.clone().clamp(-constants.limit, constants.limit);
    }

    /// One step of the optimiser without clipping; the formulas of [`StepConstants`].
    pub(super) fn advance_freely(&mut self, gradient: Tensor<D>, constants: &StepConstants) {
        self.mean = self.mean.clone() + (gradient.clone() - self.mean.clone()) * (1.0 - constants.beta1);
        let mut change = self.mean.clone() * constants.rate;
        if constants.is_scaled {
            self.square = self.square.clone() + (gradient.square() - self.square.clone()) * (1.0 - constants.beta2);
            change = change / (self.square.clone().sqrt() * constants.scale + constants.epsilon);
        }
        self.values = self.values.clone() * constants.keep - change;
    }
}
