//! What decides the result of a cross-validated run, apart from the rows themselves.

use serde::{Deserialize, Serialize};

use crate::data::SplitBy;
use crate::training::TrainingOptions;

use super::selection::EpochSelection;

/// A run: a way to train, and the folds by which it is judged.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    /// How each fold's network is trained.
    pub training: TrainingOptions,
    /// Which epoch's weights are judged.
    pub selection: EpochSelection,
    /// How many folds, at least 2.
    pub folds: usize,
    /// What is dealt to them.
    pub split: SplitBy,
    /// Decides which fold holds out which rows, and which rows the limits below keep.
    pub split_seed: u64,
    /// At most this many rows of each fold's training side (whole games where games are dealt).
    pub training_rows: Option<usize>,
    /// At most this many rows of each fold's held-out side.
    pub validation_rows: Option<usize>,
    /// How many of the rows that are never held out to learn from as well, from their front; `None`: all.
    pub extra_rows: Option<usize>,
}

/// Patience where the only rows with a loss to watch are those that are judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("patience would stop a fold by the rows that judge it; expected `select` inner with it, found last")]
pub struct PatienceWithoutInner;

impl RunSettings {
    /// Refuses settings with which the judged rows would decide when training stops.
    ///
    /// # Errors
    /// There is patience, but no inner rows.
    pub fn check(&self) -> Result<(), PatienceWithoutInner> {
        match (self.selection, self.training.patience) {
            (EpochSelection::Last, Some(_)) => Err(PatienceWithoutInner),
            _ => Ok(()),
        }
    }

    /// The settings as far as they change a result: the number of threads does not.
    pub fn without_threads(&self) -> Self {
        let training = TrainingOptions { threads: 0, ..self.training.clone() };
        Self { training, ..self.clone() }
    }
}
