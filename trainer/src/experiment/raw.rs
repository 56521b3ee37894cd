//! The raw form of a sweep file: the `[run]` table, with the names of the command-line options.

use alfiere_data::{Captures, SplitBy};
use alfiere_model::Compute;
use alfiere_model::{Objective, UpdateRule};
use alfiere_nnue::{Architecture, ArchitectureError};
use alfiere_training::{ConfigError, Flips, ResultShare, Schedule, Start, TrainingConfig, TrainingOptions};
use serde::Deserialize;

use super::selection::EpochSelection;
use super::settings::{PatienceWithoutInner, RunSettings, UnknownGames};

/// One combination of values, named like their command-line options.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawRun {
    net: Architecture,
    perspective: Option<String>,
    hidden: Option<Vec<usize>>,
    activation: Option<String>,
    buckets: Option<String>,
    /// King buckets of the inputs, 0 for plain inputs.
    kings: Option<usize>,
    epochs: u32,
    batch: usize,
    lr: f32,
    schedule: ScheduleKind,
    final_lr: f32,
    gamma: f32,
    step_epochs: u32,
    warmup: u64,
    optimizer: UpdateRule,
    weight_decay: f32,
    dropout: f32,
    loss: Loss,
    scale: f32,
    power: f32,
    result_share: NumberOrText,
    patience: Option<u32>,
    select: EpochSelection,
    average: Option<f32>,
    flips: bool,
    captures: Captures,
    start: Start,
    seed: u64,
    threads: usize,
    device: Compute,
    folds: usize,
    /// `None` splits games, or positions where games are unknown.
    split: Option<SplitBy>,
    split_seed: u64,
    training_rows: Option<usize>,
    validation_rows: Option<usize>,
    extra_rows: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ScheduleKind {
    Constant,
    Cosine,
    Linear,
    Step,
}

#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Loss {
    Report,
    Tanh,
    Sigmoid,
}

/// `0.2`, or `"0:0.3"` for the first and last epoch.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged)]
enum NumberOrText {
    Number(f32),
    Text(String),
}

impl Default for RawRun {
    /// The defaults of the command line.
    fn default() -> Self {
        let training = TrainingOptions::default();
        Self {
            net: training.architecture,
            perspective: None,
            hidden: None,
            activation: None,
            buckets: None,
            kings: None,
            epochs: training.epochs,
            batch: training.batch_size,
            lr: training.learning_rate,
            schedule: ScheduleKind::Cosine,
            final_lr: 0.01,
            gamma: 0.3,
            step_epochs: 8,
            warmup: training.warmup_steps,
            optimizer: training.optimizer,
            weight_decay: training.weight_decay,
            dropout: training.dropout,
            loss: Loss::Report,
            scale: 400.0,
            power: 2.0,
            result_share: NumberOrText::Number(0.0),
            patience: training.patience,
            select: EpochSelection::default(),
            average: training.average,
            flips: training.flips == Flips::Random,
            captures: training.captures,
            start: training.start,
            seed: training.seed,
            threads: training.threads,
            device: training.device,
            folds: 5,
            split: None,
            split_seed: 1,
            training_rows: None,
            validation_rows: None,
            extra_rows: None,
        }
    }
}

/// Why a combination is invalid.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub(super) enum RawError {
    /// The architecture is invalid.
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
    /// A training option is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Early stopping would depend on the validation rows.
    #[error(transparent)]
    Patience(#[from] PatienceWithoutInner),
    /// The game result share is invalid.
    #[error("result_share: {0}")]
    NumberOrText(String),
    /// A number is too small.
    #[error("{name} is {found}, expected at least {least}")]
    TooFew {
        /// Name of the setting.
        name: &'static str,
        /// Its value.
        found: usize,
        /// The smallest valid value.
        least: usize,
    },
}

