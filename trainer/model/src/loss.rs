//! Loss functions in burn operations, over a batch.

use burn::tensor::{Tensor, activation};

use super::objective::Objective;

impl Objective {
    /// The mean loss over a batch, in burn operations.
    pub(crate) fn loss(self, outputs: Tensor<1>, targets: Tensor<1>) -> Tensor<1> {
        match self {
            Self::ClippedCentipawns => (outputs - targets).square().mean(),
            Self::Tanh { .. } => (outputs.tanh() - targets).square().mean(),
            Self::Sigmoid { power, .. } => {
                let error = activation::sigmoid(outputs) - targets;
                if (power - 2.0).abs() < f32::EPSILON {
                    error.square().mean()
                } else {
                    error.abs().powf_scalar(power).mean()
                }
            }
        }
    }
}
