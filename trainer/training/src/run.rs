//! The training loop: the phases of a plan, from the first step or from a checkpoint.
//!
//! The order of rows, the flips, the dropout and the order of sums depend only on the seed. A resumed run therefore
//! gives the same network, bit for bit, as an uninterrupted one, with any number of threads.

use std::time::{Duration, Instant};

use alfiere_data::{DataError, HeldOutRule};
use alfiere_model::random::{Purpose, derive};
use alfiere_model::{
    Batch, Dropout, Encoding, Learner, Mirror, SparseBatch, StepLoss, StepSize, first_weights, rounded,
};
use alfiere_nnue::FloatNetwork;

use super::checkpoint::{Best, Checkpoint};
use super::evaluate::{LargestErrors, Rows, evaluate, evaluate_rows};
use super::observer::{EpochRecord, StepReport, TrainingObserver, TrainingProgress, Validation};
use super::options::{Flips, SideToMove, TrainingConfig, TrainingOptions};
use super::plan::{Lesson, Phase};
use super::run_interface::{KeptWeights, RunInputs, StopReason, TrainingError, TrainingResult};
use super::schedule::ScheduleStep;
use super::source::{HAS_THREADS, Mixed, ReadPlan, Reading, RowSource, Window, Windows, read_windows};

/// Minimum time between two checkpoints within an epoch; they are saved between windows.
const SAVE_INTERVAL: Duration = Duration::from_mins(1);

/// Trains a network, phase by phase.
///
/// # Errors
/// If there are no training rows, the checkpoint is of a different run or cannot be written, or rows cannot be read or
/// made.
pub fn train(
    config: &TrainingConfig,
    inputs: RunInputs<'_>,
    observer: &mut (dyn TrainingObserver + Send),
) -> Result<TrainingResult, TrainingError> {
    if inputs.training.rows() == 0 {
        return Err(TrainingError::NoRows);
    }
    if !HAS_THREADS {
        return Run::new(config, inputs)?.run(observer);
    }
    let threads = config.options().threads;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| TrainingError::Threads { count: threads, reason: error.to_string() })?;
    pool.install(|| Run::new(config, inputs)?.run(observer))
}

/// All phases of a run, and where it is.
struct Run<'a> {
    inputs: RunInputs<'a>,
    phases: Vec<Phase>,
    /// The current phase.
    learner: Learner,
    state: State,
    saved: Instant,
}

/// What a checkpoint has beside the learner.
struct State {
    config: TrainingConfig,
    phase: usize,
    /// The weights at the end of each phase before.
    earlier: Vec<FloatNetwork>,
    progress: TrainingProgress,
    best: Best,
    history: Vec<EpochRecord>,
    /// The rule of the data; a resumed run takes it from the checkpoint, which records the history of the weights.
    held_out: Option<HeldOutRule>,
}

impl<'a> Run<'a> {
    fn new(config: &TrainingConfig, mut inputs: RunInputs<'a>) -> Result<Self, TrainingError> {
        let phases = config.phases(inputs.training.rows())?;
        let saved = Instant::now();
        if let Some(state) = inputs.resume.take() {
            if !config.leads_to_same_network(&state.config) || state.phase as usize >= phases.len() {
                return Err(TrainingError::OtherRun { what: "options" });
            }
            if !HeldOutRule::are_same(state.held_out.as_ref(), inputs.held_out.as_ref()) {
                return Err(TrainingError::OtherRun { what: "held-out rows" });
            }
            if state.fingerprint != inputs.fingerprint {
                return Err(TrainingError::OtherRun { what: "data" });
            }
            let phase = &phases[state.phase as usize];
            let processor = phase.config.options().device.processor().map_err(TrainingError::Device)?;
            let learner =
                Learner::resume(state.learner, processor).ok_or(TrainingError::OtherRun { what: "architectures" })?;
            let learner = prepared(learner, phase, &inputs);
            let Checkpoint { phase, earlier, progress, best, history, held_out, .. } = state;
            let config = config.clone();
            let state = State { config, phase: phase as usize, earlier, progress, best, history, held_out };
            return Ok(Self { inputs, phases, learner, state, saved });
        }
        let start = inputs.start.take();
        let (learner, best) = begin(&phases[0], &inputs, start)?;
        let state = State {
            config: config.clone(),
            phase: 0,
            earlier: Vec::new(),
            progress: TrainingProgress::default(),
            best,
            history: Vec::new(),
            held_out: inputs.held_out.clone(),
        };
        Ok(Self { inputs, phases, learner, state, saved })
    }

