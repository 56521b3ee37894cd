//! Trains and validates one fold of one run.

use std::path::{Path, PathBuf};

use alfiere_data::metrics::{Metrics, mean_and_deviation};
use alfiere_data::{Captures, HeldOutUnit, Split, SplitError};
use alfiere_sources::lessons::SearchLessons;
use alfiere_sources::start_network::{StartNetwork, StartNetworkError};
use alfiere_training::{
    Checkpoint, ConfigError, EpochRecord, KeptWeights, Rows, RunInputs, StopReason, TrainingConfig, TrainingError,
    TrainingObserver, TrainingOptions, evaluate, evaluate_training, train,
};
use serde::{Deserialize, Serialize};

use super::data::ExperimentData;
use super::settings::{EpochSelection, RunSettings};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FoldResult {
    /// Number of the fold, from 1; those of a repeat follow those of the repeat before it.
    pub fold: usize,
    pub training_rows: usize,
    /// Number of inner rows, held out of training to select the epoch.
    pub inner_rows: usize,
    /// Rows removed from training because their position also occurs in a validation set.
    pub dropped_rows: usize,
    /// What is held out as a whole.
    pub unit: HeldOutUnit,
    pub selection: EpochSelection,
    /// The epoch whose weights were validated, from 1.
    pub epoch: u32,
    /// Errors of these weights on the validation rows, in the form that is trained on.
    pub metrics: Metrics,
    /// Errors on the same rows in their other form: as given if captures are resolved, else resolved.
    pub other_form: Metrics,
    pub captures: Captures,
    /// Errors of these weights on training rows, without dropout: of a random selection if there are many.
    pub training: Metrics,
    /// The epochs of the rows. Their validation loss is on the inner rows if these select the epoch, else on the
    /// validation rows.
    pub epochs: Vec<EpochRecord>,
}

impl FoldResult {
    /// Column names of [`FoldResult::cells`], for a CSV header.
    pub const COLUMNS: &str = "fold,training_rows,inner_rows,dropped_rows,validation_rows,selection,epoch,mse,rmse,mae,r2,\
                               label_mean,label_variance,training_r2,held_out,captures,r2_as_given,r2_resolved";

    /// Errors on the validation rows as given.
    pub fn as_given(&self) -> Metrics {
        self.captures.trained_first([self.metrics, self.other_form])[0]
    }

    /// Errors on the validation rows with captures resolved.
    pub fn resolved(&self) -> Metrics {
        self.captures.trained_first([self.metrics, self.other_form])[1]
    }

    /// The result as a CSV row without a line ending.
    pub fn cells(&self) -> String {
        let Self { fold, training_rows, inner_rows, dropped_rows, selection, epoch, metrics: m, .. } = self;
        let figures = [m.mse, m.rmse, m.mae, m.r2, m.label_mean, m.label_variance];
        let rows = format!("{training_rows},{inner_rows},{dropped_rows},{}", m.rows);
        let counts = format!("{fold},{rows},{},{epoch}", selection.name());
        let cells = figures.iter().fold(counts, |text, figure| text + &format!(",{figure:.6}"));
        let cells = format!("{cells},{:.6},{}", self.training.r2, self.unit.name());
        format!("{cells},{},{:.6},{:.6}", self.captures.name(), self.as_given().r2, self.resolved().r2)
    }

    /// Time spent on training and validation.
    pub fn seconds(&self) -> f64 {
        self.epochs.iter().map(|epoch| epoch.seconds).sum()
    }
}

/// The mean of a value over the folds; `None` without one.
pub(super) fn mean_of(folds: &[FoldResult], value: impl Fn(&FoldResult) -> f64) -> Option<f64> {
    mean_and_deviation(&folds.iter().map(value).collect::<Vec<_>>()).map(|(mean, _)| mean)
}

