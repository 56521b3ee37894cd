//! A network under training: its weights, the optimiser state and one training step.
//!
//! The weights are the engine's [`FloatNetwork`], so what is trained is what is exported. Independent of epochs,
//! schedules and files.

use std::sync::Arc;

use alfiere_nnue::quantisation::{bias_limit, weight_limit};
use alfiere_nnue::{FloatLayer, FloatNetwork};
use burn::tensor::{Gradients, Tensor, TensorData};
use serde::{Deserialize, Serialize};

use super::assembly::{columns, outputs};
use super::average::AverageWeights;
use super::batch::SparseBatch;
use super::layers::{Accumulator, Dropout, LayerTensors, lend_layers, restore, values};
use super::objective::Objective;
use super::optimiser::{Moments, Optimiser, Update};
use super::processor::{Batch, Processor};
use super::resident::Resident;
use super::shared_rows::SharedRows;
use super::slow_weights::SlowWeights;
use super::update_rule::UpdateRule;
use super::weight_gradient::{GradientLayout, WeightGradient};

/// Gradients of one layer.
#[derive(Debug)]
pub(super) struct LayerGradient {
    weights: Vec<f32>,
    layout: GradientLayout,
    /// `[outputs]`
    pub(super) bias: Vec<f32>,
}

impl LayerGradient {
    /// The gradient of the weights `[inputs][outputs]`.
    pub(super) fn weights(&self) -> WeightGradient<'_> {
        WeightGradient::new(&self.weights, self.layout)
    }
}

/// Learning rate and weight decay of one step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StepSize {
    /// Learning rate.
    pub rate: f32,
    /// Weight decay, not applied to biases.
    pub decay: f32,
}

/// Optimiser state of one layer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct LayerMoments {
    pub(super) weights: Moments,
    pub(super) bias: Moments,
}

/// The optimiser's state for all layers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OptimiserState {
    /// Number of steps taken.
    pub steps: u64,
    pub(super) layers: Vec<LayerMoments>,
    /// The factoriser's shared rows and their moments; a checkpoint stores them separately.
    #[serde(skip)]
    pub shared: Option<SharedRows>,
    /// The slow weights of [`UpdateRule::Ranger`]; a checkpoint stores them separately.
    #[serde(skip)]
    pub slow: Option<SlowWeights>,
}

impl OptimiserState {
    /// The state before the first step.
    pub fn new(network: &FloatNetwork) -> Self {
        let moments = |layer: &FloatLayer| LayerMoments {
            weights: Moments::zeros(layer.weights.len()),
            bias: Moments::zeros(layer.bias.len()),
        };
        let shared = SharedRows::of(network);
        Self { steps: 0, layers: network.layers.iter().map(moments).collect(), shared, slow: None }
    }

    /// True if the state has the same shape as `network`.
    pub fn fits(&self, network: &FloatNetwork) -> bool {
        SharedRows::fit(self.shared.as_ref(), network)
            && self.slow.as_ref().is_none_or(|slow| slow.0.architecture == network.architecture)
            && self.layers.len() == network.layers.len()
            && self.layers.iter().zip(&network.layers).all(|(moments, layer)| {
                moments.weights.len() == layer.weights.len() && moments.bias.len() == layer.bias.len()
            })
    }
}

/// What training changes.
#[derive(Clone, PartialEq, Debug)]
pub struct LearnerState {
    /// The unrounded weights. A step evaluates the network with [`rounded`](super::rounded) weights and applies the
    /// resulting gradients here.
    pub network: FloatNetwork,
    /// The state of the optimiser.
    pub optimiser: OptimiserState,
    /// The moving average of the weights, if there is one.
    pub average: Option<AverageWeights>,
}

impl LearnerState {
    /// The weights that are validated and exported: the average, if there is one.
    pub fn weights(&self) -> &FloatNetwork {
        self.average.as_ref().map_or(&self.network, |average| &average.network)
    }

    /// [`Self::weights`], without the state.
    pub fn into_weights(self) -> FloatNetwork {
        self.average.map_or(self.network, |average| average.network)
    }
}

/// A network and its optimiser, on the cores or on another device.
#[derive(Clone, Debug)]
pub struct Learner {
    /// Older than `resident`, if that is there.
    state: LearnerState,
    /// The state on the processor's device, from the first step there until [`Self::state`].
    resident: Option<Resident>,
    rule: UpdateRule,
    /// Decay of the moving average in a step.
    average_decay: f32,
    processor: Processor,
}

impl Learner {
    /// A learner before its first step.
    pub fn new(network: FloatNetwork, processor: Processor) -> Self {
        let network = clipped(network);
        let optimiser = OptimiserState::new(&network);
        let state = LearnerState { network, optimiser, average: None };
        Self { state, resident: None, rule: UpdateRule::default(), average_decay: 0.0, processor }
    }

    /// Resumes from an earlier state; `None` if the state is of a different network.
    pub fn resume(mut state: LearnerState, processor: Processor) -> Option<Self> {
        state.optimiser.fits(&state.network).then(|| {
            state.network = clipped(state.network);
            Self { state, resident: None, rule: UpdateRule::default(), average_decay: 0.0, processor }
        })
    }

    /// The same learner with another update rule, before its first step.
    pub fn with_rule(mut self, rule: UpdateRule) -> Self {
        self.rule = rule;
        if rule == UpdateRule::Ranger {
            let network = &self.state.network;
            self.state.optimiser.slow.get_or_insert_with(|| SlowWeights(network.clone()));
        }
        self
    }

