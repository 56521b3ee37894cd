//! Shows a training run: a progress bar for each epoch, and a line after it.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use alfiere_data::Samples;
use alfiere_model::{FloatNetwork, quantise, rounded};
use alfiere_terminal::{Progress, interrupt, remark};
use alfiere_trainer::experiment::EpochSelection;
use alfiere_training::record::{self, Mistake, Recorder, RowCounts};
use alfiere_training::{
    EpochRecord, Phase, RowError, StepReport, TrainingConfig, TrainingObserver, TrainingOptions, TrainingProgress,
};

use super::output::grouped;
use super::run_data::RunData;

/// Shows a run; stops it on Ctrl-C.
#[derive(Default)]
pub(crate) struct TrainingDisplay {
    /// Prefix of each line, such as the fold.
    prefix: String,
    /// How a fold's epoch is selected; `None` for a run that uses the best one.
    selection: Option<EpochSelection>,
    /// The lesson of the phase, for runs of several ones.
    lesson: String,
    bar: Option<(u32, Progress)>,
}

impl TrainingDisplay {
    /// Shows a fold, with `prefix` before each line.
    pub(crate) fn fold(prefix: &str, selection: EpochSelection) -> Self {
        Self { prefix: prefix.to_owned(), selection: Some(selection), ..Self::default() }
    }
}

impl TrainingObserver for TrainingDisplay {
    fn on_phase(&mut self, phases: &[Phase], index: usize, _: TrainingProgress, _: &[EpochRecord]) {
        self.lesson = if phases.len() > 1 { format!("{}, ", phases[index].lesson) } else { String::new() };
    }

    fn on_rows(&mut self, made: u64, of: u64) -> ControlFlow<()> {
        let (_, bar) = self.bar.get_or_insert_with(|| (0, Progress::new("positions of searches", of, "positions")));
        bar.at(made, "");
        if made >= of {
            self.bar = None;
        }
        interrupt::flow()
    }

    fn on_batch(&mut self, progress: &StepReport) -> ControlFlow<()> {
        let bar = match &mut self.bar {
            Some((epoch, bar)) if *epoch == progress.epoch => bar,
            bar => {
                let name = format!("{}{}epoch {}/{}", self.prefix, self.lesson, progress.epoch, progress.epochs);
                let shown = Progress::new(&name, progress.positions, "positions").after(progress.positions_done);
                &mut bar.insert((progress.epoch, shown)).1
            }
        };
        bar.at(progress.positions_done, &format!("loss {:.5}", progress.epoch_loss));
        interrupt::flow()
    }

    fn on_epoch(&mut self, record: &EpochRecord) -> ControlFlow<()> {
        self.bar = None;
        let validation = record.validation.map_or_else(String::new, |validation| {
            let metrics = validation.metrics;
            format!("  validation {:.5}  R2 {:.4}  MAE {:.4}", validation.loss, metrics.r2, metrics.mae)
        });
        remark(format_args!(
            "{}{}epoch {:>3}  lr {:.2e}  loss {:.5}{validation}  {} positions/s  {:.1} s{}",
            self.prefix,
            self.lesson,
            record.epoch,
            record.learning_rate,
            record.training_loss,
            grouped(record.positions_per_second as u64),
            record.seconds,
            if record.is_best && self.selection != Some(EpochSelection::Last) { "  best" } else { "" },
        ));
        interrupt::flow()
    }
}

/// The networks of every N-th epoch, beside that of the run.
pub(crate) struct KeptNetworks {
    pub(crate) every: u32,
    pub(crate) out: PathBuf,
}

impl KeptNetworks {
    pub(crate) fn path(&self, epoch: u32) -> PathBuf {
        self.out.with_extension(format!("epoch{epoch}.nnue"))
    }

    fn keep(&self, epoch: u32, weights: &FloatNetwork, options: &TrainingOptions) -> Result<(), String> {
        let provenance = options.provenance().with("epoch", u64::from(epoch));
        let network = quantise(&rounded(weights.clone()), options.objective.output_scale(), provenance);
        network.map_err(|error| error.to_string())?.save(self.path(epoch)).map_err(|error| error.to_string())
    }
}

