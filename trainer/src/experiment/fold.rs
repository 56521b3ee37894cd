//! One fold of one run: trained, judged on what it held out, with its curves.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::data::SplitError;
use crate::metrics::Metrics;
use crate::training::{
    Checkpoint, ConfigError, EpochRecord, Rows, RunFiles, StopReason, TrainingConfig, TrainingData, TrainingError,
    TrainingObserver, train,
};

use super::material::Material;
use super::settings::RunSettings;

/// What a finished fold leaves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FoldResult {
    /// Which fold, from 1.
    pub fold: usize,
    /// Rows learnt from.
    pub training_rows: usize,
    /// Rows left out of training because their position is held out.
    pub dropped_rows: usize,
    /// The epoch with the lowest validation loss, from 1.
    pub best_epoch: u32,
    /// Errors on the held-out rows after that epoch.
    pub metrics: Metrics,
    /// The same after the last epoch, which nothing chose.
    pub last: Metrics,
    /// All epochs.
    pub epochs: Vec<EpochRecord>,
}

impl FoldResult {
    /// The names of [`FoldResult::cells`], as the head of a CSV has them.
    pub const COLUMNS: &str =
        "fold,training_rows,dropped_rows,validation_rows,best_epoch,mse,rmse,mae,r2,last_r2,label_mean,label_variance";

    /// Its figures as a row of a CSV, without the line's end.
    pub fn cells(&self) -> String {
        let Self { fold, training_rows, dropped_rows, best_epoch, metrics: m, last, .. } = self;
        let figures = [m.mse, m.rmse, m.mae, m.r2, last.r2, m.label_mean, m.label_variance];
        let counts = format!("{fold},{training_rows},{dropped_rows},{},{best_epoch}", m.rows);
        figures.iter().fold(counts, |text, figure| text + &format!(",{figure:.6}"))
    }

    /// Time spent on training and validation.
    pub fn seconds(&self) -> f64 {
        self.epochs.iter().map(|epoch| epoch.seconds).sum()
    }
}

/// How a fold ended.
#[derive(Clone, PartialEq, Debug)]
pub enum FoldRun {
    /// It is done.
    Finished(Box<FoldResult>),
    /// The observer stopped it; its checkpoint, if it has one, goes on.
    Interrupted,
}

/// Why a fold cannot be finished.
#[derive(Debug, thiserror::Error)]
pub enum FoldError {
    /// The rows cannot be dealt.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// The settings are out of range.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The training failed.
    #[error(transparent)]
    Training(#[from] TrainingError),
    /// The weights ran away.
    #[error("{0}")]
    NotFinite(StopReason),
    /// No rows are held out.
    #[error("there are no rows to judge by")]
    NothingHeldOut,
}

/// Trains and judges one fold. With a `checkpoint` the state is saved there after each epoch, and a fold that was
/// stopped goes on from it to the same result; a checkpoint that is of another run, or damaged, is replaced.
///
/// # Errors
/// The rows cannot be dealt, the checkpoint cannot be written, or the loss is no number any more.
pub fn run_fold(
    material: &Material,
    settings: &RunSettings,
    fold: usize,
    checkpoint: Option<&Path>,
    observer: &mut (dyn TrainingObserver + Send),
) -> Result<FoldRun, FoldError> {
    let config = TrainingConfig::new(settings.training.clone())?;
    let sides = material.sides(settings, fold)?;
    if sides.validation.is_empty() {
        return Err(FoldError::NothingHeldOut);
    }
    let data = TrainingData {
        training: Rows { samples: &material.rows, picks: &sides.training },
        validation: Rows { samples: &material.rows, picks: &sides.validation },
        fingerprint: fingerprint(material, settings, fold),
    };
    let resume = checkpoint
        .and_then(|path| Checkpoint::load(path).ok())
        .filter(|state| state.fingerprint == data.fingerprint && config.leads_to_same_network(&state.config));
    let files = RunFiles { resume, start: None, checkpoint: checkpoint.map(PathBuf::from) };
    let run = train(&config, &data, files, observer)?;
    match run.stop {
        StopReason::Interrupted => return Ok(FoldRun::Interrupted),
        stop @ StopReason::NotFinite { .. } => return Err(FoldError::NotFinite(stop)),
        StopReason::Finished | StopReason::NoProgress => {}
    }
    let judged = |epoch: Option<&EpochRecord>| epoch.and_then(|epoch| epoch.validation).map(|judged| judged.metrics);
    let best = judged(run.history.iter().find(|epoch| epoch.epoch == run.best_epoch));
    let (Some(metrics), Some(last)) = (best, judged(run.history.last())) else {
        return Err(FoldError::NothingHeldOut);
    };
    Ok(FoldRun::Finished(Box::new(FoldResult {
        fold: fold + 1,
        training_rows: sides.training.len(),
        dropped_rows: sides.dropped,
        best_epoch: run.best_epoch,
        metrics,
        last,
        epochs: run.history,
    })))
}

/// Tells a fold's rows from those of other folds and data.
fn fingerprint(material: &Material, settings: &RunSettings, fold: usize) -> String {
    let RunSettings { folds, split, split_seed, training_rows, validation_rows, extra_rows, .. } = settings;
    format!(
        "{}; fold {fold} of {folds} {split:?} seed {split_seed}; {training_rows:?} {validation_rows:?} {extra_rows:?}",
        material.fingerprint
    )
}
