//! What the network learns to put out, and how far off it is.
//!
//! Owns targets and losses; knows nothing of layers. A dual network speaks for the side to move, so its targets are
//! turned around when Black moves.

use alfiere_chess::types::Color;
use burn::tensor::{Tensor, activation};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Centipawns that a value of 1 stands for in report space.
pub const REPORT_SCALE: f32 = 1000.0;

/// What a label says, from White's side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LabelValue {
    /// The score.
    pub score: Score,
    /// White's points in the game, 0 to 1, where known.
    pub result: Option<f32>,
}

/// A score from White's side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(f32),
    /// This side mates.
    Mate(Color),
}

/// What is learnt.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", deny_unknown_fields)]
pub enum Objective {
    /// Report space: the output is `clamp(centipawns / 1000, -1, 1)`, mates are ±1, the loss is the squared error.
    Report,
    /// The squared error of `tanh(output)` against `tanh(centipawns / scale)`.
    Tanh {
        /// Centipawns for each unit of output.
        scale: f32,
    },
    /// `|sigmoid(output) - p|^power`, where p is `sigmoid(centipawns / scale)`, blended with the game's result.
    Sigmoid {
        /// Centipawns for each unit of output.
        scale: f32,
        /// Exponent of the error, 2 to 2.6.
        power: f32,
    },
}

/// Why an objective is refused.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
pub enum ObjectiveError {
    /// A scale that is none.
    #[error("the loss has scale {0}, expected are 1 to 10000 centipawns")]
    Scale(f32),
    /// A power outside its range.
    #[error("the loss has power {0}, expected are 1.5 to 4")]
    Power(f32),
}

impl Objective {
    /// Checks the parameters.
    ///
    /// # Errors
    /// Names the first that is out of range.
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

    /// Centipawns for each unit of the network's output.
    pub const fn output_scale(self) -> f32 {
        match self {
            Self::Report => REPORT_SCALE,
            Self::Tanh { scale } | Self::Sigmoid { scale, .. } => scale,
        }
    }

    /// What the network should put out for a label, after the objective's own function, as `view` sees it.
    /// `result_share` of it is the game's result, where that is known.
    pub fn target(self, verdict: LabelValue, view: Color, result_share: f32) -> f32 {
        let white = |score: Score, bounded: fn(f32) -> f32, scale: f32| match score {
            Score::Centipawns(centipawns) => bounded(centipawns / scale),
            Score::Mate(Color::White) => bounded(f32::INFINITY),
            Score::Mate(Color::Black) => bounded(f32::NEG_INFINITY),
        };
        // From White's side in [-1, 1].
        let score = match self {
            Self::Report => white(verdict.score, |x| x.clamp(-1.0, 1.0), REPORT_SCALE),
            Self::Tanh { scale } => white(verdict.score, f32::tanh, scale),
            Self::Sigmoid { scale, .. } => white(verdict.score, |x| 2.0 * sigmoid(x) - 1.0, scale),
        };
        let blended = match verdict.result {
            Some(points) => score + result_share * (2.0 * points - 1.0 - score),
            None => score,
        };
        let seen = if view == Color::White { blended } else { -blended };
        match self {
            Self::Report | Self::Tanh { .. } => seen,
            Self::Sigmoid { .. } => f32::midpoint(seen, 1.0),
        }
    }

    /// The mean loss over a batch, as burn's operations.
    pub(crate) fn loss(self, outputs: Tensor<1>, targets: Tensor<1>) -> Tensor<1> {
        match self {
            Self::Report => (outputs - targets).square().mean(),
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

    /// The loss of one output.
    pub fn loss_of(self, output: f32, target: f32) -> f32 {
        match self {
            Self::Report => (output - target).powi(2),
            Self::Tanh { .. } => (output.tanh() - target).powi(2),
            Self::Sigmoid { power, .. } => (sigmoid(output) - target).abs().powf(power),
        }
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Targets are exact where the tests compare them.
mod tests {
    use super::*;

    fn verdict(score: Score, result: Option<f32>) -> LabelValue {
        LabelValue { score, result }
    }

    #[test]
    fn report_targets_are_clipped_and_turned_for_black() {
        let target = |score, view| Objective::Report.target(verdict(score, None), view, 0.5);
        assert_eq!(target(Score::Centipawns(250.0), Color::White), 0.25);
        assert_eq!(target(Score::Centipawns(250.0), Color::Black), -0.25);
        assert_eq!(target(Score::Centipawns(-1700.0), Color::White), -1.0);
        assert_eq!(target(Score::Mate(Color::Black), Color::White), -1.0);
        assert_eq!(target(Score::Mate(Color::Black), Color::Black), 1.0);
    }

    #[test]
    fn sigmoid_targets_are_chances_to_win() {
        let objective = Objective::Sigmoid { scale: 200.0, power: 2.5 };
        let target = |score, result, view, share| objective.target(verdict(score, result), view, share);
        let expected = 1.0 / (1.0 + (-1.0f32).exp());
        assert!((target(Score::Centipawns(200.0), None, Color::White, 0.7) - expected).abs() < 1e-6);
        assert!((target(Score::Centipawns(200.0), None, Color::Black, 0.7) - (1.0 - expected)).abs() < 1e-6);
        assert_eq!(target(Score::Mate(Color::White), None, Color::White, 0.0), 1.0);
        let blended = target(Score::Centipawns(0.0), Some(1.0), Color::White, 0.25);
        assert!((blended - 0.625).abs() < 1e-6, "{blended}");
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        assert!(Objective::Sigmoid { scale: 400.0, power: 2.5 }.validate().is_ok());
        assert_eq!(Objective::Sigmoid { scale: 400.0, power: 9.0 }.validate(), Err(ObjectiveError::Power(9.0)));
        assert!(Objective::Tanh { scale: f32::NAN }.validate().is_err());
    }
}
