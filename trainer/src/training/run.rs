//! A training run from the first step to the last, or from a checkpoint on.
//!
//! The order of rows, the flips, the dropout and the sums depend on the seed alone, so a run that was stopped and
//! resumed gives the same network, bit for bit, as one that was not, with any number of threads.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use alfiere_nnue::FloatNetwork;
use thiserror::Error;

use super::checkpoint::{Best, Checkpoint, CheckpointError, TrainingProgress};
use super::evaluate::{Rows, evaluate};
use super::observer::{EpochRecord, Progress, TrainingObserver};
use super::options::{Flips, TrainingConfig, TrainingOptions};
use super::outcome::{Outcome, StopReason};
use super::schedule::ScheduleStep;
use super::source::{ReadPlan, Reading, RowSource, Window, Windows, read_windows};
use crate::data::DataError;
use crate::model::random::{Purpose, derive};
use crate::model::{
    AverageWeights, Dropout, Encoding, Learner, Mirror, Sample, SparseBatch, StartError, StepSize, first_weights,
    rounded,
};

/// Between two windows the state is saved when the last saving is as long ago as this.
const SAVE_INTERVAL: Duration = Duration::from_mins(1);

/// What a run learns from and is judged by.
#[derive(Clone, Debug)]
pub struct TrainingData<'a, S, T = Rows<'a, S>> {
    /// Rows to learn from, in memory or streamed.
    pub training: T,
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
    /// Weights to begin with in a run that starts anew; drawn by the seed without.
    pub start: Option<FloatNetwork>,
    /// Where to save the state: before the first step, after each epoch, now and then within a long one, and when the
    /// run is interrupted.
    pub checkpoint: Option<PathBuf>,
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
    /// There are no weights to begin with.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The device cannot be used.
    #[error("{0}")]
    Device(String),
    /// A checkpoint cannot be written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The rows can no longer be read. The state of the run up to there is saved.
    #[error(transparent)]
    Rows(DataError),
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
/// If there is nothing to train on, the checkpoint is of another run or cannot be written, or rows cannot be read.
pub fn train<S: Sample, T: RowSource<S>>(
    config: &TrainingConfig,
    data: &TrainingData<'_, S, T>,
    files: RunFiles,
    observer: &mut (dyn TrainingObserver + Send),
) -> Result<Outcome, TrainingError> {
    if data.training.rows() == 0 {
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
    Unreadable(DataError),
}

struct Run<'a, S, T> {
    config: &'a TrainingConfig,
    data: &'a TrainingData<'a, S, T>,
    windows: Windows,
    checkpoint: Option<PathBuf>,
    learner: Learner,
    average: Option<AverageWeights>,
    place: TrainingProgress,
    best: Best,
    history: Vec<EpochRecord>,
    learning_rate: f32,
    saved: Instant,
}

/// How the rows of a window are shown.
struct Showing {
    encoding: Encoding,
    mirror: Mirror,
    /// Seconds spent in the epoch before this run took it up, and since when it is at it.
    before: f64,
    start: Instant,
}

impl<'a, S: Sample, T: RowSource<S>> Run<'a, S, T> {
    fn new(
        config: &'a TrainingConfig,
        data: &'a TrainingData<'a, S, T>,
        files: RunFiles,
    ) -> Result<Self, TrainingError> {
        let checkpoint = files.checkpoint;
        let learning_rate = config.options().learning_rate;
        let (rows, window_rows) = (data.training.rows(), data.training.window_rows());
        let windows = Windows::new(rows, window_rows, config.options().batch_size);
        let saved = Instant::now();
        let processor = config.options().device.processor().map_err(TrainingError::Device)?;
        let (learner, average, place, best, history) = if let Some(state) = files.resume {
            if !config.leads_to_same_network(&state.config) {
                return Err(TrainingError::OtherRun { what: "options" });
            }
            if state.fingerprint != data.fingerprint {
                return Err(TrainingError::OtherRun { what: "data" });
            }
            let learner = Learner::resume(state.network, state.optimiser, processor)
                .ok_or(TrainingError::OtherRun { what: "architectures" })?;
            (learner, state.average, state.place, state.best, state.history)
        } else {
            let network = first_weights(config.options().architecture.clone(), config.options().seed, files.start)?;
            let best = Best { network: network.clone(), epoch: 0, loss: f64::INFINITY };
            let average = config.options().average.map(|_| AverageWeights::new(network.clone()));
            (Learner::new(network, processor), average, TrainingProgress::default(), best, Vec::new())
        };
        Ok(Self { config, data, windows, checkpoint, learner, average, place, best, history, learning_rate, saved })
    }

    fn options(&self) -> &'a TrainingOptions {
        self.config.options()
    }

    fn go(self, observer: &mut (dyn TrainingObserver + Send)) -> Result<Outcome, TrainingError> {
        let source: &'a T = &self.data.training;
        let (first, _) = self.windows.place(self.place.batches);
        let (seed, epochs) = (self.options().seed, self.options().epochs);
        let course = ReadPlan { windows: self.windows, seed, from: (self.place.epochs, first), epochs };
        std::thread::scope(|scope| {
            let reading = read_windows(scope, source, course);
            self.epochs(&reading, observer)
        })
    }

