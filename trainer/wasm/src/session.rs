//! A run in memory: its rows, its state between two calls, and its progress as JSON.

use std::ops::ControlFlow;

use alfiere_data::{
    DataFile, Dataset, HeldOut, HeldOutRule, LoadOptions, Row, Split, data_warnings, fingerprints, split,
};
use alfiere_model::Processor;
use alfiere_nnue::{FloatNetwork, Provenance};
use alfiere_search::platform::{Host, Signals};
use alfiere_sources::imitation::{first_lesson, learn_own_searches, own_searches};
use alfiere_training::{
    Checkpoint, RowError, Rows, RunFiles, Start, StepReport, StopReason, TrainingConfig, TrainingData,
    TrainingObserver, TrainingOptions, TrainingResult, Validation, evaluate, finished_network, train,
};
use serde_json::{Value, json};

use crate::lesson::Lesson;

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
    /// `None` before the last lesson, and without one.
    last_lesson: Option<LastLesson>,
}

/// What a network is after the lesson that follows the rows.
struct LastLesson {
    /// Positions of its own searches.
    positions: u64,
    /// Errors on the held-out rows, and R² on their other form.
    errors: Option<Validation>,
    r2_as_given: Option<f64>,
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
    /// Reads rows, holds some out and chooses the options, as `trainer train` does; also the start, unless one is given.
    pub(crate) fn new(name: &str, content: &[u8], start: Option<Start>) -> Result<Self, String> {
        // Searches of the lessons are limited by nodes alone.
        Host { now: || 0.0, entropy: || 1, signals: Signals::default, rest: || (), processors: || 1 }.install();
        let set = Dataset::from_csv(DataFile::new(name), content, &LoadOptions::default()).map_err(text)?;
        let recipe = TrainingOptions::for_rows(set.rows.len() as u64, start != Some(Start::Random));
        let options = TrainingOptions { start: start.unwrap_or(recipe.start), ..recipe };
        let (split, rule) =
            split(&set.rows, &set.games, HeldOut::Share(HeldOut::DEFAULT_SHARE), options.seed).map_err(text)?;
        let config = TrainingConfig::new(options).map_err(text)?;
        Ok(Self { set, split, rule, config, state: None, result: None, mistakes: Vec::new(), last_lesson: None })
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
            "start": self.config.options().start.to_string(),
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
            let training = Rows { samples, picks: &self.split.training };
            let start = if self.result.is_none() {
                first_lesson(&self.config, training, &mut Lesson("first")).map_err(text)?
            } else {
                None
            };
            let data = TrainingData {
                other_form: Some(Rows { samples: others, picks: &self.split.validation }),
                held_out: Some(self.rule.clone()),
                ..TrainingData::new(training, Rows { samples, picks: &self.split.validation })
            };
            let files = RunFiles { resume, start, ..RunFiles::default() };
            let mut result = train(&self.config, &data, files, &mut steps).map_err(text)?;
            let own = own_searches(self.config.options().start);
            if matches!(result.stop, StopReason::Finished | StopReason::NoProgress) && own > 0 {
                self.last_lesson = Some(self.learn_own(&mut result.network, own)?);
            }
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
            "last_lesson": self.last_lesson.as_ref().map(|last| json!({
                "r2": last.errors.map(|errors| errors.metrics.r2), "r2_as_given": last.r2_as_given,
            })),
            "stop": stop,
        }))
    }

    /// Teaches a network its own searches.
    fn learn_own(&self, network: &mut FloatNetwork, positions: u64) -> Result<LastLesson, String> {
        let options = self.config.options();
        let learnt = learn_own_searches(options, network.clone(), positions, &mut Lesson("last")).map_err(text)?;
        *network = learnt.ok_or("the last lesson was stopped")?;
        let [errors, other_form] = self.samples().map(|samples| {
            let rows = Rows { samples, picks: &self.split.validation };
            evaluate(network, &Processor::cores(), options.objective, options.result_share.ends().1, rows)
        });
        Ok(LastLesson { positions, errors, r2_as_given: other_form.map(|errors| errors.metrics.r2) })
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
        let mut provenance = Provenance { data_fingerprint: fingerprints(&self.set.files), ..options.provenance() }
            .with("training_rows", self.split.training.len() as u64);
        let mut errors = run.best_validation();
        if let Some(last) = &self.last_lesson {
            provenance = provenance.with("own_searches", last.positions);
            errors = last.errors;
        }
        let (network, _) = finished_network(run, validation, errors, provenance).map_err(text)?;
        Ok(network.to_bytes())
    }
}

/// An error as a sentence.
#[allow(clippy::needless_pass_by_value, reason = "the form that `map_err` calls")]
fn text(error: impl ToString) -> String {
    error.to_string()
}