    fn run(mut self, observer: &mut (dyn TrainingObserver + Send)) -> Result<TrainingResult, TrainingError> {
        let training = self.inputs.training;
        let near = training.near().map_err(TrainingError::Rows)?;
        loop {
            self.save()?;
            let phase = self.phases[self.state.phase].clone();
            observer.on_phase(&self.phases, self.state.phase, self.state.progress, &self.state.history);
            let stop = if self.state.progress.epochs < phase.config.options().epochs {
                self.phase(&phase, near.rows(), observer)?
            } else {
                StopReason::Finished
            };
            match stop {
                StopReason::Finished | StopReason::NoProgress => {}
                StopReason::NotFinite { .. } if phase.lesson != Lesson::Rows => {
                    return Err(TrainingError::Lesson { lesson: phase.lesson, stop });
                }
                StopReason::Interrupted | StopReason::NotFinite { .. } => return Ok(self.outcome(&phase, stop)),
            }
            if self.is_last_phase() {
                return Ok(self.outcome(&phase, stop));
            }
            let weights = self.kept_weights(&phase);
            let next = &self.phases[self.state.phase + 1];
            (self.learner, self.state.best) = begin(next, &self.inputs, Some(weights.clone()))?;
            self.state.earlier.push(weights);
            self.state.phase += 1;
            self.state.progress = TrainingProgress::default();
        }
    }

    /// Trains the rest of the current phase.
    fn phase(
        &mut self,
        phase: &Phase,
        near: Rows<'_>,
        observer: &mut (dyn TrainingObserver + Send),
    ) -> Result<StopReason, TrainingError> {
        let (training, lessons) = (self.inputs.training, self.inputs.lessons);
        let is_lesson = phase.lesson != Lesson::Rows;
        let mut made = None;
        if is_lesson || phase.positions > 0 {
            let lessons = lessons.ok_or(TrainingError::NoLessons { lesson: phase.lesson })?;
            made = lessons.rows(phase, near, &self.state.earlier, observer)?;
            if made.is_none() {
                return Ok(StopReason::Interrupted);
            }
        }
        let (rows, mixed);
        let mut validation = Vec::new();
        let source: &dyn RowSource = match made {
            Some(made) if is_lesson => {
                validation = made.validation;
                rows = made.training;
                &*rows
            }
            Some(made) => {
                mixed = Mixed { rows: training, others: made.training };
                &mixed
            }
            None => training,
        };
        let picks: Vec<u32> = (0..validation.len() as u32).collect();
        let lesson = is_lesson.then_some(Rows { samples: &validation, picks: &picks });
        let windows = Windows::new(source.rows(), source.window_rows(), phase.config.options().batch_size);
        PhaseRun { phase, source, lesson, windows, run: self }.run(observer)
    }

    fn is_last_phase(&self) -> bool {
        self.state.phase + 1 == self.phases.len()
    }

    /// The weights that the next phase begins with.
    fn kept_weights(&mut self, phase: &Phase) -> FloatNetwork {
        let of_rows = phase.lesson == Lesson::Rows;
        if self.state.best.epoch == 0
            && let (Lesson::OwnSearches(_), Some(before)) = (phase.lesson, self.state.earlier.last())
        {
            return before.clone();
        }
        if self.state.best.epoch == 0 || of_rows && self.inputs.kept == KeptWeights::Last {
            return rounded(self.learner.state().weights().clone());
        }
        rounded(self.state.best.network.clone())
    }

    fn save(&mut self) -> Result<(), TrainingError> {
        let Some(path) = self.inputs.checkpoint.clone() else { return Ok(()) };
        self.checkpoint().save(&path)?;
        self.saved = Instant::now();
        Ok(())
    }