impl RawRun {
    /// Validates the settings of a run.
    pub(super) fn settings(self) -> Result<RunSettings, RawError> {
        let architecture = self.architecture()?;
        let result_share = match self.result_share {
            NumberOrText::Number(share) => ResultShare::Constant(share),
            NumberOrText::Text(text) => text.parse().map_err(RawError::NumberOrText)?,
        };
        let training = TrainingOptions {
            architecture,
            epochs: self.epochs,
            batch_size: self.batch,
            learning_rate: self.lr,
            schedule: match self.schedule {
                ScheduleKind::Constant => Schedule::Constant,
                ScheduleKind::Cosine => Schedule::Cosine { final_share: self.final_lr },
                ScheduleKind::Linear => Schedule::Linear { final_share: self.final_lr },
                ScheduleKind::Step => Schedule::Step { gamma: self.gamma, every: self.step_epochs },
            },
            warmup_steps: self.warmup,
            optimizer: self.optimizer,
            weight_decay: self.weight_decay,
            dropout: self.dropout,
            average: self.average,
            objective: match self.loss {
                Loss::Report => Objective::ClippedCentipawns,
                Loss::Tanh => Objective::Tanh { scale: self.scale },
                Loss::Sigmoid => Objective::Sigmoid { scale: self.scale, power: self.power },
            },
            result_share,
            seed: self.seed,
            threads: self.threads,
            device: self.device,
            patience: self.patience,
            flips: if self.flips { Flips::Random } else { Flips::Never },
            captures: self.captures,
            start: self.start,
        };
        let training = TrainingConfig::new(training)?.options().clone();
        let least = [
            ("folds", Some(self.folds), 2),
            ("training_rows", self.training_rows, 1),
            ("validation_rows", self.validation_rows, 1),
        ];
        for (name, found, least) in least {
            if let Some(found) = found.filter(|&found| found < least) {
                return Err(RawError::TooFew { name, found, least });
            }
        }
        let settings = RunSettings {
            training,
            selection: self.select,
            folds: self.folds,
            split: self.split.unwrap_or_default(),
            unknown_games: if self.split.is_some() { UnknownGames::Refused } else { UnknownGames::Positions },
            split_seed: self.split_seed,
            training_rows: self.training_rows,
            validation_rows: self.validation_rows,
            extra_rows: self.extra_rows,
        };
        settings.check()?;
        Ok(settings)
    }

    /// The architecture `net` with the separately named parts replaced.
    fn architecture(&self) -> Result<Architecture, ArchitectureError> {
        let hidden = self.hidden.as_ref();
        let hidden =
            hidden.map(|widths| format!("[{}]", widths.iter().map(usize::to_string).collect::<Vec<_>>().join(",")));
        // The text form starts with "perspective [hidden] activation buckets", with hidden widths without spaces.
        let mut parts: Vec<String> = self.net.to_string().split(' ').map(str::to_owned).collect();
        for (part, given) in parts.iter_mut().zip([&self.perspective, &hidden, &self.activation, &self.buckets]) {
            if let Some(given) = given {
                part.clone_from(given);
            }
        }
        if let Some(buckets) = self.kings {
            parts.retain(|part| !part.starts_with("kings="));
            parts.extend((buckets > 0).then(|| format!("kings={buckets}")));
        }
        parts.join(" ").parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separately_named_parts_replace_those_of_net() {
        let architecture_of = |text: &str| {
            let run: RawRun = serde_json::from_str(text).expect("known names");
            run.architecture().map(|architecture| architecture.to_string()).map_err(|error| error.to_string())
        };
        let net = |rest: &str| architecture_of(&format!(r#"{{"net": "dual [512] x8 kings=4"{rest}}}"#));
        assert_eq!(net(""), Ok("dual [512] crelu x8 kings=4".to_owned()));
        assert_eq!(net(r#", "kings": 8, "hidden": [64, 8]"#), Ok("dual [64,8] crelu x8 kings=8".to_owned()));
        assert_eq!(net(r#", "kings": 0, "buckets": "x1""#), Ok("dual [512] crelu x1".to_owned()));
        let stacked =
            |rest: &str| architecture_of(&format!(r#"{{"net": "dual [512,16] pairwise kings=4 x8 stacks"{rest}}}"#));
        assert_eq!(stacked(""), Ok("dual [512,16] crelu x8 stacks pairwise kings=4".to_owned()));
        assert_eq!(
            stacked(r#", "kings": 0, "hidden": [64, 8]"#),
            Ok("dual [64,8] crelu x8 stacks pairwise".to_owned())
        );
        assert!(net(r#", "perspective": "white""#).expect_err("one view").contains("need the perspective `dual`"));
    }
}
