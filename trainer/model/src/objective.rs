//! Training targets and loss functions.
//!
//! Independent of layers. A dual-perspective network evaluates from the side to move's point of view, so targets are
//! negated when Black is to move.

use alfiere_chess::types::Color;
use alfiere_data::metrics::CLIP_CENTIPAWNS;
use alfiere_data::{Label, RowResult};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::burn::tensor::{Tensor, activation};

/// Centipawns per unit of clipped centipawns, `clamp(centipawns / 1000, -1, 1)`. Metrics are reported in this space, so
/// it is independent of the loss.
pub const CLIP_SCALE: f32 = CLIP_CENTIPAWNS as f32;

/// The loss function and its target space.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", deny_unknown_fields)]
pub enum Objective {
    /// Clipped centipawns: the target is `clamp(centipawns / 1000, -1, 1)`, mates are ±1, the loss is the squared
    /// error.
    #[serde(rename = "report")]
    ClippedCentipawns,
    /// Squared error of `tanh(output)` against `tanh(centipawns / scale)`.
    Tanh {
        /// Centipawns per unit of output.
        scale: f32,
    },
    /// `|sigmoid(output) - p|^power`, where p is `sigmoid(centipawns / scale)`, interpolated with the game result.
    Sigmoid {
        /// Centipawns per unit of output.
        scale: f32,
        /// Exponent of the error, typically 2 to 2.6.
        power: f32,
    },
}

/// Why an objective is invalid.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
pub enum ObjectiveError {
    #[error("loss scale {0}, expected 1 to 10000 centipawns")]
    Scale(f32),
    #[error("loss power {0}, expected 1.5 to 4")]
    Power(f32),
}

impl Objective {
    /// Checks the parameters.
    ///
    /// # Errors
    /// If a parameter is out of range.
    pub fn validate(self) -> Result<(), ObjectiveError> {
        if let Self::Tanh { scale } | Self::Sigmoid { scale, .. } = self
            && !(1.0..=10_000.0).contains(&scale)
        {
            return Err(ObjectiveError::Scale(scale));
        }
        match self {
            Self::Sigmoid { power, .. } if !(1.5..=4.0).contains(&power) => Err(ObjectiveError::Power(power)),
            _ => Ok(()),
        }
    }

    /// Centipawns per unit of network output.
    pub const fn output_scale(self) -> f32 {
        match self {
            Self::ClippedCentipawns => CLIP_SCALE,
            Self::Tanh { scale } | Self::Sigmoid { scale, .. } => scale,
        }
    }

    /// The target for a label from `view`'s point of view, after the objective's activation. `result_share` is the
    /// weight of the game result, if known.
    pub fn target(self, label: Label, result: RowResult, view: Color, result_share: f32) -> f32 {
        let white = |bounded: fn(f32) -> f32, scale: f32| match label {
            Label::Centipawns(centipawns) => bounded(f32::from(centipawns) / scale),
            Label::Mate { winner: Color::White, .. } => bounded(f32::INFINITY),
            Label::Mate { winner: Color::Black, .. } => bounded(f32::NEG_INFINITY),
        };
        // From White's point of view, in [-1, 1].
        let score = match self {
            Self::ClippedCentipawns => white(|x| x.clamp(-1.0, 1.0), CLIP_SCALE),
            Self::Tanh { scale } => white(f32::tanh, scale),
            Self::Sigmoid { scale, .. } => white(|x| 2.0 * sigmoid(x) - 1.0, scale),
        };
        let blended = match result.points() {
            Some(points) => score + result_share * (2.0 * points - 1.0 - score),
            None => score,
        };
        let seen = if view == Color::White { blended } else { -blended };
        match self {
            Self::ClippedCentipawns | Self::Tanh { .. } => seen,
            Self::Sigmoid { .. } => f32::midpoint(seen, 1.0),
        }
    }

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

    pub fn loss_of(self, output: f32, target: f32) -> f32 {
        match self {
            Self::ClippedCentipawns => (output - target).powi(2),
            Self::Tanh { .. } => (output.tanh() - target).powi(2),
            Self::Sigmoid { power, .. } => (sigmoid(output) - target).abs().powf(power),
        }
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // The compared targets are exact.
mod tests {
    use super::*;

    const fn mate(winner: Color) -> Label {
        Label::Mate { winner, distance: 3 }
    }

    #[test]
    fn clipped_centipawn_targets_are_clipped_and_negated_for_black() {
        let target = |label, view| Objective::ClippedCentipawns.target(label, RowResult::Unknown, view, 0.5);
        assert_eq!(target(Label::Centipawns(250), Color::White), 0.25);
        assert_eq!(target(Label::Centipawns(250), Color::Black), -0.25);
        assert_eq!(target(Label::Centipawns(-1700), Color::White), -1.0);
        assert_eq!(target(mate(Color::Black), Color::White), -1.0);
        assert_eq!(target(mate(Color::Black), Color::Black), 1.0);
    }

    #[test]
    fn sigmoid_targets_are_win_probabilities() {
        let objective = Objective::Sigmoid { scale: 200.0, power: 2.5 };
        let target = |label, view| objective.target(label, RowResult::Unknown, view, 0.7);
        let expected = 1.0 / (1.0 + (-1.0f32).exp());
        assert!((target(Label::Centipawns(200), Color::White) - expected).abs() < 1e-6);
        assert!((target(Label::Centipawns(200), Color::Black) - (1.0 - expected)).abs() < 1e-6);
        assert_eq!(target(mate(Color::White), Color::White), 1.0);
        let blended = objective.target(Label::Centipawns(0), RowResult::WhiteWins, Color::White, 0.25);
        assert!((blended - 0.625).abs() < 1e-6, "{blended}");
    }

    #[test]
    fn parameters_out_of_range_are_rejected() {
        assert!(Objective::Sigmoid { scale: 400.0, power: 2.5 }.validate().is_ok());
        assert_eq!(Objective::Sigmoid { scale: 400.0, power: 9.0 }.validate(), Err(ObjectiveError::Power(9.0)));
        assert!(Objective::Tanh { scale: f32::NAN }.validate().is_err());
    }
}