    fn checkpoint(&mut self) -> Checkpoint {
        let State { config, phase, earlier, progress, best, history, held_out } = &self.state;
        Checkpoint {
            config: config.clone(),
            fingerprint: self.inputs.fingerprint.clone(),
            held_out: held_out.clone(),
            phase: *phase as u32,
            earlier: earlier.clone(),
            learner: self.learner.state().clone(),
            progress: *progress,
            best: best.clone(),
            history: history.clone(),
        }
    }

    fn outcome(mut self, phase: &Phase, stop: StopReason) -> TrainingResult {
        let state = (stop == StopReason::Interrupted).then(|| self.checkpoint());
        let network = self.kept_weights(phase);
        let options = phase.config.options();
        let best_epoch = best_epoch(&self.state.history, &self.state.config, self.inputs.kept);
        let validation = if phase.lesson == Lesson::Rows {
            let of_rows = |record: &&EpochRecord| record.phase == self.state.phase as u32 && record.epoch == best_epoch;
            self.state.history.iter().find(of_rows).and_then(|record| record.validation)
        } else {
            let processor = self.learner.processor().clone();
            let (_, share) = self.state.config.options().result_share.ends();
            evaluate(&network, &processor, options.objective, share, self.inputs.validation)
        };
        TrainingResult {
            network,
            output_scale: options.objective.output_scale(),
            best_epoch,
            validation,
            history: self.state.history,
            held_out: self.state.held_out,
            stop,
            state,
        }
    }
}

/// The epoch of the user's rows whose weights a run takes; 0 before the first.
pub(super) fn best_epoch(history: &[EpochRecord], config: &TrainingConfig, kept: KeptWeights) -> u32 {
    let of_rows = |record: &&EpochRecord| record.phase == config.options().rows_phase();
    let mut records = history.iter().rev().filter(of_rows);
    records.find(|record| kept == KeptWeights::Last || record.is_best).map_or(0, |record| record.epoch)
}

/// The learner of a phase at its beginning, and its weights.
fn begin(phase: &Phase, inputs: &RunInputs<'_>, start: Option<FloatNetwork>) -> Result<(Learner, Best), TrainingError> {
    let options = phase.config.options();
    let mut network = first_weights(options.architecture.clone(), options.seed, start)?;
    if options.side_to_move == SideToMove::NoInput {
        network.layers[0].weights.row_mut(network.architecture.inputs.side_to_move()).fill(0.0);
    }
    let processor = options.device.processor().map_err(TrainingError::Device)?;
    let best = Best { network: network.clone(), epoch: 0, loss: f64::INFINITY };
    Ok((prepared(Learner::new(network, processor), phase, inputs), best))
}

/// The learner with the rule, hints and average of a phase.
fn prepared(learner: Learner, phase: &Phase, inputs: &RunInputs<'_>) -> Learner {
    let options = phase.config.options();
    let hints = inputs.hints.clone().filter(|_| phase.lesson == Lesson::Rows);
    let learner = learner.with_rule(options.optimizer).with_hints(hints);
    match options.average {
        Some(decay) => learner.with_average(decay),
        None => learner,
    }
}

enum EpochEnd {
    Complete,
    Interrupted,
    NotFinite { batch: u64 },
    Unreadable(DataError),
}

/// One phase of a run.
struct PhaseRun<'a, 'b> {
    phase: &'a Phase,
    source: &'a dyn RowSource,
    /// Rows of the lesson that select its epoch; `None` if the user's do.
    lesson: Option<Rows<'a>>,
    windows: Windows,
    run: &'a mut Run<'b>,
}

/// How the rows of a window are presented to the network.
struct Presentation {
    encoding: Encoding,
    mirror: Mirror,
    /// Seconds spent in the epoch before this session, and the start of this session's part.
    before: f64,
    start: Instant,
}

impl PhaseRun<'_, '_> {
    fn options(&self) -> &TrainingOptions {
        self.phase.config.options()
    }

