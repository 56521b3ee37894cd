//! What decides the result of a cross-validated run, apart from the rows themselves.

use serde::{Deserialize, Serialize};

use crate::data::SplitBy;
use crate::training::TrainingOptions;

/// A run: a way to train, and the folds by which it is judged.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    /// How each fold's network is trained.
    pub training: TrainingOptions,
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

impl RunSettings {
    /// The settings as far as they change a result: the number of threads does not.
    pub fn without_threads(&self) -> Self {
        let training = TrainingOptions { threads: 0, ..self.training.clone() };
        Self { training, ..self.clone() }
    }
}
