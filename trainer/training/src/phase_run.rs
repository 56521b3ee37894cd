//! One phase of a run: its epochs, window by window and batch by batch.

use std::time::{Duration, Instant};

use alfiere_model::random::{Purpose, derive};
use alfiere_model::{Batch, Dropout, Encoding, FloatNetwork, Mirror, SparseBatch, StepLoss, StepSize};

use super::checkpoint::Best;
use super::error::{StopReason, TrainingError};
use super::evaluate::{LargestErrors, Rows, evaluate, evaluate_rows};
use super::observer::{EpochRecord, RowError, StepReport, TrainingObserver, TrainingProgress, Validation};
use super::options::{Flips, SideToMove, TrainingOptions};
use super::plan::Phase;
use super::run_state::Run;
use super::schedule::ScheduleStep;
use super::source::{ReadPlan, Reading, RowSource, Window, Windows, read_windows};

/// Minimum time between two checkpoints within an epoch; they are saved between windows.
const SAVE_INTERVAL: Duration = Duration::from_mins(1);

enum EpochEnd {
    Complete,
    Interrupted,
    NotFinite { batch: u64 },
}

pub(super) struct PhaseRun<'a, 'b> {
    pub(super) phase: &'a Phase,
    pub(super) source: &'a dyn RowSource,
    /// Rows of the lesson that select its epoch; `None` if the user's do.
    pub(super) lesson: Option<Rows<'a>>,
    pub(super) windows: Windows,
    pub(super) run: &'a mut Run<'b>,
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

    pub(super) fn run(mut self, observer: &mut (dyn TrainingObserver + Send)) -> Result<StopReason, TrainingError> {
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
                    observer.on_validation(record.epoch, self.weights(), &largest_errors);
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
            }
        }
        Ok(StopReason::Finished)
    }

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
            // The reader hangs up only if it panicked; the panic is propagated when the thread is joined.
            let Some(window) = reading.next() else { return Ok(EpochEnd::Interrupted) };
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
    fn finish_epoch(&mut self) -> (EpochRecord, Vec<RowError>) {
        let options = self.phase.config.options();
        let start = Instant::now();
        let positions = self.positions_done() as f64;
        let training_loss = self.run.state.progress.loss_sum / positions;
        let (_, share) = self.run.state.config.options().result_share.ends();
        let mut largest = LargestErrors::new(self.run.inputs.games);
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
        (record, largest.into_rows())
    }
}
