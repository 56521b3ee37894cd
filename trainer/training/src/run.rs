//! The training loop, from the first step or from a checkpoint.
//!
//! The order of rows, the flips, the dropout and the order of sums depend only on the seed. A resumed run therefore
//! gives the same network, bit for bit, as an uninterrupted one, with any number of threads.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use alfiere_data::{DataError, HeldOutRule};
use alfiere_model::random::{Purpose, derive};
use alfiere_model::{
    Batch, Dropout, Encoding, Learner, Mirror, Sample, SparseBatch, StepLoss, StepSize, first_weights, rounded,
};
use alfiere_nnue::FloatNetwork;

use super::checkpoint::{Best, Checkpoint};
use super::evaluate::{LargestErrors, evaluate, evaluate_rows};
use super::observer::{EpochRecord, StepReport, TrainingObserver, TrainingProgress};
use super::options::{Flips, SideToMove, TrainingConfig, TrainingOptions};
use super::run_interface::{RunFiles, StopReason, TrainingData, TrainingError, TrainingResult};
use super::schedule::ScheduleStep;
use super::source::{HAS_THREADS, ReadPlan, Reading, RowSource, Window, Windows, read_windows};

/// Minimum time between two checkpoints within an epoch; they are saved between windows.
const SAVE_INTERVAL: Duration = Duration::from_mins(1);

/// Trains a network.
///
/// # Errors
/// If there are no training rows, the checkpoint is of a different run or cannot be written, or rows cannot be read.
pub fn train<S: Sample, T: RowSource<S>>(
    config: &TrainingConfig,
    data: &TrainingData<'_, S, T>,
    files: RunFiles,
    observer: &mut (dyn TrainingObserver + Send),
) -> Result<TrainingResult, TrainingError> {
    if data.training.rows() == 0 {
        return Err(TrainingError::NoRows);
    }
    if !HAS_THREADS {
        return Run::new(config, data, files)?.run(observer);
    }
    let threads = config.options().threads;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| TrainingError::Threads { count: threads, reason: error.to_string() })?;
    pool.install(|| Run::new(config, data, files)?.run(observer))
}

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
    progress: TrainingProgress,
    best: Best,
    history: Vec<EpochRecord>,
    /// The rule of the data; a resumed run takes it from the checkpoint, which records the history of the weights.
    held_out: Option<HeldOutRule>,
    saved: Instant,
}

