//! A run in memory: its rows, its state between two calls, and its progress as JSON.

use std::ops::ControlFlow;

use alfiere_data::metrics::{R2Interval, clipped};
use alfiere_data::{
    DataFile, Dataset, HeldOut, HeldOutRule, LoadOptions, Samples, Split, data_warnings, fingerprints, unit_ranks,
};
use alfiere_model::{FloatNetwork, Processor};
use alfiere_nnue::Provenance;
use alfiere_search::platform::{Host, Signals};
use alfiere_sources::lessons::SearchLessons;
use alfiere_sources::start_network::{StartNetwork, recipe};
use alfiere_training::{
    Checkpoint, EpochRecord, Phase, RowError, Rows, RunInputs, Start, StepReport, StopReason, TrainingConfig,
    TrainingObserver, TrainingProgress, TrainingResult, evaluate, finished_network, predict_centipawns, train,
};
use serde_json::{Value, json};

use crate::host;

pub(crate) struct Session {
    set: Dataset,
    split: Split,
    rule: HeldOutRule,
    config: TrainingConfig,
    start: Option<StartNetwork>,
    lessons: SearchLessons,
    /// Where the run goes on; `None` before its first epoch and after its last.
    state: Option<Checkpoint>,
    /// What the epochs so far have led to.
    result: Option<TrainingResult>,
    /// The held-out rows with the largest errors after the latest epoch, by phase of the game, each of another game.
    mistakes: Vec<RowError>,
}

/// Reports the progress of an epoch, and ends the call after it.
struct Epoch<'a> {
    lesson: String,
    mistakes: &'a mut Vec<RowError>,
}

impl TrainingObserver for Epoch<'_> {
    fn on_phase(&mut self, phases: &[Phase], index: usize, _: TrainingProgress, _: &[EpochRecord]) {
        self.lesson = phases[index].lesson.to_string();
    }

    fn on_rows(&mut self, made: u64, of: u64) -> ControlFlow<()> {
        host::report(&json!({ "lesson": self.lesson, "made": made, "of": of }));
        ControlFlow::Continue(())
    }

    fn on_batch(&mut self, progress: &StepReport) -> ControlFlow<()> {
        host::report(&json!({
            "lesson": self.lesson,
            "epoch": progress.epoch,
            "epochs": progress.epochs,
            "positions_done": progress.positions_done,
            "of": progress.positions,
        }));
        ControlFlow::Continue(())
    }

    fn on_validation(&mut self, _: u32, _: &FloatNetwork, largest_errors: &[RowError]) {
        *self.mistakes = largest_errors.to_vec();
    }

    fn on_epoch(&mut self, _: &EpochRecord) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

impl Session {
    /// Reads rows, holds some out and chooses the options, as `trainer train` does with this start.
    pub(crate) fn new(name: &str, start: &str, content: &[u8]) -> Result<Self, String> {
        // Searches of the lessons are limited by nodes alone.
        Host { now: || 0.0, entropy: || 1, signals: Signals::default, rest: || (), processors: || 1 }.install();
        let set = Dataset::from_csv(DataFile::new(name), content, &LoadOptions::default()).map_err(text)?;
        let start: Start = start.parse()?;
        let (mut options, mut start) = recipe(start, None, set.rows.len() as u64).map_err(text)?;
        let (split, rule) = set.split(HeldOut::Share(HeldOut::DEFAULT_SHARE), options.seed).map_err(text)?;
        if let Some(start) = &mut start {
            let rows = Rows { samples: set.samples(options.captures)[0], picks: &split.training };
            start.fit(&mut options.objective, false, rows);
        }
        let lessons = SearchLessons::new(&options, start.as_ref());
        let config = TrainingConfig::new(options).map_err(text)?;
        let (state, result) = (None, None);
        Ok(Self { set, split, rule, config, start, lessons, state, result, mistakes: Vec::new() })
    }

    /// What was read.
    pub(crate) fn summary(&self) -> Result<Value, String> {
        let files = &self.set.files;
        let mut warnings: Vec<String> = files.iter().flat_map(|file| file.warnings.clone()).collect();
        warnings.extend(data_warnings(&self.set.rows));
        warnings.extend(self.rule.unit.warning().map(str::to_owned));
        let bad = files.iter().flat_map(|file| &file.report.quoted).map(ToString::to_string);
        let phases = self.config.phases(self.split.training.len() as u64).map_err(text)?;
        Ok(json!({
            "rows": self.set.rows.len(),
            "training_rows": self.split.training.len(),
            "validation_rows": self.split.validation.len(),
            "bad_rows": files.iter().map(|file| file.report.bad_rows).sum::<u64>(),
            "bad": bad.collect::<Vec<_>>(),
            "warnings": warnings,
            "network": self.config.options().architecture.to_string(),
            "start": self.config.options().start.to_string(),
            "label_scale": self.label_scale(),
            "phases": phases.iter().map(|phase| json!({
                "lesson": phase.lesson.to_string(), "epochs": phase.config.options().epochs, "rows": phase.rows,
            })).collect::<Vec<_>>(),
        }))
    }