    /// The same learner with a moving average of its weights, before its first step; `decay` is the share of the earlier
    /// average after a step.
    pub fn with_average(mut self, decay: f32) -> Self {
        self.average_decay = decay;
        let network = &self.state.network;
        self.state.average.get_or_insert_with(|| AverageWeights::new(network.clone()));
        self
    }

    /// Where steps are computed.
    pub fn processor(&self) -> &Processor {
        &self.processor
    }

    /// The current state; it comes back from the device for this.
    pub fn state(&mut self) -> &LearnerState {
        if let Some(resident) = self.resident.take() {
            resident.fetch(&mut self.state);
        }
        &self.state
    }

    /// [`Self::state`], without the learner.
    pub fn into_state(mut self) -> LearnerState {
        self.state();
        self.state
    }

    /// Takes one step on a batch; returns its mean loss before the step. A loss that is not finite would ruin the weights:
    /// they stay unchanged, and the caller sees the loss.
    pub fn step(&mut self, batch: &Batch, objective: Objective, dropout: Dropout, size: StepSize) -> f32 {
        match batch {
            Batch::Sparse(batch) => self.sparse_step(batch, objective, dropout, size),
            Batch::Device(batch) => {
                let method = Optimiser::new(self.rule);
                let resident = self.resident.get_or_insert_with(|| Resident::new(&self.state, &self.processor.device));
                resident.step(batch, objective, dropout, size, method, self.average_decay)
            }
        }
    }

    fn sparse_step(&mut self, batch: &Arc<SparseBatch>, objective: Objective, dropout: Dropout, size: StepSize) -> f32 {
        let (loss, gradients) = self.loss_and_gradients(batch, objective, dropout);
        if loss.is_finite() {
            self.apply(&gradients, size);
            if let Some(average) = &mut self.state.average {
                average.take(&self.state.network, self.average_decay);
            }
        }
        for gradient in gradients {
            self.processor.recycle(gradient.weights);
        }
        loss
    }

    /// The mean loss of a batch and its gradients, layer by layer. The weights are the same afterwards: they are lent
    /// to the tensors.
    pub(super) fn loss_and_gradients(
        &mut self,
        batch: &Arc<SparseBatch>,
        objective: Objective,
        dropout: Dropout,
    ) -> (f32, Vec<LayerGradient>) {
        let device = self.processor.device.clone().autodiff();
        let network = &mut self.state.network;
        let accumulator = Accumulator::of(&network.architecture, &self.processor, dropout);
        let layers = lend_layers(network, accumulator, &device);
        let layers: Vec<LayerTensors> = layers.into_iter().map(LayerTensors::tracked).collect();
        let architecture = &network.architecture;
        let outputs = outputs(architecture, accumulator, &self.processor, &layers, batch, dropout, &device);
        let targets = TensorData::new(batch.targets().to_vec(), [batch.len()]);
        let loss = objective.loss(outputs, Tensor::from_data(targets, &device));
        let mut found = loss.backward();
        let gradients = layers
            .iter()
            .enumerate()
            .map(|(index, layer)| LayerGradient {
                weights: gradient(&layer.weights, &mut found),
                bias: gradient(&layer.bias, &mut found),
                layout: match accumulator {
                    Accumulator::Bytes if index == 0 => {
                        GradientLayout::Blocks { width: architecture.hidden[0], columns: columns(architecture) }
                    }
                    _ => GradientLayout::Rows,
                },
            })
            .collect();
        restore(network, accumulator, layers);
        (loss.into_scalar(), gradients)
    }

    /// Applies the gradients to the weights.
    fn apply(&mut self, gradients: &[LayerGradient], size: StepSize) {
        let LearnerState { network, optimiser, .. } = &mut self.state;
        optimiser.steps += 1;
        let step = optimiser.steps;
        let method = Optimiser::new(self.rule);
        let layers = network.layers.iter_mut().zip(&mut optimiser.layers).zip(gradients);
        for (index, ((layer, moments), gradient)) in layers.enumerate() {
            let limit = weight_limit(&network.architecture, index);
            let update = Update { step, rate: size.rate, decay: size.decay, limit };
            let (weights, bias) = layer.as_slices_mut();
            match optimiser.shared.as_mut().filter(|_| index == 0) {
                Some(shared) => shared.update(method, weights, gradient.weights(), &mut moments.weights, update),
                None => method.update(weights, gradient.weights(), &mut moments.weights, update),
            }
            let limit = bias_limit(&network.architecture, index);
            let update = Update { decay: 0.0, limit, ..update };
            method.update(bias, WeightGradient::rows(&gradient.bias), &mut moments.bias, update);
        }
        if let Some(slow) = &mut optimiser.slow {
            slow.after_step(step, network);
        }
    }
}

/// Clips the weights as every step does: the kernels rely on these limits.
fn clipped(mut network: FloatNetwork) -> FloatNetwork {
    let FloatNetwork { architecture, layers } = &mut network;
    for (index, layer) in layers.iter_mut().enumerate() {
        let (weights, bias) = (weight_limit(architecture, index), bias_limit(architecture, index));
        layer.weights.mapv_inplace(|weight| weight.clamp(-weights, weights));
        layer.bias.mapv_inplace(|value| value.clamp(-bias, bias));
    }
    network
}

/// A tensor's gradient; zeros if the loss does not depend on the tensor.
fn gradient<const D: usize>(tensor: &Tensor<D>, found: &mut Gradients) -> Vec<f32> {
    match tensor.grad_remove(found) {
        Some(gradient) => values(gradient),
        None => vec![0.0; tensor.shape().num_elements()],
    }
}