    fn progress(&mut self) -> &mut TrainingProgress {
        &mut self.run.state.progress
    }

    fn run(mut self, observer: &mut (dyn TrainingObserver + Send)) -> Result<StopReason, TrainingError> {
        let (source, progress) = (self.source, *self.progress());
        let (first, _) = self.windows.locate(progress.batches);
        let (seed, epochs) = (self.options().seed, self.options().epochs);
        let plan = ReadPlan { windows: self.windows, seed, from: (progress.epochs, first), epochs };
        std::thread::scope(|scope| {
            let mut reading = read_windows(scope, source, plan);
            self.epochs(&mut reading, observer)
        })
    }

    fn epochs(
        &mut self,
        reading: &mut Reading<'_>,
        observer: &mut (dyn TrainingObserver + Send),
    ) -> Result<StopReason, TrainingError> {
        while self.progress().epochs < self.options().epochs {
            if self.is_out_of_patience() {
                return Ok(StopReason::NoProgress);
            }
            match self.epoch(reading, observer)? {
                EpochEnd::Complete => {
                    let batch = self.progress().batches;
                    let (record, largest_errors) = self.finish_epoch();
                    if record.validation.is_some_and(|validation| !validation.loss.is_finite()) {
                        self.run.state.history.pop();
                        return Ok(StopReason::NotFinite { epoch: record.epoch, batch });
                    }
                    self.run.save()?;
                    observer.on_validation(record.epoch, self.weights(), &largest_errors.0);
                    let is_end = record.epoch == self.options().epochs && self.run.is_last_phase();
                    if observer.on_epoch(&record).is_break() && !is_end {
                        return Ok(StopReason::Interrupted);
                    }
                }
                EpochEnd::Interrupted => {
                    self.run.save()?;
                    return Ok(StopReason::Interrupted);
                }
                EpochEnd::NotFinite { batch } => {
                    return Ok(StopReason::NotFinite { epoch: self.progress().epochs + 1, batch });
                }
                EpochEnd::Unreadable(error) => {
                    self.run.save()?;
                    return Err(TrainingError::Rows(error));
                }
            }
        }
        Ok(StopReason::Finished)
    }

    /// True if `patience` is exhausted.
    fn is_out_of_patience(&self) -> bool {
        let (epochs, best) = (self.run.state.progress.epochs, self.run.state.best.epoch);
        !self.run.inputs.validation.picks.is_empty()
            && self.options().patience.is_some_and(|patience| epochs - best >= patience)
    }

    fn batches(&self) -> u64 {
        self.source.rows().div_ceil(self.options().batch_size as u64)
    }