/// How the rows of a window are presented to the network.
struct Presentation {
    encoding: Encoding,
    mirror: Mirror,
    /// Seconds spent in the epoch before this session, and the start of this session's part.
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
        let (rows, window_rows) = (data.training.rows(), data.training.window_rows());
        let windows = Windows::new(rows, window_rows, config.options().batch_size);
        let saved = Instant::now();
        let held_out = files.resume.as_ref().map_or(&data.held_out, |state| &state.held_out).clone();
        let processor = config.options().device.processor().map_err(TrainingError::Device)?;
        let (learner, progress, best, history) = if let Some(state) = files.resume {
            if !config.leads_to_same_network(&state.config) {
                return Err(TrainingError::OtherRun { what: "options" });
            }
            if !HeldOutRule::are_same(state.held_out.as_ref(), data.held_out.as_ref()) {
                return Err(TrainingError::OtherRun { what: "held-out rows" });
            }
            if state.fingerprint != data.fingerprint {
                return Err(TrainingError::OtherRun { what: "data" });
            }
            let learner =
                Learner::resume(state.learner, processor).ok_or(TrainingError::OtherRun { what: "architectures" })?;
            (learner, state.progress, state.best, state.history)
        } else {
            let mut network = first_weights(config.options().architecture.clone(), config.options().seed, files.start)?;
            if config.options().side_to_move == SideToMove::NoInput {
                network.layers[0].weights.row_mut(network.architecture.inputs.side_to_move()).fill(0.0);
            }
            let best = Best { network: network.clone(), epoch: 0, loss: f64::INFINITY };
            (Learner::new(network, processor), TrainingProgress::default(), best, Vec::new())
        };
        let learner = learner.with_rule(config.options().optimizer).with_hints(data.hints.clone());
        let learner = match config.options().average {
            Some(decay) => learner.with_average(decay),
            None => learner,
        };
        Ok(Self { config, data, windows, checkpoint, learner, progress, best, history, held_out, saved })
    }

    fn options(&self) -> &'a TrainingOptions {
        self.config.options()
    }

    fn run(self, observer: &mut (dyn TrainingObserver + Send)) -> Result<TrainingResult, TrainingError> {
        let source: &'a T = &self.data.training;
        let (first, _) = self.windows.locate(self.progress.batches);
        let (seed, epochs) = (self.options().seed, self.options().epochs);
        let plan = ReadPlan { windows: self.windows, seed, from: (self.progress.epochs, first), epochs };
        std::thread::scope(|scope| {
            let mut reading = read_windows(scope, source, plan);
            self.epochs(&mut reading, observer)
        })
    }

    fn epochs(
        mut self,
        reading: &mut Reading<'_, S>,
        observer: &mut (dyn TrainingObserver + Send),
    ) -> Result<TrainingResult, TrainingError> {
        self.save()?;
        observer.on_start(self.progress, &self.history);
        while self.progress.epochs < self.options().epochs {
            if self.is_out_of_patience() {
                return Ok(self.outcome(StopReason::NoProgress));
            }
            match self.epoch(reading, observer)? {
                EpochEnd::Complete => {
                    let batch = self.progress.batches;
                    let (record, largest_errors) = self.finish_epoch();
                    if record.validation.is_some_and(|validation| !validation.loss.is_finite()) {
                        self.history.pop();
                        return Ok(self.outcome(StopReason::NotFinite { epoch: record.epoch, batch }));
                    }
                    self.save()?;
                    observer.on_validation(record.epoch, self.weights(), &largest_errors.0);
                    observer.on_epoch(&record);
                }
                EpochEnd::Interrupted => {
                    self.save()?;
                    let state = self.state();
                    return Ok(TrainingResult { state: Some(state), ..self.outcome(StopReason::Interrupted) });
                }
                EpochEnd::NotFinite { batch } => {
                    let epoch = self.progress.epochs + 1;
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

    /// True if `patience` is exhausted.
    fn is_out_of_patience(&self) -> bool {
        !self.data.validation.picks.is_empty()
            && self.options().patience.is_some_and(|patience| self.progress.epochs - self.best.epoch >= patience)
    }

    fn batches(&self) -> u64 {
        self.data.training.rows().div_ceil(self.options().batch_size as u64)
    }

    /// Trains the rest of the current epoch.
    fn epoch(
        &mut self,
        reading: &mut Reading<'_, S>,
        observer: &mut (dyn TrainingObserver + Send),
    ) -> Result<EpochEnd, TrainingError> {
        let options = self.options();
        let epoch = self.progress.epochs;
        let share = options.result_share.in_epoch(epoch, options.epochs);
        let mut encoding = self.learner.processor().encoding(&options.architecture, options.objective, share);
        if options.side_to_move == SideToMove::NoInput {
            encoding = encoding.without_side_to_move();
        }
        let (before, start) = (self.progress.seconds, Instant::now());
        let mut presentation = Presentation { encoding, mirror: Mirror::Never, before, start };
        let (first, mut done) = self.windows.locate(self.progress.batches);
        for number in first..self.windows.count() {
            let window = match reading.next() {
                Some(Ok(window)) => window,
                Some(Err(error)) => return Ok(EpochEnd::Unreadable(error)),
                // The reader hangs up without an error only if it panicked; the panic is propagated when the thread is
                // joined.
                None => return Ok(EpochEnd::Interrupted),
            };
            if options.flips == Flips::Random {
                presentation.mirror = Mirror::Random(derive(options.seed, Purpose::Mirror { epoch, window: number }));
            }
            match self.window(&window, std::mem::take(&mut done), &presentation, observer) {
                EpochEnd::Complete => {}
                end => return Ok(end),
            }
            if self.saved.elapsed() >= SAVE_INTERVAL && self.progress.batches < self.batches() {
                self.save()?;
                observer.on_weights(self.weights());
            }
        }
        Ok(EpochEnd::Complete)
    }

    /// Trains the batches of a window, skipping the first `done`.
    fn window(
        &mut self,
        window: &Window<'_, S>,
        done: usize,
        presentation: &Presentation,
        observer: &mut (dyn TrainingObserver + Send),
    ) -> EpochEnd {
        let (processor, hints) = (self.learner.processor().clone(), self.data.hints.as_ref());
        let prepare = |mut batch: SparseBatch, picks: &[u32]| {
            batch.fill(window.samples(), picks, &presentation.encoding, presentation.mirror);
            processor.prepare(batch, hints)
        };
        let batch_size = self.options().batch_size;
        let rest = window.order.get(done * batch_size..).unwrap_or_default();
        let mut chunks = rest.chunks(batch_size);
        let mut spare = SparseBatch::default();
        let mut next = chunks.next().map(|picks| prepare(SparseBatch::default(), picks));
        while let Some(batch) = next {
            // Extract the next positions, and send them to a graphics card, while training on these.
            let (end, following) = rayon::join(
                || {
                    let losses = self.step(&batch);
                    self.progress.batches += 1;
                    self.report(&losses, presentation, observer)
                },
                || chunks.next().map(|picks| prepare(std::mem::take(&mut spare), picks)),
            );
            if let Some(end) = end {
                return end;
            }
            next = following;
            spare = batch.into_spare();
        }
        let losses = self.learner.read_losses();
        self.report(&losses, presentation, observer).unwrap_or(EpochEnd::Complete)
    }

    /// Reports the losses of the last steps, if there are any; returns why the epoch ends here, if it does.
    fn report(
        &mut self,
        losses: &[StepLoss],
        presentation: &Presentation,
        observer: &mut (dyn TrainingObserver + Send),
    ) -> Option<EpochEnd> {
        let last = losses.last()?.mean;
        if let Some(index) = losses.iter().position(|loss| !loss.mean.is_finite()) {
            return Some(EpochEnd::NotFinite { batch: self.progress.batches + 1 + index as u64 - losses.len() as u64 });
        }
        self.progress.loss_sum += losses.iter().map(|loss| f64::from(loss.mean) * loss.positions as f64).sum::<f64>();
        self.progress.seconds = presentation.before + presentation.start.elapsed().as_secs_f64();
        observer.on_batch(&self.progress(last)).is_break().then_some(EpochEnd::Interrupted)
    }

    /// Takes one step on a batch; returns the losses that are known after it.
    fn step(&mut self, batch: &Batch) -> Vec<StepLoss> {
        let options = self.options();
        let step = self.steps_done();
        let rate = self.learning_rate_at(step);
        let dropout = Dropout { rate: options.dropout, seed: options.seed, step };
        let size = StepSize { rate, decay: options.weight_decay };
        self.learner.step(batch, options.objective, dropout, size)
    }

    /// Steps taken since the first epoch.
    fn steps_done(&self) -> u64 {
        u64::from(self.progress.epochs) * self.batches() + self.progress.batches
    }

    /// The learning rate of the last step taken.
    fn last_learning_rate(&self) -> f32 {
        self.learning_rate_at(self.steps_done().saturating_sub(1))
    }

    fn learning_rate_at(&self, step: u64) -> f32 {
        let (options, batches) = (self.options(), self.batches());
        let moment = ScheduleStep { step, steps: batches * u64::from(options.epochs), steps_per_epoch: batches };
        options.schedule.rate(options.learning_rate, options.warmup_steps, moment)
    }

    /// The weights that are validated and exported.
    fn weights(&mut self) -> &FloatNetwork {
        self.learner.state().weights()
    }

    fn positions_done(&self) -> u64 {
        (self.progress.batches * self.options().batch_size as u64).min(self.data.training.rows())
    }

    fn progress(&self, batch_loss: f32) -> StepReport {
        let positions_done = self.positions_done();
        StepReport {
            epoch: self.progress.epochs + 1,
            epochs: self.options().epochs,
            batches_done: self.progress.batches,
            batches: self.batches(),
            positions_done,
            positions: self.data.training.rows(),
            learning_rate: self.last_learning_rate(),
            batch_loss,
            epoch_loss: self.progress.loss_sum / positions_done as f64,
        }
    }

    /// Validates the weights, keeps them if they are the best so far, and moves on to the next epoch. Also returns the
    /// validation rows with the largest errors.
    fn finish_epoch(&mut self) -> (EpochRecord, LargestErrors) {
        let options = self.options();
        let start = Instant::now();
        let positions = self.positions_done() as f64;
        let training_loss = self.progress.loss_sum / positions;
        let (_, share) = options.result_share.ends();
        let mut largest = LargestErrors::default();
        let (processor, rows) = (self.learner.processor().clone(), self.data.validation);
        let validation = evaluate_rows(self.weights(), &processor, options.objective, share, rows, &mut largest);
        let other_form = self.data.other_form.and_then(|rows| {
            evaluate(self.weights(), &processor, options.objective, share, rows).map(|other| other.metrics)
        });
        let loss = validation.map_or(training_loss, |validation| validation.loss);
        let epoch = self.progress.epochs + 1;
        let is_best = loss < self.best.loss;
        if is_best {
            self.best = Best { network: self.weights().clone(), epoch, loss };
        }
        let record = EpochRecord {
            epoch,
            learning_rate: self.last_learning_rate(),
            training_loss,
            validation,
            other_form,
            is_best,
            seconds: self.progress.seconds + start.elapsed().as_secs_f64(),
            positions_per_second: positions / self.progress.seconds.max(1e-9),
        };
        self.history.push(record.clone());
        self.progress = TrainingProgress { epochs: epoch, ..TrainingProgress::default() };
        (record, largest)
    }

    fn save(&mut self) -> Result<(), TrainingError> {
        let Some(path) = self.checkpoint.clone() else { return Ok(()) };
        self.state().save(&path)?;
        self.saved = Instant::now();
        Ok(())
    }

    fn state(&mut self) -> Checkpoint {
        Checkpoint {
            config: self.config.clone(),
            fingerprint: self.data.fingerprint.clone(),
            held_out: self.held_out.clone(),
            learner: self.learner.state().clone(),
            progress: self.progress,
            best: self.best.clone(),
            history: self.history.clone(),
        }
    }

    fn outcome(self, stop: StopReason) -> TrainingResult {
        let output_scale = self.options().objective.output_scale();
        let best_epoch = self.best.epoch;
        let state = self.learner.into_state();
        TrainingResult {
            last: rounded(state.weights().clone()),
            network: rounded(self.best.weights_or(state)),
            output_scale,
            best_epoch,
            history: self.history,
            held_out: self.held_out,
            stop,
            state: None,
        }
    }
}
