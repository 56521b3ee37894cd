//! What a training step takes and changes: weights, the optimiser's state, the moving average.

use alfiere_nnue::Architecture;
use alfiere_nnue::quantisation::{bias_limit, weight_limit};
use serde::{Deserialize, Serialize};

use super::optimiser::{AverageWeights, Moments, SharedRows, SlowWeights, Update};
use crate::float::{FloatLayer, FloatNetwork};

/// Learning rate and weight decay of one step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StepSize {
    pub rate: f32,
    /// Weight decay, not applied to biases.
    pub decay: f32,
}

impl StepSize {
    /// The updates of a layer's weights and of its biases at this step of the optimiser, counted from 1.
    pub(super) fn updates(self, architecture: &Architecture, layer: usize, step: u64) -> [Update; 2] {
        let Self { rate, decay } = self;
        [
            Update { step, rate, decay, limit: weight_limit(architecture, layer) },
            Update { step, rate, decay: 0.0, limit: bias_limit(architecture, layer) },
        ]
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct LayerMoments {
    pub(super) weights: Moments,
    pub(super) bias: Moments,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OptimiserState {
    pub steps: u64,
    pub(super) layers: Vec<LayerMoments>,
    /// The factoriser's shared rows and their moments; a checkpoint stores them separately.
    #[serde(skip)]
    pub shared: Option<SharedRows>,
    /// The slow weights of [`UpdateRule::Ranger`](super::UpdateRule::Ranger); a checkpoint stores them separately.
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
    pub optimiser: OptimiserState,
    /// The moving average of the weights, if there is one.
    pub average: Option<AverageWeights>,
}

impl LearnerState {
    /// The weights that are validated and exported: the average, if there is one.
    pub fn weights(&self) -> &FloatNetwork {
        self.average.as_ref().map_or(&self.network, |average| &average.network)
    }

    /// The same weights, by value.
    pub fn into_weights(self) -> FloatNetwork {
        self.average.map_or(self.network, |average| average.network)
    }
}

/// The loss of a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StepLoss {
    /// Mean over the batch, before the step and without that of hints.
    pub mean: f32,
    pub positions: usize,
}
