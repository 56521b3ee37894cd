//! Arguments that describe a network and its training; shared by `train` and `cross-validate`.

use std::path::PathBuf;

use alfiere_data::Fingerprint;
use alfiere_model::Hints;
use alfiere_teacher::Teacher;
use alfiere_trainer::stated_options::{StatedOptions, command_line};
use alfiere_training::{Start, TrainingConfig, TrainingOptions};
use clap::Args;

use super::Failure;
use super::command_line::{Preset, quoted};
use super::output::grouped;
use super::progress::remark;

/// The architecture and training options.
#[derive(Args, Clone)]
pub(crate) struct TrainArgs {
    /// Start from a preset: options for millions of rows, which other options override
    #[arg(long, value_enum, value_name = "NAME")]
    #[allow(dead_code, reason = "`command_line::spell_out` has replaced it by its options")]
    preset: Option<Preset>,
    #[command(flatten)]
    pub(crate) stated: StatedOptions,
}

impl TrainArgs {
    /// Validates the arguments. Options that are not stated are the best known for this number of rows.
    pub(crate) fn config(&self, rows: u64) -> Result<TrainingConfig, Failure> {
        // Check the device before the data is read.
        let processor = self.stated.device.processor().map_err(Failure::new)?;
        if !self.stated.device.is_cpu() {
            remark(&format!("device: {}", processor.name()));
        }
        let recipe = TrainingOptions::for_rows(rows, self.stated.start != Some(Start::Random));
        Ok(TrainingConfig::new(self.stated.options(recipe))?)
    }

    /// Tells which options were chosen by the number of rows, as they can be typed.
    pub(crate) fn remark_chosen(&self, options: &TrainingOptions, rows: u64) {
        let unstated = self.stated.unstated();
        let is_chosen = |word: &Vec<String>| unstated.contains(&(word[0].as_str(), true));
        let words: Vec<String> = command_line(options).into_iter().filter(is_chosen).flatten().collect();
        if !words.is_empty() {
            remark(&format!("chosen for {} rows: {}", grouped(rows), quoted(&words)));
        }
    }
}

#[derive(Args)]
pub(crate) struct HintArgs {
    /// Learn, beside the labels, what the first dense layer of this network computes: that of Stockfish 19's lite variant
    /// (nn-61e7af4bb97d.nnue), of Stockfish 19 or of Stockfish 15.1. Needs `dual`, `skip` and a second width of 32 (from 17 for
    /// Stockfish 15.1), and takes 6 % longer. Labels should be the same network's (see `distil` and `label`): with 40
    /// million of them the validation loss was half of what it was without
    #[arg(long, value_name = "TEACHER.nnue")]
    pub(crate) hints: Option<PathBuf>,
    /// Weight of the mean squared error of --hints
    #[arg(long, value_name = "W", default_value_t = 0.5, requires = "hints")]
    hint_weight: f32,
}

/// Hints, or none, and what the fingerprint of a run's data says about them.
#[derive(Default)]
pub(crate) struct LoadedHints {
    pub(crate) hints: Option<Hints>,
    words: String,
}

impl HintArgs {
    /// Reads the teacher, and checks that the network can learn from it.
    pub(crate) fn load(&self, options: &TrainingOptions) -> Result<LoadedHints, Failure> {
        let Some(path) = &self.hints else { return Ok(LoadedHints::default()) };
        let layer = Teacher::load(path)?.into_hidden_layer().ok_or_else(|| {
            Failure::new(format!(
                "--hints {}: a network of this project; expected one of Stockfish 15, 15.1 or 19",
                path.display()
            ))
        })?;
        let hints = Hints::new(layer, self.hint_weight, &options.architecture)?;
        let words = format!(", hints of {} times {}", Fingerprint::of(path)?, self.hint_weight);
        Ok(LoadedHints { hints: Some(hints), words })
    }
}

impl LoadedHints {
    pub(crate) fn named(&self, fingerprint: String) -> String {
        fingerprint + &self.words
    }
}
