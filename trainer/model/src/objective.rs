//! Training targets and loss functions.
//!
//! Independent of layers. A dual-perspective network evaluates from the side to move's point of view, so targets are
//! negated when Black is to move.

use alfiere_chess::types::Color;
use alfiere_data::metrics::CLIP_CENTIPAWNS;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::burn::tensor::{Tensor, activation};

/// Centipawns per unit of clipped centipawns, `clamp(centipawns / 1000, -1, 1)`. Metrics are reported in this space, so
/// it is independent of the loss.
pub const CLIP_SCALE: f32 = CLIP_CENTIPAWNS as f32;

/// The label of a position, from White's point of view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LabelValue {
    pub score: Score,
    /// White's points in the game, 0 to 1, if known.
    pub result: Option<f32>,
}

/// An evaluation from White's point of view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(f32),
    /// A forced mate by this side.
    Mate(Color),
}

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
    pub fn target(self, label: LabelValue, view: Color, result_share: f32) -> f32 {
        let white = |score: Score, bounded: fn(f32) -> f32, scale: f32| match score {
            Score::Centipawns(centipawns) => bounded(centipawns / scale),
            Score::Mate(Color::White) => bounded(f32::INFINITY),
            Score::Mate(Color::Black) => bounded(f32::NEG_INFINITY),
        };
        // From White's point of view, in [-1, 1].
        let score = match self {
            Self::ClippedCentipawns => white(label.score, |x| x.clamp(-1.0, 1.0), CLIP_SCALE),
            Self::Tanh { scale } => white(label.score, f32::tanh, scale),
            Self::Sigmoid { scale, .. } => white(label.score, |x| 2.0 * sigmoid(x) - 1.0, scale),
        };
        let blended = match label.result {
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

    fn label(score: Score, result: Option<f32>) -> LabelValue {
        LabelValue { score, result }
    }

    #[test]
    fn clipped_centipawn_targets_are_clipped_and_negated_for_black() {
        let target = |score, view| Objective::ClippedCentipawns.target(label(score, None), view, 0.5);
        assert_eq!(target(Score::Centipawns(250.0), Color::White), 0.25);
        assert_eq!(target(Score::Centipawns(250.0), Color::Black), -0.25);
        assert_eq!(target(Score::Centipawns(-1700.0), Color::White), -1.0);
        assert_eq!(target(Score::Mate(Color::Black), Color::White), -1.0);
        assert_eq!(target(Score::Mate(Color::Black), Color::Black), 1.0);
    }

    #[test]
    fn sigmoid_targets_are_win_probabilities() {
        let objective = Objective::Sigmoid { scale: 200.0, power: 2.5 };
        let target = |score, result, view, share| objective.target(label(score, result), view, share);
        let expected = 1.0 / (1.0 + (-1.0f32).exp());
        assert!((target(Score::Centipawns(200.0), None, Color::White, 0.7) - expected).abs() < 1e-6);
        assert!((target(Score::Centipawns(200.0), None, Color::Black, 0.7) - (1.0 - expected)).abs() < 1e-6);
        assert_eq!(target(Score::Mate(Color::White), None, Color::White, 0.0), 1.0);
        let blended = target(Score::Centipawns(0.0), Some(1.0), Color::White, 0.25);
        assert!((blended - 0.625).abs() < 1e-6, "{blended}");
    }

    #[test]
    fn parameters_out_of_range_are_rejected() {
        assert!(Objective::Sigmoid { scale: 400.0, power: 2.5 }.validate().is_ok());
        assert_eq!(Objective::Sigmoid { scale: 400.0, power: 9.0 }.validate(), Err(ObjectiveError::Power(9.0)));
        assert!(Objective::Tanh { scale: f32::NAN }.validate().is_err());
    }
}
