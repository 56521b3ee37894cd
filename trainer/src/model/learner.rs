//! A network that learns: its weights, their optimiser's state, and one step of training.
//!
//! The weights live in the engine's [`FloatNetwork`], so that what is trained is what is handed over. Knows
//! nothing of epochs, schedules and files.

use std::sync::Arc;

use alfiere_nnue::quantisation::{bias_limit, weight_limit};
use alfiere_nnue::{FloatLayer, FloatNetwork};
use burn::tensor::{Gradients, Tensor, TensorData};
use serde::{Deserialize, Serialize};

use super::adamw::{AdamW, Moments, Update};
use super::assembly::{outputs, values};
use super::batch::SparseBatch;
use super::layers::{Dropout, LayerTensors, layer_tensors};
use super::objective::Objective;
use super::processor::Processor;
use super::shared_rows::SharedRows;

/// Gradients of one layer, shaped as its weights and bias.
#[derive(Clone, PartialEq, Debug)]
pub struct LayerGradient {
    /// `[inputs][outputs]`
    pub weights: Vec<f32>,
    /// `[outputs]`
    pub bias: Vec<f32>,
}

/// How a step moves the weights.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StepSize {
    /// Learning rate.
    pub rate: f32,
    /// Weight decay; biases have none.
    pub decay: f32,
}

/// State of the optimiser for one layer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct LayerMoments {
    weights: Moments,
    bias: Moments,
}

/// The optimiser's state.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OptimiserState {
    /// Steps taken.
    pub steps: u64,
    layers: Vec<LayerMoments>,
    /// What king buckets share, with its moments; a checkpoint keeps it in a place of its own.
    #[serde(skip)]
    pub shared: Option<SharedRows>,
}

impl OptimiserState {
    /// Before the first step.
    pub fn new(network: &FloatNetwork) -> Self {
        let moments = |layer: &FloatLayer| LayerMoments {
            weights: Moments::zeros(layer.weights.len()),
            bias: Moments::zeros(layer.bias.len()),
        };
        let shared = SharedRows::of(network);
        Self { steps: 0, layers: network.layers.iter().map(moments).collect(), shared }
    }

    /// True when it belongs to networks of this shape.
    pub fn fits(&self, network: &FloatNetwork) -> bool {
        SharedRows::fit(self.shared.as_ref(), network)
            && self.layers.len() == network.layers.len()
            && self.layers.iter().zip(&network.layers).all(|(moments, layer)| {
                moments.weights.len() == layer.weights.len() && moments.bias.len() == layer.bias.len()
            })
    }
}

/// A network and its optimiser.
#[derive(Clone, Debug)]
pub struct Learner {
    /// The weights. A step uses those of dense layers [`rounded`](super::rounded), and moves what is not rounded by the
    /// gradients found there.
    pub network: FloatNetwork,
    /// The optimiser's state.
    pub optimiser: OptimiserState,
    /// Where its steps are computed; the optimiser runs on the cores.
    pub processor: Processor,
}

impl Learner {
    /// A learner that has not taken a step.
    pub fn new(network: FloatNetwork, processor: Processor) -> Self {
        let optimiser = OptimiserState::new(&network);
        Self { network, optimiser, processor }
    }

    /// A learner that goes on from an earlier state; `None` when the state is of another network.
    pub fn resume(network: FloatNetwork, optimiser: OptimiserState, processor: Processor) -> Option<Self> {
        optimiser.fits(&network).then_some(Self { network, optimiser, processor })
    }

    /// One step on a batch; its mean loss, before the step.
    pub fn step(&mut self, batch: &Arc<SparseBatch>, objective: Objective, dropout: Dropout, size: StepSize) -> f32 {
        let (loss, gradients) = self.loss_and_gradients(batch, objective, dropout);
        // A loss that is no number would ruin the weights; they stay as they were, and the caller sees the loss.
        if loss.is_finite() {
            self.apply(&gradients, size);
        }
        loss
    }

    /// The mean loss over a batch and its gradients, layer by layer.
    pub fn loss_and_gradients(
        &self,
        batch: &Arc<SparseBatch>,
        objective: Objective,
        dropout: Dropout,
    ) -> (f32, Vec<LayerGradient>) {
        let device = self.processor.device.clone().autodiff();
        let layers: Vec<LayerTensors> = layer_tensors(&self.network, &device).map(LayerTensors::tracked).collect();
        let outputs = outputs(&self.network, &self.processor, &layers, batch, dropout, &device);
        let targets = TensorData::new(batch.targets().to_vec(), [batch.len()]);
        let loss = objective.loss(outputs, Tensor::from_data(targets, &device));
        let mut found = loss.backward();
        let gradients = layers
            .into_iter()
            .map(|layer| LayerGradient {
                weights: gradient(&layer.weights, &mut found),
                bias: gradient(&layer.bias, &mut found),
            })
            .collect();
        (loss.into_scalar(), gradients)
    }

    /// Moves the weights along their gradients.
    fn apply(&mut self, gradients: &[LayerGradient], size: StepSize) {
        self.optimiser.steps += 1;
        let step = self.optimiser.steps;
        let method = AdamW::default();
        let layers = self.network.layers.iter_mut().zip(&mut self.optimiser.layers).zip(gradients);
        for (index, ((layer, moments), gradient)) in layers.enumerate() {
            let limit = weight_limit(&self.network.architecture, index);
            let update = Update { step, rate: size.rate, decay: size.decay, limit };
            match self.optimiser.shared.as_mut().filter(|_| index == 0) {
                Some(shared) => {
                    shared.update(method, &mut layer.weights, &gradient.weights, &mut moments.weights, update);
                }
                None => method.update(&mut layer.weights, &gradient.weights, &mut moments.weights, update),
            }
            let limit = bias_limit(&self.network.architecture, index);
            let update = Update { decay: 0.0, limit, ..update };
            method.update(&mut layer.bias, &gradient.bias, &mut moments.bias, update);
        }
    }
}

/// A tensor's gradient, zeros where the loss does not depend on it.
fn gradient<const D: usize>(tensor: &Tensor<D>, found: &mut Gradients) -> Vec<f32> {
    match tensor.grad_remove(found) {
        Some(gradient) => values(gradient),
        None => vec![0.0; tensor.shape().num_elements()],
    }
}
