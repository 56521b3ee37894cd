//! A training run from the first step to the last, or from a checkpoint on.
//!
//! The order of rows, the flips, the dropout and the sums depend on the seed alone, so a run that was stopped and
//! resumed gives the same network, bit for bit, as one that was not, with any number of threads.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use alfiere::network::FloatNetwork;
use thiserror::Error;

use crate::model::random::{Purpose, derive, shuffle};
use crate::model::{Dropout, Encoding, Learner, Mirror, Sample, SparseBatch, StepSize, initialise};

use super::checkpoint::{Best, Checkpoint, CheckpointError, Place};
use super::evaluate::{Rows, evaluate};
use super::observer::{EpochRecord, Progress, TrainingObserver};
use super::options::{Flips, TrainingConfig, TrainingOptions};
use super::schedule::Moment;

/// What a run learns from and is judged by.
#[derive(Clone, Debug)]
pub struct TrainingData<'a, S> {
    /// Rows to learn from.
    pub training: Rows<'a, S>,
    /// Rows to be judged by; may be empty.
    pub validation: Rows<'a, S>,
    /// Tells this data, with its split, apart from other data; a checkpoint goes on only with its own.
    pub fingerprint: String,
}

/// Where a run starts, and where it saves its state.
#[derive(Clone, Debug, Default)]
pub struct RunFiles {
    /// State to go on from; `None` starts anew.
    pub resume: Option<Checkpoint>,
    /// Where to save the state: before the first step, after each epoch and when the run is interrupted.
    pub checkpoint: Option<PathBuf>,
}

/// Why a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// All epochs are done.
    Finished,
    /// The validation loss no longer fell.
    NoProgress,
    /// The observer asked for it.
    Interrupted,
    /// The loss was no number any more; the weights are the last good ones.
    NotFinite {
        /// In which epoch, from 1.
        epoch: u32,
        /// In which of its batches, from 1.
        batch: u64,
    },
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finished => f.write_str("all epochs are done"),
            Self::NoProgress => f.write_str("the validation loss no longer fell"),
            Self::Interrupted => f.write_str("the run was interrupted"),
            Self::NotFinite { epoch, batch } => write!(
                f,
                "the loss was no number in batch {batch} of epoch {epoch}; the last good weights are kept (try a lower learning rate)"
            ),
        }
    }
}

/// What a run leaves.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The best weights: those of the epoch with the lowest validation loss (training loss without a validation set).
    /// Before the first epoch's end, the weights of the last step.
    pub network: FloatNetwork,
    /// Centipawns for each unit of the network's output.
    pub output_scale: f32,
    /// After which epoch the weights were taken, from 1; 0 when none was finished.
    pub best_epoch: u32,
    /// Finished epochs.
    pub history: Vec<EpochRecord>,
    /// Why the run ended.
    pub stop: StopReason,
}

/// Why a run cannot start or go on.
#[derive(Debug, Error)]
pub enum TrainingError {
    /// No rows to learn from.
    #[error("there are no rows to train on")]
    NoRows,
    /// The checkpoint is of another run.
    #[error("the checkpoint belongs to another run: its {what} differ")]
    OtherRun {
        /// What differs.
        what: &'static str,
    },
    /// A checkpoint cannot be written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The threads cannot be started.
    #[error("cannot start {count} threads: {reason}")]
    Threads {
        /// How many were asked for.
        count: usize,
        /// Why not.
        reason: String,
    },
}

/// Trains a network.
///
/// # Errors
/// If there is nothing to train on, the checkpoint is of another run or cannot be written.
pub fn train<S: Sample>(
    config: &TrainingConfig,
    data: &TrainingData<'_, S>,
    files: RunFiles,
    observer: &mut (dyn TrainingObserver + Send),
) -> Result<Outcome, TrainingError> {
    if data.training.picks.is_empty() {
        return Err(TrainingError::NoRows);
    }
    let threads = config.options().threads;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| TrainingError::Threads { count: threads, reason: error.to_string() })?;
    pool.install(|| Run::new(config, data, files)?.go(observer))
}

