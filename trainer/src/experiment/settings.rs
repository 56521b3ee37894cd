//! Settings that determine the result of a cross-validated run, apart from the data.

use std::fmt;

use alfiere_data::SplitBy;
use alfiere_training::TrainingOptions;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    pub training: TrainingOptions,
    pub selection: EpochSelection,
    /// Number of folds, at least 2.
    pub folds: usize,
    /// How often the cross-validation is repeated, each time with the next seeds of training and split; at least 1.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub repeats: usize,
    pub split: SplitBy,
    /// What happens if games are to be split but unknown.
    #[serde(default, skip_serializing_if = "UnknownGames::is_usual")]
    pub unknown_games: UnknownGames,
    /// Seed of the split, and of the rows kept by the limits below.
    pub split_seed: u64,
    /// Maximum number of training rows per fold (whole games when splitting by games).
    pub training_rows: Option<usize>,
    pub validation_rows: Option<usize>,
    /// Number of extra training rows, from the start of the extra files; `None`: all.
    pub extra_rows: Option<usize>,
}

const fn once() -> usize {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_once(repeats: &usize) -> bool {
    *repeats == once()
}

/// What happens if games are to be split into folds but are unknown.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnknownGames {
    /// Positions are split instead.
    #[default]
    Positions,
    /// The run is refused: games were asked for by name.
    Refused,
}

impl UnknownGames {
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// Patience is set, but the only rows with a loss are the validation rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("patience would stop a fold depending on its validation rows; patience requires `select` inner, found last")]
pub struct PatienceWithoutInner;

impl RunSettings {
    /// All rows, split into folds by games, validated after the last epoch.
    pub fn new(training: TrainingOptions, folds: usize) -> Self {
        Self {
            training,
            selection: EpochSelection::Last,
            folds,
            repeats: once(),
            split: SplitBy::Games,
            unknown_games: UnknownGames::Positions,
            split_seed: 1,
            training_rows: None,
            validation_rows: None,
            extra_rows: None,
        }
    }

    /// Number of folds of all repeats.
    pub const fn all_folds(&self) -> usize {
        self.folds * self.repeats
    }

    /// The settings of the repeat that a fold of [all](Self::all_folds) belongs to, and its index there.
    pub fn of_fold(&self, fold: usize) -> (Self, usize) {
        let repeat = (fold / self.folds) as u64;
        let training = TrainingOptions { seed: self.training.seed + repeat, ..self.training.clone() };
        (Self { training, split_seed: self.split_seed + repeat, repeats: once(), ..self.clone() }, fold % self.folds)
    }

    /// The name of a fold of all repeats, in messages.
    pub fn fold_name(&self, fold: usize) -> String {
        match self.repeats {
            1 => format!("fold {}", fold + 1),
            _ => format!("repeat {}, fold {}", fold / self.folds + 1, fold % self.folds + 1),
        }
    }

    /// Rejects settings for which the validation rows would decide when training stops.
    ///
    /// # Errors
    /// If patience is set without inner rows.
    pub fn check(&self) -> Result<(), PatienceWithoutInner> {
        match (self.selection, self.training.patience) {
            (EpochSelection::Last, Some(_)) => Err(PatienceWithoutInner),
            _ => Ok(()),
        }
    }

    /// The settings that affect the result: the number of threads does not, nor does what would be refused.
    pub fn without_threads(&self) -> Self {
        let training = TrainingOptions { threads: 0, ..self.training.clone() };
        Self { training, unknown_games: UnknownGames::default(), ..self.clone() }
    }
}

/// How the validated epoch is selected.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum EpochSelection {
    /// The last epoch
    #[default]
    Last,
    /// The epoch with the lowest loss on the inner rows, a tenth of the training side (whole games when splitting by games)
    /// that is not trained on; required by --patience
    Inner,
}

impl EpochSelection {
    /// The name used in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Last => "last",
            Self::Inner => "inner",
        }
    }
}

impl fmt::Display for EpochSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Last => "last: a fold is validated after its last epoch",
            Self::Inner => {
                "inner: a fold is validated at the epoch with the lowest loss on a tenth of its training side, which is not \
                 trained on"
            }
        })
    }
}
