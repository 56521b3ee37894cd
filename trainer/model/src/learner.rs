//! A network under training: its weights, the optimiser state and one training step.
//!
//! The weights are the engine's [`FloatNetwork`], so what is trained is what is exported. Independent of epochs,
//! schedules and files.

use std::sync::Arc;

use alfiere_nnue::quantisation::{bias_limit, weight_limit};

use super::assembly::{columns, forward_pass};
use super::batch::SparseBatch;
use super::device::{DeviceBatch, Resident};
use super::hints::Hints;
use super::kernels::weight_gradient::{GradientLayout, WeightGradient};
use super::layers::{Accumulator, Dropout, LayerTensors, lend_layers, restore, values};
use super::learner_state::{LearnerState, OptimiserState, StepLoss, StepSize};
use super::objective::Objective;
use super::optimiser::{AverageWeights, SlowWeights, UpdateRule};
use super::processor::{Batch, Processor};
use crate::burn::tensor::{Gradients, Tensor, TensorData};
use crate::float::FloatNetwork;

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

/// A network and its optimiser, on the cores or on a graphics card.
#[derive(Debug)]
pub struct Learner {
    /// Stale while `resident` holds the state.
    state: LearnerState,
    /// The state on a card, from the first step there until [`Self::state`].
    resident: Option<Resident>,
    rule: UpdateRule,
    /// Decay of the moving average in a step.
    average_decay: f32,
    /// Additional targets, on the cores; batches on a card bring their own.
    hints: Option<Hints>,
    processor: Processor,
}

impl Learner {
    /// A learner before its first step.
    pub fn new(network: FloatNetwork, processor: Processor) -> Self {
        let network = clipped(network);
        let optimiser = OptimiserState::new(&network);
        let state = LearnerState { network, optimiser, average: None };
        Self { state, resident: None, rule: UpdateRule::default(), average_decay: 0.0, hints: None, processor }
    }

    /// Resumes from an earlier state; `None` if the state is of a different network.
    pub fn resume(mut state: LearnerState, processor: Processor) -> Option<Self> {
        state.optimiser.fits(&state.network).then(|| {
            state.network = clipped(state.network);
            Self { state, resident: None, rule: UpdateRule::default(), average_decay: 0.0, hints: None, processor }
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

    /// The same learner with additional targets. On a card, batches bring theirs, see [`Processor::prepare`].
    pub fn with_hints(mut self, hints: Option<Hints>) -> Self {
        self.hints = hints;
        self
    }

    /// Where steps are computed.
    pub fn processor(&self) -> &Processor {
        &self.processor
    }

    /// The current state, read back from the card if it is there. Call [`Self::read_losses`] before: losses of steps that have
    /// not been given are lost.
    pub fn state(&mut self) -> &LearnerState {
        if let Some(resident) = self.resident.take() {
            resident.fetch(&mut self.state);
        }
        &self.state
    }

    /// Consumes the learner and returns its current state.
    pub fn into_state(mut self) -> LearnerState {
        self.state();
        self.state
    }

    /// Takes one step on a batch. Returns its loss, or on a card, which computes on, those of many steps at once. A loss that
    /// is not finite would ruin the weights: they stay unchanged, and the caller sees the loss.
    ///
    /// # Panics
    /// If the batch is of another processor, or a graphics card fails.
    pub fn step(&mut self, batch: &Batch, objective: Objective, dropout: Dropout, size: StepSize) -> Vec<StepLoss> {
        match batch {
            Batch::Sparse(batch) => {
                let mean = self.sparse_step(batch, objective, dropout, size);
                vec![StepLoss { mean, positions: batch.len() }]
            }
            Batch::Device(batch) => self.card_step(&batch.0, objective, dropout, size),
        }
    }

    /// Waits for all steps; the losses that have not been given yet.
    pub fn read_losses(&mut self) -> Vec<StepLoss> {
        self.resident.as_mut().map_or_else(Vec::new, Resident::read_losses)
    }

    fn card_step(
        &mut self,
        batch: &DeviceBatch,
        objective: Objective,
        dropout: Dropout,
        size: StepSize,
    ) -> Vec<StepLoss> {
        let Some(card) = &self.processor.card else { panic!("a batch on a card, expected one on the cores") };
        let resident = self.resident.get_or_insert_with(|| Resident::new(&self.state, card));
        resident.step(batch, objective, dropout, size, self.rule, self.average_decay)
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
            self.processor.pool.give(gradient.weights);
        }
        loss
    }

    /// The mean loss of a batch, without that of hints, and the gradients of both, layer by layer. The weights are the same
    /// afterwards: they are lent to the tensors.
    pub(super) fn loss_and_gradients(
        &mut self,
        batch: &Arc<SparseBatch>,
        objective: Objective,
        dropout: Dropout,
    ) -> (f32, Vec<LayerGradient>) {
        let device = self.processor.device.clone().autodiff();
        let network = &mut self.state.network;
        let accumulator = Accumulator::of(&network.architecture, dropout);
        let layers = lend_layers(network, accumulator, &device);
        let layers: Vec<LayerTensors> = layers.into_iter().map(LayerTensors::tracked).collect();
        let architecture = &network.architecture;
        let forward = forward_pass(architecture, accumulator, &self.processor.pool, &layers, batch, dropout, &device);
        let targets = TensorData::new(batch.targets().to_vec(), [batch.len()]);
        let loss = objective.loss(forward.outputs, Tensor::from_data(targets, &device));
        let hints = self.hints.as_ref().zip(forward.second);
        let hint_loss = hints.map(|(hints, rows)| {
            let targets = hints.targets(batch);
            let shape = [batch.len(), targets.len() / batch.len()];
            hints.loss(rows, Tensor::from_data(TensorData::new(targets, shape), &device))
        });
        let total = match hint_loss {
            Some(hint_loss) => loss.clone() + hint_loss,
            None => loss.clone(),
        };
        let mut found = total.backward();
        let gradients = layers
            .iter()
            .enumerate()
            .map(|(index, layer)| LayerGradient {
                weights: gradient(&layer.weights, &mut found),
                bias: gradient(&layer.bias, &mut found),
                layout: match accumulator {
                    Accumulator::Integers if index == 0 => {
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
        let (step, rule) = (optimiser.steps, self.rule);
        let layers = network.layers.iter_mut().zip(&mut optimiser.layers).zip(gradients);
        for (index, ((layer, moments), gradient)) in layers.enumerate() {
            let [update, bias_update] = size.updates(&network.architecture, index, step);
            let (weights, bias) = layer.as_slices_mut();
            match optimiser.shared.as_mut().filter(|_| index == 0) {
                Some(shared) => shared.update(rule, weights, gradient.weights(), &mut moments.weights, update),
                None => rule.update(weights, gradient.weights(), &mut moments.weights, update),
            }
            rule.update(bias, WeightGradient::rows(&gradient.bias), &mut moments.bias, bias_update);
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