/// How an epoch ended.
enum EpochEnd {
    Complete,
    Interrupted,
    NotFinite { batch: u64 },
}

struct Run<'a, S> {
    config: &'a TrainingConfig,
    data: &'a TrainingData<'a, S>,
    checkpoint: Option<PathBuf>,
    learner: Learner,
    place: Place,
    best: Best,
    history: Vec<EpochRecord>,
    learning_rate: f32,
}

impl<'a, S: Sample> Run<'a, S> {
    fn new(config: &'a TrainingConfig, data: &'a TrainingData<'a, S>, files: RunFiles) -> Result<Self, TrainingError> {
        let checkpoint = files.checkpoint;
        let learning_rate = config.options().learning_rate;
        let Some(state) = files.resume else {
            // A checked configuration holds a checked architecture.
            let network = initialise(config.options().architecture.clone(), config.options().seed)
                .map_err(|_| TrainingError::OtherRun { what: "architectures" })?;
            let best = Best { network: network.clone(), epoch: 0, loss: f64::INFINITY };
            let (place, history) = (Place::default(), Vec::new());
            let learner = Learner::new(network);
            return Ok(Self { config, data, checkpoint, learner, place, best, history, learning_rate });
        };
        if !config.leads_to_same_network(&state.config) {
            return Err(TrainingError::OtherRun { what: "options" });
        }
        if state.fingerprint != data.fingerprint {
            return Err(TrainingError::OtherRun { what: "data" });
        }
        let learner =
            Learner::resume(state.network, state.optimiser).ok_or(TrainingError::OtherRun { what: "architectures" })?;
        let Checkpoint { place, best, history, .. } = state;
        Ok(Self { config, data, checkpoint, learner, place, best, history, learning_rate })
    }