/// Observes a run. If the record cannot be written, the run continues without it.
pub(crate) struct Recording<'a> {
    display: TrainingDisplay,
    /// `None` before the run has started, or if the record cannot be written.
    recorder: Option<Recorder>,
    path: PathBuf,
    options: TrainingOptions,
    counts: RowCounts,
    is_resumed: bool,
    is_started: bool,
    /// Whether the phase is that of the user's rows.
    rows_phase: bool,
    /// The samples of the rows that select the epoch, to record those with the largest errors; `None` for none.
    rows: Option<Samples<'a>>,
    pub(crate) kept: Option<KeptNetworks>,
}

impl<'a> Recording<'a> {
    /// Prepares the record of a run. The file stays as it is until the run has started.
    pub(crate) fn new(path: PathBuf, config: &TrainingConfig, data: &RunData<'a>, is_resumed: bool) -> Self {
        let (training, inner, validation) = (data.training_rows, data.inner_rows(), data.validation_rows());
        Self {
            is_resumed,
            rows: Some(data.selecting().samples),
            ..Self::of_new(path, config.options().clone(), RowCounts { training, inner, validation })
        }
    }

    /// Prepares the record of a new run, without rows.
    pub(crate) fn of_new(path: PathBuf, options: TrainingOptions, counts: RowCounts) -> Self {
        let display = TrainingDisplay::default();
        Self {
            display,
            recorder: None,
            path,
            options,
            counts,
            is_resumed: false,
            is_started: false,
            rows_phase: false,
            rows: None,
            kept: None,
        }
    }

    /// Records why the run ended.
    pub(crate) fn end(&mut self, reason: &str) {
        self.record(|recorder| recorder.end(reason));
    }

    /// Records the errors of the written network.
    pub(crate) fn measured(&mut self, measured: record::Measured) {
        self.record(|recorder| recorder.measured(measured));
    }

    fn record(&mut self, write: impl FnOnce(&mut Recorder) -> io::Result<()>) {
        if let Some(Err(error)) = self.recorder.as_mut().map(write) {
            self.give_up(&error);
        }
    }

    fn give_up(&mut self, error: &io::Error) {
        self.recorder = None;
        remark(format_args!("{}: {error}; the run continues without a record", self.path.display()));
    }
}

impl TrainingObserver for Recording<'_> {
    fn on_phase(&mut self, phases: &[Phase], index: usize, progress: TrainingProgress, history: &[EpochRecord]) {
        self.display.on_phase(phases, index, progress, history);
        self.rows_phase = self.options.rows_phase() as usize == index;
        if !self.is_started {
            self.is_started = true;
            match Recorder::create(&self.path, alfiere_trainer::VERSION, self.is_resumed) {
                Ok(recorder) => self.recorder = Some(recorder),
                Err(error) => self.give_up(&error),
            }
        }
        let (options, counts) = (self.options.clone(), self.counts);
        self.record(|recorder| recorder.phase(&options, counts, (phases, index), progress, history));
    }

    fn on_rows(&mut self, made: u64, of: u64) -> ControlFlow<()> {
        self.display.on_rows(made, of)
    }

    fn on_batch(&mut self, progress: &StepReport) -> ControlFlow<()> {
        self.record(|recorder| recorder.step(progress));
        self.display.on_batch(progress)
    }

    fn on_weights(&mut self, network: &FloatNetwork) {
        self.record(|recorder| recorder.weights(network));
    }

    fn on_validation(&mut self, epoch: u32, network: &FloatNetwork, largest_errors: &[RowError]) {
        if let Some(kept) = self.kept.as_ref().filter(|kept| self.rows_phase && epoch.is_multiple_of(kept.every))
            && let Err(error) = kept.keep(epoch, network, &self.options)
        {
            remark(format_args!("warning: no network of epoch {epoch} is kept: {error}"));
        }
        let Some(recorder) = &mut self.recorder else { return };
        let rows = self.rows;
        let mistakes = largest_errors.iter().filter_map(|row| mistake(rows, row));
        recorder.validated(network, || mistakes.collect());
    }

    fn on_epoch(&mut self, record: &EpochRecord) -> ControlFlow<()> {
        self.record(|recorder| recorder.epoch(record));
        self.display.on_epoch(record)
    }
}

fn mistake(rows: Option<Samples<'_>>, row: &RowError) -> Option<Mistake> {
    let sample = rows?.row(row.pick);
    let label = sample.label().to_string();
    Some(Mistake {
        fen: sample.to_fen(),
        phase: Some(row.phase),
        label,
        prediction: row.centipawns.round() as i32,
        error: row.error,
    })
}