    /// Trains the rest of the current epoch.
    fn epoch(
        &mut self,
        reading: &mut Reading<'_>,
        observer: &mut (dyn TrainingObserver + Send),
    ) -> Result<EpochEnd, TrainingError> {
        let options = self.phase.config.options();
        let epoch = self.run.state.progress.epochs;
        let share = options.result_share.in_epoch(epoch, options.epochs);
        let mut encoding = self.run.learner.processor().encoding(&options.architecture, options.objective, share);
        if options.side_to_move == SideToMove::NoInput {
            encoding = encoding.without_side_to_move();
        }
        let (before, start) = (self.run.state.progress.seconds, Instant::now());
        let mut presentation = Presentation { encoding, mirror: Mirror::Never, before, start };
        let (first, mut done) = self.windows.locate(self.run.state.progress.batches);
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
            if self.run.saved.elapsed() >= SAVE_INTERVAL && self.run.state.progress.batches < self.batches() {
                self.run.save()?;
                observer.on_weights(self.weights());
            }
        }
        Ok(EpochEnd::Complete)
    }

    /// Trains the batches of a window, skipping the first `done`.
    fn window(
        &mut self,
        window: &Window<'_>,
        done: usize,
        presentation: &Presentation,
        observer: &mut (dyn TrainingObserver + Send),
    ) -> EpochEnd {
        let processor = self.run.learner.processor().clone();
        let hints = self.run.inputs.hints.clone().filter(|_| self.lesson.is_none());
        let prepare = |mut batch: SparseBatch, picks: &[u32]| {
            batch.fill(window.samples(), picks, &presentation.encoding, presentation.mirror);
            processor.prepare(batch, hints.as_ref())
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
                    self.run.state.progress.batches += 1;
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
        let losses = self.run.learner.read_losses();
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
            return Some(EpochEnd::NotFinite {
                batch: self.run.state.progress.batches + 1 + index as u64 - losses.len() as u64,
            });
        }
        self.run.state.progress.loss_sum +=
            losses.iter().map(|loss| f64::from(loss.mean) * loss.positions as f64).sum::<f64>();
        self.run.state.progress.seconds = presentation.before + presentation.start.elapsed().as_secs_f64();
        observer.on_batch(&self.report_of(last)).is_break().then_some(EpochEnd::Interrupted)
    }

    /// Takes one step on a batch; returns the losses that are known after it.
    fn step(&mut self, batch: &Batch) -> Vec<StepLoss> {
        let options = self.phase.config.options();
        let step = self.steps_done();
        let rate = self.learning_rate_at(step);
        let dropout = Dropout { rate: options.dropout, seed: options.seed, step };
        let size = StepSize { rate, decay: options.weight_decay };
        self.run.learner.step(batch, options.objective, dropout, size)
    }

    /// Steps taken since the first epoch.
    fn steps_done(&self) -> u64 {
        u64::from(self.run.state.progress.epochs) * self.batches() + self.run.state.progress.batches
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
        self.run.learner.state().weights()
    }

    fn positions_done(&self) -> u64 {
        (self.run.state.progress.batches * self.options().batch_size as u64).min(self.source.rows())
    }

    fn report_of(&self, batch_loss: f32) -> StepReport {
        let positions_done = self.positions_done();
        StepReport {
            epoch: self.run.state.progress.epochs + 1,
            epochs: self.options().epochs,
            batches_done: self.run.state.progress.batches,
            batches: self.batches(),
            positions_done,
            positions: self.source.rows(),
            learning_rate: self.last_learning_rate(),
            batch_loss,
            epoch_loss: self.run.state.progress.loss_sum / positions_done as f64,
        }
    }

    /// Validates the weights, keeps them if they are the best so far, and moves on to the next epoch. Also returns the
    /// validation rows with the largest errors.
    fn finish_epoch(&mut self) -> (EpochRecord, LargestErrors) {
        let options = self.phase.config.options();
        let start = Instant::now();
        let positions = self.positions_done() as f64;
        let training_loss = self.run.state.progress.loss_sum / positions;
        let (_, share) = self.run.state.config.options().result_share.ends();
        let mut largest = LargestErrors::default();
        let (processor, rows) = (self.run.learner.processor().clone(), self.run.inputs.validation);
        let mut validation = evaluate_rows(self.weights(), &processor, options.objective, share, rows, &mut largest);
        // A lesson is measured on the user's rows, too, but its own rows select the epoch.
        if let Some(rows) = self.lesson {
            let own = evaluate(self.weights(), &processor, options.objective, 0.0, rows);
            let loss = own.map_or(training_loss, |own| own.loss);
            validation = validation.or(own).map(|validation| Validation { loss, ..validation });
        }
        let loss = validation.map_or(training_loss, |validation| validation.loss);
        let epoch = self.run.state.progress.epochs + 1;
        let is_best = loss < self.run.state.best.loss;
        if is_best {
            self.run.state.best = Best { network: self.weights().clone(), epoch, loss };
        }
        let state = &mut self.run.state;
        let record = EpochRecord {
            phase: state.phase as u32,
            epoch,
            learning_rate: 0.0,
            training_loss,
            validation,
            is_best,
            seconds: state.progress.seconds + start.elapsed().as_secs_f64(),
            positions_per_second: positions / state.progress.seconds.max(1e-9),
        };
        let record = EpochRecord { learning_rate: self.last_learning_rate(), ..record };
        self.run.state.history.push(record.clone());
        self.run.state.progress = TrainingProgress { epochs: epoch, ..TrainingProgress::default() };
        (record, largest)
    }
}