    fn options(&self) -> &'a TrainingOptions {
        self.config.options()
    }

    fn go(mut self, observer: &mut (dyn TrainingObserver + Send)) -> Result<Outcome, TrainingError> {
        self.save()?;
        while self.place.epochs < self.options().epochs {
            if self.is_stuck() {
                return Ok(self.outcome(StopReason::NoProgress));
            }
            match self.epoch(observer) {
                EpochEnd::Complete => {
                    let record = self.finish_epoch();
                    self.save()?;
                    observer.on_epoch(&record);
                }
                EpochEnd::Interrupted => {
                    self.save()?;
                    return Ok(self.outcome(StopReason::Interrupted));
                }
                EpochEnd::NotFinite { batch } => {
                    let epoch = self.place.epochs + 1;
                    return Ok(self.outcome(StopReason::NotFinite { epoch, batch }));
                }
            }
        }
        Ok(self.outcome(StopReason::Finished))
    }

    /// True when patience is at its end.
    fn is_stuck(&self) -> bool {
        !self.data.validation.picks.is_empty()
            && self.options().patience.is_some_and(|patience| self.place.epochs - self.best.epoch >= patience)
    }

    fn batches(&self) -> u64 {
        self.data.training.picks.len().div_ceil(self.options().batch_size) as u64
    }

    /// The rest of the epoch under way.
    fn epoch(&mut self, observer: &mut (dyn TrainingObserver + Send)) -> EpochEnd {
        let options = self.options();
        let epoch = self.place.epochs;
        let mut order = self.data.training.picks.to_vec();
        shuffle(&mut order, derive(options.seed, Purpose::Shuffle(epoch)));
        let mirror = match options.flips {
            Flips::Never => Mirror::Never,
            Flips::Random => Mirror::Random(derive(options.seed, Purpose::Mirror(epoch))),
        };
        let share = options.result_share.in_epoch(epoch, options.epochs);
        let encoding = Encoding::new(&options.architecture, options.objective, share);
        let samples = self.data.training.samples;
        let start = Instant::now();
        let seconds_before = self.place.seconds;
        let mut chunks = order.chunks(options.batch_size).skip(self.place.batches as usize).peekable();
        let (mut next, mut spare) = (SparseBatch::default(), SparseBatch::default());
        if let Some(first) = chunks.peek() {
            next.fill(samples, first, &encoding, mirror);
        }
        while let Some(chunk) = chunks.next() {
            let batch = Arc::new(std::mem::replace(&mut next, std::mem::take(&mut spare)));
            // The next batch is extracted while this one is learnt.
            let (loss, ()) = rayon::join(
                || self.step(&batch),
                || {
                    if let Some(following) = chunks.peek() {
                        next.fill(samples, following, &encoding, mirror);
                    }
                },
            );
            spare = Arc::try_unwrap(batch).unwrap_or_default();
            if !loss.is_finite() {
                return EpochEnd::NotFinite { batch: self.place.batches + 1 };
            }
            self.place.batches += 1;
            self.place.loss_sum += f64::from(loss) * chunk.len() as f64;
            self.place.seconds = seconds_before + start.elapsed().as_secs_f64();
            if observer.on_batch(&self.progress(loss)).is_break() {
                return EpochEnd::Interrupted;
            }
        }
        EpochEnd::Complete
    }

    /// One step on a batch; its loss.
    fn step(&mut self, batch: &Arc<SparseBatch>) -> f32 {
        let options = self.options();
        let batches = self.batches();
        let step = u64::from(self.place.epochs) * batches + self.place.batches;
        let moment = Moment { step, steps: batches * u64::from(options.epochs), steps_per_epoch: batches };
        self.learning_rate = options.schedule.rate(options.learning_rate, options.warmup_steps, moment);
        let dropout = Dropout { rate: options.dropout, seed: options.seed, step };
        let size = StepSize { rate: self.learning_rate, decay: options.weight_decay };
        self.learner.step(batch, options.objective, dropout, size)
    }

    fn positions_done(&self) -> u64 {
        (self.place.batches * self.options().batch_size as u64).min(self.data.training.picks.len() as u64)
    }

    fn progress(&self, batch_loss: f32) -> Progress {
        let positions_done = self.positions_done();
        Progress {
            epoch: self.place.epochs + 1,
            epochs: self.options().epochs,
            batches_done: self.place.batches,
            batches: self.batches(),
            positions_done,
            batch_loss,
            epoch_loss: self.place.loss_sum / positions_done as f64,
        }
    }

    /// Judges the weights, keeps them if they are the best, and moves on to the next epoch.
    fn finish_epoch(&mut self) -> EpochRecord {
        let options = self.options();
        let start = Instant::now();
        let positions = self.positions_done() as f64;
        let training_loss = self.place.loss_sum / positions;
        let (_, share) = options.result_share.ends();
        let validation = evaluate(&self.learner.network, options.objective, share, self.data.validation);
        let loss = validation.map_or(training_loss, |validation| validation.loss);
        let epoch = self.place.epochs + 1;
        let is_best = loss < self.best.loss;
        if is_best {
            self.best = Best { network: self.learner.network.clone(), epoch, loss };
        }
        let record = EpochRecord {
            epoch,
            learning_rate: self.learning_rate,
            training_loss,
            validation,
            is_best,
            seconds: self.place.seconds + start.elapsed().as_secs_f64(),
            positions_per_second: positions / self.place.seconds.max(1e-9),
        };
        self.history.push(record.clone());
        self.place = Place { epochs: epoch, ..Place::default() };
        record
    }

    fn save(&self) -> Result<(), TrainingError> {
        let Some(path) = &self.checkpoint else { return Ok(()) };
        Ok(self.state().save(path)?)
    }

    fn state(&self) -> Checkpoint {
        Checkpoint {
            config: self.config.clone(),
            fingerprint: self.data.fingerprint.clone(),
            network: self.learner.network.clone(),
            optimiser: self.learner.optimiser.clone(),
            place: self.place,
            best: self.best.clone(),
            history: self.history.clone(),
        }
    }

    fn outcome(self, stop: StopReason) -> Outcome {
        let output_scale = self.options().objective.output_scale();
        let network = if self.best.epoch > 0 { self.best.network } else { self.learner.network };
        Outcome { network, output_scale, best_epoch: self.best.epoch, history: self.history, stop }
    }
}
