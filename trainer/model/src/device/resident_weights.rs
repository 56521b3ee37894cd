//! Weights and their moments on a device, and the update rules in burn operations.

use burn::tensor::{Device, Tensor, TensorData};

use crate::layers::values;
use crate::optimiser::{Moments, StepConstants, UpdateRule};

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
        let gradient = match constants.rule {
            UpdateRule::Adam => gradient + self.values.clone() * constants.decay,
            UpdateRule::AdamW | UpdateRule::Sgd | UpdateRule::Ranger => gradient,
        };
        self.mean = self.mean.clone() + (gradient.clone() - self.mean.clone()) * (1.0 - constants.beta1);
        let mut change = self.mean.clone() * constants.rate;
        if matches!(constants.rule, UpdateRule::AdamW | UpdateRule::Adam) {
            self.square = self.square.clone() + (gradient.square() - self.square.clone()) * (1.0 - constants.beta2);
            change = change / (self.square.clone().sqrt() * constants.scale + constants.epsilon);
        }
        self.values = self.values.clone() * constants.keep - change;
    }
}