#[derive(Debug, thiserror::Error)]
pub enum FoldError {
    #[error(transparent)]
    Split(#[from] SplitError),
    #[error("the training side has no inner rows to select the epoch with: {0}")]
    Inner(SplitError),
    #[error("{0}")]
    Device(String),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Start(#[from] StartNetworkError),
    #[error(transparent)]
    Training(#[from] TrainingError),
    #[error("{0}")]
    NotFinite(StopReason),
    #[error("there are no validation rows")]
    NothingHeldOut,
}

/// Checks that every fold can be formed, with its inner rows if they select the epoch; forms the folds only for those.
///
/// # Errors
/// As [`run_fold`], before anything is trained.
pub fn check_folds(set: &ExperimentData, settings: &RunSettings) -> Result<(), FoldError> {
    set.check(settings)?;
    match settings.selection {
        EpochSelection::Last => Ok(()),
        EpochSelection::Inner => (0..settings.all_folds()).try_for_each(|fold| {
            let (settings, fold) = settings.of_fold(fold);
            splits(set, &settings, fold).map(drop)
        }),
    }
}

/// The split of a fold, and the split of its training side if inner rows select the epoch.
fn splits(set: &ExperimentData, settings: &RunSettings, fold: usize) -> Result<(Split, Option<Split>), FoldError> {
    let outer = set.split(settings, fold)?;
    if outer.validation.is_empty() {
        return Err(FoldError::NothingHeldOut);
    }
    let inner = match settings.selection {
        EpochSelection::Last => None,
        EpochSelection::Inner => Some(set.inner_split(settings, &outer.training).map_err(FoldError::Inner)?),
    };
    Ok((outer, inner))
}

/// Trains one fold of all repeats and validates it at the epoch selected by `settings`; `None` if the observer stops it. If `checkpoint` is
/// given, the state is saved there after each epoch, and an interrupted fold resumes from it with the same result. A checkpoint
/// of a different run, or a damaged one, is replaced.
///
/// # Errors
/// If the rows cannot be split, the start cannot be read, the checkpoint cannot be written, or the loss is no longer finite.
pub fn run_fold(
    set: &ExperimentData,
    settings: &RunSettings,
    fold: usize,
    checkpoint: Option<&Path>,
    observer: &mut (dyn TrainingObserver + Send),
) -> Result<Option<FoldResult>, FoldError> {
    let number = fold + 1;
    let (settings, fold) = &settings.of_fold(fold);
    let config = TrainingConfig::new(settings.training.clone())?;
    let (outer, inner) = splits(set, settings, *fold)?;
    let captures = config.options().captures;
    let (outer, split) = (&outer, inner.as_ref().unwrap_or(&outer));
    let [samples, other_samples] = set.dataset.samples(captures);
    let training = Rows { samples, picks: &split.training };
    let mut start = StartNetwork::load(&config.options().start)?;
    let mut weights = None;
    if let Some(start) = &mut start {
        start.fit(&mut config.options().objective.clone(), true, training);
        weights = start.initial_weights(config.options())?;
    }
    let name = start.as_ref().map_or("", |start| &start.name);
    let fingerprint = format!("{}; start {name}", fingerprint(set, settings, *fold));
    let resume = checkpoint
        .and_then(|path| Checkpoint::load(path).ok())
        .filter(|state| state.fingerprint == fingerprint && config.leads_to_same_network(&state.config));
    let lessons = SearchLessons::new(config.options(), start.as_ref());
    let inputs = RunInputs {
        kept: match settings.selection {
            EpochSelection::Last => KeptWeights::Last,
            EpochSelection::Inner => KeptWeights::Best,
        },
        fingerprint,
        lessons: Some(&lessons),
        start: weights,
        resume,
        checkpoint: checkpoint.map(PathBuf::from),
        ..RunInputs::new(&training, Rows { samples, picks: &split.validation })
    };
    let run = train(&config, inputs, observer)?;
    match run.stop {
        StopReason::Interrupted => return Ok(None),
        stop @ StopReason::NotFinite { .. } => return Err(FoldError::NotFinite(stop)),
        StopReason::Finished | StopReason::NoProgress => {}
    }
    let TrainingOptions { device, objective, seed, result_share, .. } = settings.training;
    let processor = device.processor().map_err(FoldError::Device)?;
    let errors = |samples| {
        let rows = Rows { samples, picks: &outer.validation };
        let (_, share) = result_share.ends();
        evaluate(&run.network, &processor, objective, share, rows).ok_or(FoldError::NothingHeldOut)
    };
    let measured = evaluate_training(&run.network, &processor, objective, seed, &training);
    Ok(Some(FoldResult {
        fold: number,
        training_rows: split.training.len(),
        inner_rows: inner.as_ref().map_or(0, |inner| inner.validation.len()),
        dropped_rows: outer.dropped + inner.as_ref().map_or(0, |inner| inner.dropped),
        unit: set.unit(settings.split),
        selection: settings.selection,
        epoch: run.best_epoch,
        metrics: errors(samples)?.metrics,
        other_form: errors(other_samples)?.metrics,
        captures,
        training: measured.ok_or(TrainingError::NoRows)?,
        epochs: run.history.into_iter().filter(|record| record.phase == config.options().rows_phase()).collect(),
    }))
}

fn fingerprint(set: &ExperimentData, settings: &RunSettings, fold: usize) -> String {
    let RunSettings { folds, split, split_seed, training_rows, validation_rows, extra_rows, selection, .. } = settings;
    format!(
        "{}; fold {fold} of {folds} {split:?} seed {split_seed}; {training_rows:?} {validation_rows:?} {extra_rows:?}; \
         select {}",
        set.fingerprint,
        selection.name()
    )
}

#[cfg(test)]
mod tests {
    use alfiere_data::{Dataset, Label, sample};

    use super::*;

    const EPOCHS: u32 = 12;

    fn settings(selection: EpochSelection) -> RunSettings {
        let training = TrainingOptions {
            architecture: "white [16]".parse().expect("valid"),
            epochs: EPOCHS,
            batch_size: 64,
            learning_rate: 3e-3,
            ..TrainingOptions::default()
        };
        RunSettings { selection, ..RunSettings::new(training, 3) }
    }

    fn set() -> ExperimentData {
        ExperimentData::new(Dataset::from_rows(sample::rows(1_200)), None).expect("few rows")
    }

    fn finished(set: &ExperimentData, settings: &RunSettings) -> FoldResult {
        run_fold(set, settings, 0, None, &mut ()).expect("it runs").expect("nothing stops it")
    }

    #[test]
    fn last_epoch_is_validated_even_if_an_earlier_one_is_better() {
        let set_up = settings(EpochSelection::Last);
        let result = finished(&set(), &set_up);
        let losses: Vec<f64> = result.epochs.iter().filter_map(|epoch| Some(epoch.validation?.loss)).collect();
        assert!(losses.iter().any(|loss| loss < &losses[losses.len() - 1]), "random labels are overfitted");
        assert_eq!((result.epoch, result.inner_rows), (EPOCHS, 0));
        // The last weights have learnt some of the random labels; they are the ones that are measured.
        assert!(result.training.r2 > result.metrics.r2, "{result:?}");
        let shorter =
            RunSettings { training: TrainingOptions { epochs: 1, ..set_up.training.clone() }, ..set_up.clone() };
        assert!(finished(&set(), &shorter).training.r2 < result.training.r2);
        let last = result.epochs[EPOCHS as usize - 1].validation.expect("validated").metrics;
        assert!((result.metrics.r2 - last.r2).abs() < 1e-4, "up to the rounding of a network file: {result:?}");
    }

    #[test]
    fn validation_rows_do_not_select_the_epoch() {
        let inner = settings(EpochSelection::Inner);
        let patient = TrainingOptions { epochs: 60, patience: Some(3), ..inner.training.clone() };
        for settings in [inner.clone(), RunSettings { training: patient, ..inner }] {
            let mut set = set();
            let result = finished(&set, &settings);
            for row in set.split(&settings, 0).expect("enough games").validation {
                let row = &mut set.dataset.rows[row as usize];
                *row = row.with_label(Label::centipawns(500));
            }
            let relabelled = finished(&set, &settings);
            let history = |result: &FoldResult| {
                let losses = result.epochs.iter().map(|epoch| (epoch.training_loss, epoch.validation));
                (result.epoch, losses.collect::<Vec<_>>())
            };
            assert_eq!(history(&result), history(&relabelled));
            assert_ne!(result.metrics, relabelled.metrics);
            let least = result.epochs.iter().rfind(|epoch| epoch.is_best).expect("one is the best");
            assert_eq!(result.epoch, least.epoch);
            assert!(result.inner_rows > 0 && Some(result.metrics) != least.validation.map(|inner| inner.metrics));
            if let Some(patience) = settings.training.patience {
                assert_eq!(result.epochs.len() as u32, result.epoch + patience);
            }
        }
    }
}
