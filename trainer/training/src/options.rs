//! Options of a training run and their validation.
//!
//! [`TrainingOptions`] is the raw form filled from the command line or a file; [`TrainingConfig`] is the validated
//! form, which a run requires.

use alfiere_data::Captures;
use alfiere_model::{Compute, Objective, ObjectiveError, UpdateRule};
use alfiere_nnue::{Activation, Architecture, ArchitectureError, Inputs, OutputBuckets, Perspective};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::schedule::{ResultShare, Schedule};
use super::start::Start;

/// Whether positions without castling rights are mirrored horizontally.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flips {
    Never,
    /// Half of them, chosen at random in each epoch.
    #[default]
    Random,
}

/// Whether a network has an input for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideToMove {
    #[default]
    Input,
    /// Its weights stay 0. Only for networks of two views, which tell the side to move by their order.
    NoInput,
}

impl SideToMove {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Everything that determines a training run except the data. Not validated.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrainingOptions {
    pub architecture: Architecture,
    pub epochs: u32,
    /// Positions per step.
    pub batch_size: usize,
    pub learning_rate: f32,
    pub schedule: Schedule,
    /// Steps over which the learning rate rises linearly from 0 to its peak.
    pub warmup_steps: u64,
    #[serde(skip_serializing_if = "UpdateRule::is_default")]
    pub optimizer: UpdateRule,
    pub weight_decay: f32,
    /// Dropout probability of the hidden neurons.
    pub dropout: f32,
    /// Decay of the moving average of the weights that is validated and exported; `None`: the weights themselves are
    /// used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average: Option<f32>,
    pub objective: Objective,
    /// Weight of the game result in the target, for rows that have one.
    pub result_share: ResultShare,
    /// Seed of the initial weights, row order, flips and dropout.
    pub seed: u64,
    /// Number of threads; 0 for one per core. It does not change the result.
    pub threads: usize,
    /// The device that computes the steps. Rounding differs between devices, so results do too.
    #[serde(skip_serializing_if = "Compute::is_cpu")]
    pub device: Compute,
    /// Stop after this number of epochs without a lower loss on the rows that select the epoch; `None`: never.
    pub patience: Option<u32>,
    pub flips: Flips,
    #[serde(skip_serializing_if = "SideToMove::is_default")]
    pub side_to_move: SideToMove,
    /// What becomes of rows in the middle of captures.
    #[serde(default = "as_given", skip_serializing_if = "is_as_given")]
    pub captures: Captures,
    /// The weights before the first row.
    #[serde(skip_serializing_if = "Start::is_random")]
    pub start: Start,
    /// Positions with the start network's own values that are trained on beside each row, so that nothing is unlearnt.
    #[serde(skip_serializing_if = "is_zero")]
    pub rehearsal: f32,
    /// Positions of its own searches from which the network learns after the rows.
    #[serde(skip_serializing_if = "is_none")]
    pub own_searches: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
fn is_zero(value: &f32) -> bool {
    *value == 0.0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// What runs did before they could resolve captures.
const fn as_given() -> Captures {
    Captures::Keep
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
fn is_as_given(captures: &Captures) -> bool {
    *captures == Captures::Keep
}

impl Default for TrainingOptions {
    fn default() -> Self {
        Self {
            architecture: Architecture {
                perspective: Perspective::Dual,
                hidden: vec![256],
                activation: Activation::ClippedRelu,
                output_buckets: OutputBuckets::ONE,
                stacks: false,
                pairwise: false,
                skip: false,
                wide: false,
                inputs: Inputs::PLAIN,
            },
            epochs: 20,
            batch_size: 16_384,
            learning_rate: 1e-3,
            schedule: Schedule::Cosine { final_share: 0.01 },
            warmup_steps: 0,
            optimizer: UpdateRule::AdamW,
            weight_decay: 1e-2,
            dropout: 0.0,
            average: None,
            objective: Objective::ClippedCentipawns,
            result_share: ResultShare::Constant(0.0),
            seed: 1,
            threads: 0,
            device: Compute::Cpu,
            patience: None,
            flips: Flips::Random,
            side_to_move: SideToMove::Input,
            captures: Captures::Resolve,
            start: Start::Random,
            rehearsal: 0.0,
            own_searches: 0,
        }
    }
}

impl TrainingOptions {
    /// Index of the phase of the user's rows: two lessons may come before.
    pub const fn rows_phase(&self) -> u32 {
        if self.start.lesson().is_some() { 2 } else { 0 }
    }

    /// True if the loss equals the MSE in clipped centipawns, without game results: only then is it comparable with the
    /// metrics.
    pub fn loss_is_clipped_mse(&self) -> bool {
        self.objective == Objective::ClippedCentipawns && self.result_share.ends() == (0.0, 0.0)
    }
}

pub const MAX_THREADS: usize = 1024;

#[derive(Clone, PartialEq, Debug, Error)]
pub enum ConfigError {
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
    #[error(transparent)]
    Objective(#[from] ObjectiveError),
    #[error("{name} is {found}, expected {expected}")]
    Range { name: &'static str, found: String, expected: &'static str },
}

#[derive(Clone, PartialEq, Debug)]
pub struct TrainingConfig {
    options: TrainingOptions,
}

impl TrainingConfig {
    /// Validates the options.
    ///
    /// # Errors
    /// Names the first option that is out of range.
    pub fn new(options: TrainingOptions) -> Result<Self, ConfigError> {
        options.architecture.validate()?;
        options.objective.validate()?;
        let share = |value: f32| (0.0..=1.0).contains(&value);
        let positive = |value: f32| value > 0.0 && value <= 10.0;
        let (from, to) = options.result_share.ends();
        let schedule_is_sound = match options.schedule {
            Schedule::Constant => true,
            Schedule::Cosine { final_share } | Schedule::Linear { final_share } => share(final_share),
            Schedule::Step { gamma, every } => gamma > 0.0 && gamma <= 1.0 && every > 0,
        };
        let (net, dropout, has_dropout) =
            (&options.architecture, || options.dropout.to_string(), options.dropout > 0.0);
        let checks = [
            ("epochs", options.epochs.to_string(), options.epochs > 0, "at least 1"),
            ("batch size", options.batch_size.to_string(), (1..=1 << 22).contains(&options.batch_size), "1 to 4194304"),
            (
                "learning rate",
                options.learning_rate.to_string(),
                positive(options.learning_rate),
                "more than 0, at most 10",
            ),
            (
                "schedule",
                options.schedule.to_string(),
                schedule_is_sound,
                "a final share of 0 to 1, or a gamma above 0 and up to 1, applied every 1 or more epochs",
            ),
            ("weight decay", options.weight_decay.to_string(), (0.0..=10.0).contains(&options.weight_decay), "0 to 10"),
            ("dropout", dropout(), (0.0..=0.9).contains(&options.dropout), "0 to 0.9"),
            (
                "decay of the average",
                options.average.unwrap_or(0.0).to_string(),
                options.average.is_none_or(|decay| decay > 0.0 && decay < 1.0),
                "more than 0, less than 1",
            ),
            ("game result share", format!("{from} to {to}"), share(from) && share(to), "0 to 1"),
            ("rehearsal", options.rehearsal.to_string(), (0.0..=100.0).contains(&options.rehearsal), "0 to 100"),
            ("patience", options.patience.unwrap_or(1).to_string(), options.patience != Some(0), "at least 1 epoch"),
            ("threads", options.threads.to_string(), options.threads <= MAX_THREADS, "0 to 1024"),
            ("dropout", dropout(), !has_dropout || !net.hidden.is_empty(), "0 for a linear model"),
            (
                "network",
                net.to_string(),
                options.side_to_move == SideToMove::Input || net.perspective == Perspective::Dual,
                "`dual` without an input for the side to move",
            ),
            ("dropout", dropout(), !has_dropout || !net.skip, "0 for a network with `skip`"),
            (
                "network",
                net.to_string(),
                net.activation.has_integers() || (options.own_searches == 0 && options.device.is_cpu()),
                "`crelu` or `screlu` for own searches and cards",
            ),
            (
                "rehearsal",
                options.rehearsal.to_string(),
                options.rehearsal <= 0.0 || options.start.is_network(),
                "0 for a start that is no network",
            ),
        ];
        for (name, found, is_sound, expected) in checks {
            if !is_sound {
                return Err(ConfigError::Range { name, found, expected });
            }
        }
        Ok(Self { options })
    }

    pub fn options(&self) -> &TrainingOptions {
        &self.options
    }

    /// True if both configurations produce the same network: they may differ only in the number of threads.
    pub fn leads_to_same_network(&self, other: &Self) -> bool {
        let same_threads = TrainingOptions { threads: self.options.threads, ..other.options.clone() };
        self.options == same_threads
    }
}

/// Which weights of the user's rows count.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum KeptWeights {
    /// Those of the epoch with the lowest loss on the validation rows, or on the training rows without any.
    #[default]
    Best,
    /// Those after the last epoch.
    Last,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TrainingConfig;

    #[test]
    fn defaults_are_valid_and_round_trip_through_json() {
        let options = TrainingOptions::default();
        let text = serde_json::to_string(&options).expect("plain data");
        assert_eq!(serde_json::from_str::<TrainingOptions>(&text).expect("just written"), options);
        assert!(TrainingConfig::new(options).is_ok());
        let few: TrainingOptions = serde_json::from_str(r#"{"epochs": 3, "architecture": "white []"}"#).expect("valid");
        assert_eq!((few.epochs, few.batch_size), (3, 16_384));
        assert!(serde_json::from_str::<TrainingOptions>(r#"{"epoch": 3}"#).is_err());
    }

    #[test]
    fn options_out_of_range_are_named_in_the_error() {
        let message = |change: fn(&mut TrainingOptions)| {
            let mut options = TrainingOptions::default();
            change(&mut options);
            TrainingConfig::new(options).expect_err("out of range").to_string()
        };
        assert_eq!(message(|options| options.epochs = 0), "epochs is 0, expected at least 1");
        assert!(message(|options| options.learning_rate = f32::NAN).starts_with("learning rate is NaN"));
        assert!(message(|options| options.dropout = 1.0).starts_with("dropout is 1"));
        assert!(message(|options| options.patience = Some(0)).contains("patience"));
        assert!(message(|options| options.average = Some(1.0)).starts_with("decay of the average is 1"));
        assert!(message(|options| options.objective = Objective::Tanh { scale: 0.0 }).contains("scale 0"));
        assert!(message(|options| options.architecture.hidden = vec![0]).contains("0 neurons"));
        let white = message(|options| {
            options.architecture.perspective = Perspective::White;
            options.side_to_move = SideToMove::NoInput;
        });
        assert!(white.ends_with("expected `dual` without an input for the side to move"), "{white}");
        assert!(
            message(|options| options.result_share = ResultShare::Linear { from: 0.0, to: 2.0 }).contains("result")
        );
    }
}
