//! A run in memory: its rows, its state between two calls, and its progress as JSON.

use std::ops::ControlFlow;

use alfiere_data::{
    DataFile, Dataset, HeldOut, HeldOutRule, LoadOptions, Row, Split, data_warnings, fingerprints, split,
};
use alfiere_nnue::{FloatNetwork, Provenance};
use alfiere_training::{
    Checkpoint, RowError, Rows, RunFiles, StepReport, StopReason, TrainingConfig, TrainingData, TrainingObserver,
    TrainingOptions, TrainingResult, finished_network, train,
};
use serde_json::{Value, json};

pub(crate) struct Session {
    set: Dataset,
    split: Split,
    rule: HeldOutRule,
    config: TrainingConfig,
    /// Where the run goes on; `None` before its first step and after its last.
    state: Option<Checkpoint>,
    /// What the steps so far have led to.
    result: Option<TrainingResult>,
    /// The held-out rows with the largest errors after the latest epoch, the largest first.
    mistakes: Vec<RowError>,
}

/// Stops a run after a number of steps.
struct Steps<'a> {
    left: u32,
    last: Option<StepReport>,
    mistakes: &'a mut Vec<RowError>,
}

impl TrainingObserver for Steps<'_> {
    fn on_validation(&mut self, _: u32, _: &FloatNetwork, largest_errors: &[RowError]) {
        *self.mistakes = largest_errors.to_vec();
    }

    fn on_batch(&mut self, progress: &StepReport) -> ControlFlow<()> {
        self.left = self.left.saturating_sub(1);
        self.last = Some(*progress);
        if self.left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Session {
    /// Reads rows, holds some out and chooses the options, as `trainer train` does.
    pub(crate) fn new(name: &str, content: &[u8]) -> Result<Self, String> {
        let set = Dataset::from_csv(DataFile::new(name), content, &LoadOptions::default()).map_err(text)?;
        let options = TrainingOptions::for_rows(set.rows.len() as u64, false);
        let (split, rule) =
            split(&set.rows, &set.games, HeldOut::Share(HeldOut::DEFAULT_SHARE), options.seed).map_err(text)?;
        let config = TrainingConfig::new(options).map_err(text)?;
        Ok(Self { set, split, rule, config, state: None, result: None, mistakes: Vec::new() })
    }

    /// What was read.
    pub(crate) fn summary(&self) -> Value {
        let files = &self.set.files;
        let mut warnings: Vec<String> = files.iter().flat_map(|file| file.warnings.clone()).collect();
        warnings.extend(data_warnings(&self.set.rows));
        warnings.extend(self.rule.unit.warning().map(str::to_owned));
        let bad = files.iter().flat_map(|file| &file.report.quoted).map(ToString::to_string);
        json!({
            "rows": self.set.rows.len(),
            "training_rows": self.split.training.len(),
            "validation_rows": self.split.validation.len(),
            "bad_rows": files.iter().map(|file| file.report.bad_rows).sum::<u64>(),
            "bad": bad.collect::<Vec<_>>(),
            "warnings": warnings,
            "network": self.config.options().architecture.to_string(),
            "epochs": self.config.options().epochs,
            "steps": self.split.training.len().div_ceil(self.config.options().batch_size),
        })
    }

    /// The rows in the form that is trained on, and in the other one.
    fn samples(&self) -> [&[Row]; 2] {
        self.set.samples(self.config.options().captures)
    }

    /// Trains this number of steps, or to the end; returns the progress.
    pub(crate) fn steps(&mut self, count: u32) -> Result<Value, String> {
        let is_over = self.result.is_some() && self.state.is_none();
        let mut mistakes = std::mem::take(&mut self.mistakes);
        let mut steps = Steps { left: count, last: None, mistakes: &mut mistakes };
        if !is_over {
            let resume = self.state.take();
            let [samples, others] = self.samples();
            let data = TrainingData {
                other_form: Some(Rows { samples: others, picks: &self.split.validation }),
                held_out: Some(self.rule.clone()),
                ..TrainingData::new(
                    Rows { samples, picks: &self.split.training },
                    Rows { samples, picks: &self.split.validation },
                )
            };
            let mut result =
                train(&self.config, &data, RunFiles { resume, ..RunFiles::default() }, &mut steps).map_err(text)?;
            self.state = result.state.take();
            self.result = Some(result);
        }
        let last = steps.last;
        self.mistakes = mistakes;
        let result = self.result.as_ref().ok_or("no step was taken")?;
        let history = result.history.iter().map(|record| {
            json!({
                "epoch": record.epoch,
                "loss": record.training_loss,
                "validation": record.validation.map(|validation| validation.loss),
                "r2": record.validation.map(|validation| validation.metrics.r2),
                "r2_as_given": record.other_form.map(|metrics| metrics.r2),
                "is_best": record.is_best,
            })
        });
        let stop = (result.stop != StopReason::Interrupted).then(|| result.stop.to_string());
        Ok(json!({
            "epochs": history.collect::<Vec<_>>(),
            "epoch": last.map(|last| last.epoch),
            "positions_done": last.map(|last| last.positions_done),
            "loss": last.map(|last| last.epoch_loss),
            "mistakes": self.mistakes.iter().map(|error| self.mistake(error)).collect::<Vec<_>>(),
            "best_epoch": result.best_epoch,
            "stop": stop,
        }))
    }

    /// A row's position, label and prediction, in centipawns from White's side.
    fn mistake(&self, error: &RowError) -> Value {
        let row = &self.samples()[0][error.pick as usize];
        json!({ "fen": row.to_fen(), "label": row.label().to_string(), "prediction": error.centipawns.round() })
    }

    /// The file of the best network so far.
    pub(crate) fn network(&self) -> Result<Vec<u8>, String> {
        let (options, run) = (self.config.options(), self.result.as_ref().ok_or("no step was taken")?);
        let validation = Rows { samples: self.samples()[0], picks: &self.split.validation };
        let provenance = Provenance { data_fingerprint: fingerprints(&self.set.files), ..options.provenance() }
            .with("training_rows", self.split.training.len() as u64);
        let (network, _) = finished_network(run, validation, run.best_validation(), provenance).map_err(text)?;
        Ok(network.to_bytes())
    }
}

/// An error as a sentence.
#[allow(clippy::needless_pass_by_value, reason = "the form that `map_err` calls")]
fn text(error: impl ToString) -> String {
    error.to_string()
}
