//! The raw form of a sweep file: the `[run]` table, with the names of the command-line options.

use alfiere_data::SplitBy;
use alfiere_nnue::{Architecture, ArchitectureError};
use alfiere_training::{ConfigError, TrainingConfig, TrainingOptions};
use serde::Deserialize;
use toml::{Table, Value};

use super::choices::one_line;
use super::settings::{EpochSelection, PatienceWithoutInner, RunSettings, UnknownGames};
use crate::stated_options::StatedOptions;

/// One combination of values, named like their command-line options.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) struct RawRun {
    perspective: Option<String>,
    hidden: Option<Vec<usize>>,
    activation: Option<String>,
    buckets: Option<String>,
    /// King buckets of the inputs, 0 for plain inputs.
    kings: Option<usize>,
    #[serde(default)]
    select: EpochSelection,
    folds: Option<usize>,
    /// `None` splits games, or positions where games are unknown.
    split: Option<SplitBy>,
    split_seed: Option<u64>,
    training_rows: Option<usize>,
    validation_rows: Option<usize>,
    extra_rows: Option<usize>,
    /// The options of the training, and unknown names.
    #[serde(flatten)]
    training: Table,
}

/// Why a combination is invalid.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub(super) enum RawError {
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Patience(#[from] PatienceWithoutInner),
    #[error("{0}")]
    Option(String),
    #[error("{name} is {found}, expected at least {least}")]
    TooFew { name: &'static str, found: usize, least: usize },
}

impl RawRun {
    pub(super) fn settings(self) -> Result<RunSettings, RawError> {
        let table = Value::Table(self.training.clone());
        let stated: StatedOptions = table.try_into().map_err(|error| RawError::Option(one_line(&error)))?;
        let training = stated.options(TrainingOptions::default());
        let architecture = self.architecture(&training.architecture)?;
        let training = TrainingConfig::new(TrainingOptions { architecture, ..training })?.options().clone();
        let folds = self.folds.unwrap_or(5);
        let least = [
            ("folds", Some(folds), 2),
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
            folds,
            split: self.split.unwrap_or_default(),
            unknown_games: if self.split.is_some() { UnknownGames::Refused } else { UnknownGames::Positions },
            split_seed: self.split_seed.unwrap_or(1),
            training_rows: self.training_rows,
            validation_rows: self.validation_rows,
            extra_rows: self.extra_rows,
        };
        settings.check()?;
        Ok(settings)
    }

    /// The architecture `net` with the separately named parts replaced.
    fn architecture(&self, net: &Architecture) -> Result<Architecture, ArchitectureError> {
        let hidden = self.hidden.as_ref();
        let hidden =
            hidden.map(|widths| format!("[{}]", widths.iter().map(usize::to_string).collect::<Vec<_>>().join(",")));
        // The text form starts with "perspective [hidden] activation buckets", with hidden widths without spaces.
        let mut parts: Vec<String> = net.to_string().split(' ').map(str::to_owned).collect();
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
            run.settings()
                .map(|settings| settings.training.architecture)
                .map(|architecture| architecture.to_string())
                .map_err(|error| error.to_string())
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