    fn epochs(
        mut self,
        reading: &Reading<'_, S>,
        observer: &mut (dyn TrainingObserver + Send),
    ) -> Result<Outcome, TrainingError> {
        self.save()?;
        while self.place.epochs < self.options().epochs {
            if self.is_stuck() {
                return Ok(self.outcome(StopReason::NoProgress));
            }
            match self.epoch(reading, observer)? {
                EpochEnd::Complete => {
                    let batch = self.place.batches;
                    let record = self.finish_epoch();
                    if record.validation.is_some_and(|judged| !judged.loss.is_finite()) {
                        self.history.pop();
                        return Ok(self.outcome(StopReason::NotFinite { epoch: record.epoch, batch }));
                    }
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
                EpochEnd::Unreadable(error) => {
                    self.save()?;
                    return Err(TrainingError::Rows(error));
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
        self.data.training.rows().div_ceil(self.options().batch_size as u64)
    }

    /// The rest of the epoch under way.
    fn epoch(
        &mut self,
        reading: &Reading<'_, S>,
        observer: &mut (dyn TrainingObserver + Send),
    ) -> Result<EpochEnd, TrainingError> {
        let options = self.options();
        let epoch = self.place.epochs;
        let share = options.result_share.in_epoch(epoch, options.epochs);
        let encoding = Encoding::new(&options.architecture, options.objective, share);
        let (before, start) = (self.place.seconds, Instant::now());
        let mut showing = Showing { encoding, mirror: Mirror::Never, before, start };
        let (first, mut done) = self.windows.place(self.place.batches);
        for number in first..self.windows.count() {
            let window = match reading.recv() {
                Ok(Ok(window)) => window,
                Ok(Err(error)) => return Ok(EpochEnd::Unreadable(error)),
                // The reader ends without a word only in a panic, which goes on where it was started.
                Err(_) => return Ok(EpochEnd::Interrupted),
            };
            if options.flips == Flips::Random {
                showing.mirror = Mirror::Random(derive(options.seed, Purpose::Mirror { epoch, window: number }));
            }
            match self.window(&window, std::mem::take(&mut done), &showing, observer) {
                EpochEnd::Complete => {}
                end => return Ok(end),
            }
            if self.saved.elapsed() >= SAVE_INTERVAL && self.place.batches < self.batches() {
                self.save()?;
            }
        }
        Ok(EpochEnd::Complete)
    }

    /// The batches of a window but for those that are `done`.
    fn window(
        &mut self,
        window: &Window<'_, S>,
        done: usize,
        showing: &Showing,
        observer: &mut (dyn TrainingObserver + Send),
    ) -> EpochEnd {
        let fill = |batch: &mut SparseBatch, picks: &[u32]| {
            batch.fill(window.samples(), picks, &showing.encoding, showing.mirror);
        };
        let mut chunks = window.order.chunks(self.options().batch_size).skip(done).peekable();
        let (mut next, mut spare) = (SparseBatch::default(), SparseBatch::default());
        if let Some(first) = chunks.peek() {
            fill(&mut next, first);
        }
        while let Some(chunk) = chunks.next() {
            let batch = Arc::new(std::mem::replace(&mut next, std::mem::take(&mut spare)));
            // The next batch is extracted while this one is learnt.
            let (loss, ()) = rayon::join(
                || self.step(&batch),
                || {
                    if let Some(following) = chunks.peek() {
                        fill(&mut next, following);
                    }
                },
            );
            spare = Arc::try_unwrap(batch).unwrap_or_default();
            if !loss.is_finite() {
                return EpochEnd::NotFinite { batch: self.place.batches + 1 };
            }
            self.place.batches += 1;
            self.place.loss_sum += f64::from(loss) * chunk.len() as f64;
            self.place.seconds = showing.before + showing.start.elapsed().as_secs_f64();
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
        let moment = ScheduleStep { step, steps: batches * u64::from(options.epochs), steps_per_epoch: batches };
        self.learning_rate = options.schedule.rate(options.learning_rate, options.warmup_steps, moment);
        let dropout = Dropout { rate: options.dropout, seed: options.seed, step };
        let size = StepSize { rate: self.learning_rate, decay: options.weight_decay };
        let loss = self.learner.step(batch, options.objective, dropout, size);
        if let (Some(average), Some(decay)) = (&mut self.average, options.average) {
            average.take(&self.learner.network, decay);
        }
        loss
    }

    /// The weights that are judged and handed over.
    fn weights(&self) -> &FloatNetwork {
        self.average.as_ref().map_or(&self.learner.network, |average| &average.network)
    }

    fn positions_done(&self) -> u64 {
        (self.place.batches * self.options().batch_size as u64).min(self.data.training.rows())
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
        let validation =
            evaluate(self.weights(), &self.learner.processor, options.objective, share, self.data.validation);
        let loss = validation.map_or(training_loss, |validation| validation.loss);
        let epoch = self.place.epochs + 1;
        let is_best = loss < self.best.loss;
        if is_best {
            self.best = Best { network: self.weights().clone(), epoch, loss };
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
        self.place = TrainingProgress { epochs: epoch, ..TrainingProgress::default() };
        record
    }

    fn save(&mut self) -> Result<(), TrainingError> {
        let Some(path) = &self.checkpoint else { return Ok(()) };
        self.state().save(path)?;
        self.saved = Instant::now();
        Ok(())
    }

    fn state(&self) -> Checkpoint {
        Checkpoint {
            config: self.config.clone(),
            fingerprint: self.data.fingerprint.clone(),
            network: self.learner.network.clone(),
            optimiser: self.learner.optimiser.clone(),
            average: self.average.clone(),
            place: self.place,
            best: self.best.clone(),
            history: self.history.clone(),
        }
    }

    fn outcome(self, stop: StopReason) -> Outcome {
        let output_scale = self.options().objective.output_scale();
        let network = match self.average {
            _ if self.best.epoch > 0 => self.best.network,
            Some(average) => average.network,
            None => self.learner.network,
        };
        Outcome { network: rounded(network), output_scale, best_epoch: self.best.epoch, history: self.history, stop }
    }
}
