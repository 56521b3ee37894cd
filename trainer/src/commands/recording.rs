//! Shows a run on the terminal and writes its record.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use alfiere_data::Row;
use alfiere_nnue::FloatNetwork;
use alfiere_training::record::{Mistake, Recorder, RowCounts};
use alfiere_training::{
    EpochRecord, RowError, RunFiles, StepReport, TrainingConfig, TrainingObserver, TrainingOptions, TrainingProgress,
};

use super::progress::remark;
use super::run_data::RunData;
use super::training_display::TrainingDisplay;

/// Observes a run. If the record cannot be written, the run continues without it.
pub(crate) struct Recording<'a> {
    display: TrainingDisplay,
    /// `None` before the run has started, or if the record cannot be written.
    recorder: Option<Recorder>,
    path: &'a Path,
    options: &'a TrainingOptions,
    counts: RowCounts,
    is_resumed: bool,
    /// The samples of the rows that select the epoch.
    rows: &'a [Row],
}

impl<'a> Recording<'a> {
    /// Prepares the record of a run. The file stays as it is until the run has started.
    pub(crate) fn new(path: &'a Path, config: &'a TrainingConfig, data: &RunData<'a>, files: &RunFiles) -> Self {
        Self {
            display: TrainingDisplay::default(),
            recorder: None,
            path,
            options: config.options(),
            counts: RowCounts {
                training: data.training_rows,
                inner: data.inner_rows(),
                validation: data.validation_rows(),
            },
            is_resumed: files.resume.is_some(),
            rows: data.selecting().samples,
        }
    }

    /// Records why the run ended.
    pub(crate) fn end(mut self, reason: &str) {
        self.record(|recorder| recorder.end(reason));
    }

    fn record(&mut self, write: impl FnOnce(&mut Recorder) -> io::Result<()>) {
        if let Some(Err(error)) = self.recorder.as_mut().map(write) {
            self.give_up(&error);
        }
    }

    fn give_up(&mut self, error: &io::Error) {
        self.recorder = None;
        remark(&format!("{}: {error}; the run continues without a record", self.path.display()));
    }
}

impl TrainingObserver for Recording<'_> {
    fn on_start(&mut self, progress: TrainingProgress, history: &[EpochRecord]) {
        match Recorder::create(self.path, self.options, self.counts, self.is_resumed.then_some((progress, history))) {
            Ok(recorder) => self.recorder = Some(recorder),
            Err(error) => self.give_up(&error),
        }
    }

    fn on_batch(&mut self, progress: &StepReport) -> ControlFlow<()> {
        self.record(|recorder| recorder.step(progress));
        self.display.on_batch(progress)
    }

    fn on_weights(&mut self, network: &FloatNetwork) {
        self.record(|recorder| recorder.weights(network));
    }

    fn on_validation(&mut self, network: &FloatNetwork, largest_errors: &[RowError]) {
        let Some(recorder) = &mut self.recorder else { return };
        let rows = self.rows;
        recorder.validated(network, || largest_errors.iter().map(|row| mistake(rows, row)).collect());
    }

    fn on_epoch(&mut self, record: &EpochRecord) {
        self.record(|recorder| recorder.epoch(record));
        self.display.on_epoch(record);
    }
}

fn mistake(rows: &[Row], row: &RowError) -> Mistake {
    let sample = &rows[row.pick as usize];
    let label = sample.label().to_string();
    Mistake { fen: sample.to_fen(), label, prediction: row.centipawns.round() as i32, error: row.error }
}