    fn label_scale(&self) -> f32 {
        self.start.as_ref().map_or(1.0, |start| start.label_scale)
    }

    /// The rows in the form that is trained on, and in the other one.
    fn samples(&self) -> [Samples<'_>; 2] {
        self.set.samples(self.config.options().captures)
    }

    /// Trains to the end of the current epoch; returns the progress.
    pub(crate) fn epoch(&mut self) -> Result<Value, String> {
        if self.result.is_none() || self.state.is_some() {
            let [samples, _] = self.samples();
            let training = Rows { samples, picks: &self.split.training };
            let start = match &self.start {
                Some(start) if self.result.is_none() => start.initial_weights(self.config.options()).map_err(text)?,
                _ => None,
            };
            let inputs = RunInputs {
                games: &self.set.games,
                held_out: Some(self.rule.clone()),
                lessons: Some(&self.lessons),
                start,
                resume: self.state.clone(),
                ..RunInputs::new(&training, Rows { samples, picks: &self.split.validation })
            };
            let mut mistakes = Vec::new();
            let mut observer = Epoch { lesson: String::new(), mistakes: &mut mistakes };
            let mut result = train(&self.config, inputs, &mut observer).map_err(text)?;
            self.mistakes = mistakes;
            self.state = result.state.take();
            self.result = Some(result);
        }
        let result = self.result.as_ref().ok_or("no step was taken")?;
        let history = result.history.iter().map(|record| {
            json!({
                "phase": record.phase,
                "epoch": record.epoch,
                "seconds": record.seconds,
                "loss": record.training_loss,
                "validation": record.validation.map(|validation| validation.loss),
                "r2": record.validation.map(|validation| validation.metrics.r2),
                "is_best": record.is_best,
            })
        });
        let stop = (result.stop != StopReason::Interrupted).then(|| result.stop.to_string());
        let r2 = self.samples().map(|samples| {
            let rows = Rows { samples, picks: &self.split.validation };
            let options = self.config.options();
            let errors = evaluate(&result.network, &Processor::cores(), options.objective, 0.0, rows);
            errors.map(|errors| errors.metrics.r2)
        });
        let interval = stop.is_some().then(|| self.interval(&result.network)).flatten();
        Ok(json!({
            "epochs": history.collect::<Vec<_>>(),
            "mistakes": self.mistakes.iter().map(|error| self.mistake(error)).collect::<Vec<_>>(),
            "best_epoch": result.best_epoch,
            "r2": r2[0],
            "r2_as_given": r2[1],
            "interval": interval,
            "unit": self.rule.unit.name(),
            "stop": stop,
        }))
    }

    /// The interval of R² on the held-out rows.
    fn interval(&self, network: &FloatNetwork) -> Option<R2Interval> {
        let (Self { set, rule, .. }, picks) = (self, &self.split.validation);
        let [samples, _] = self.samples();
        let predicted = predict_centipawns(network, self.config.options().objective, Rows { samples, picks });
        let labels = picks.iter().map(|&pick| samples.row(pick).label().clipped());
        let pairs = predicted.into_iter().map(|value| clipped(value.into())).zip(labels);
        R2Interval::new(&unit_ranks(&set.rows, &set.games, picks, rule.seed), pairs)
    }

    /// A row's position, label and prediction, in centipawns from White's side.
    fn mistake(&self, error: &RowError) -> Value {
        let row = self.samples()[0].row(error.pick);
        json!({ "fen": row.to_fen(), "phase": error.phase, "label": row.label().to_string(), "prediction": error.centipawns.round() })
    }

    /// The file of the network so far.
    pub(crate) fn network(&self) -> Result<Vec<u8>, String> {
        let (options, run) = (self.config.options(), self.result.as_ref().ok_or("no step was taken")?);
        let validation = Rows { samples: self.samples()[0], picks: &self.split.validation };
        let mut provenance = Provenance { data_fingerprint: fingerprints(&self.set.files), ..options.provenance() }
            .with("training_rows", self.split.training.len() as u64);
        if let Some(start) = &self.start {
            provenance = provenance.with("started_from", start.name.as_str()).with("label_scale", start.label_scale);
        }
        let network = finished_network(run, validation, run.validation, self.label_scale(), provenance);
        Ok(network.map_err(text)?.0.to_bytes())
    }
}

/// An error as a sentence.
#[allow(clippy::needless_pass_by_value, reason = "the form that `map_err` calls")]
fn text(error: impl ToString) -> String {
    error.to_string()
}
