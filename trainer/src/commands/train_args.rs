//! Arguments that describe a network and its training; shared by `train` and `cross-validate`.

use std::path::PathBuf;

use alfiere_data::Fingerprint;
use alfiere_model::{FloatNetwork, Hints};
use alfiere_sources::start_network::{StartNetwork, recipe};
use alfiere_teacher::Teacher;
use alfiere_terminal::remark;
use alfiere_trainer::stated_options::{StatedOptions, command_line};
use alfiere_training::{Rows, Start, TrainingConfig, TrainingOptions};
use clap::Args;

use super::Failure;
use super::command_line::{Preset, quoted};
use super::output::grouped;

/// The architecture and training options.
#[derive(Args, Clone)]
pub(crate) struct TrainArgs {
    /// Options for millions of rows from nothing, which other options override
    #[arg(long, value_enum, value_name = "NAME", help_heading = "Network")]
    preset: Option<Preset>,
    #[command(flatten)]
    pub(crate) stated: StatedOptions,
}

/// The options of a training and the network that it starts from.
pub(crate) struct Planned {
    pub(crate) options: TrainingOptions,
    pub(crate) start: Option<StartNetwork>,
}

impl TrainArgs {
    /// The options of a training on this number of rows: those that are not stated are the best known. Fails if they
    /// contradict each other.
    pub(crate) fn plan(&self, rows: u64) -> Result<Planned, Failure> {
        // Check the device before the data is read.
        let processor = self.stated.device.processor().map_err(Failure::new)?;
        if !self.stated.device.is_cpu() {
            remark(format_args!("device: {}", processor.name()));
        }
        let from_nothing = if self.preset.is_some() { Start::Random } else { Start::EMBEDDED };
        let start = self.stated.start.clone().unwrap_or(from_nothing);
        let shape = match (&self.stated.net, self.preset) {
            (Some(shape), _) => Some(shape.clone()),
            (None, Some(preset)) => Some(preset.shape().parse()?),
            (None, None) => None,
        };
        let (mut recipe, start) = recipe(start, shape.as_ref(), rows)?;
        if let Some(preset) = self.preset {
            preset.apply(&mut recipe);
        }
        let options = TrainingConfig::new(self.stated.options(recipe))?.options().clone();
        if let Some(start) = &start {
            // Units that contradict each other are named before the rows are read.
            let mut start = start.clone();
            start.fit(&mut options.objective.clone(), true, Rows::new(&[], &[]));
            start.initial_weights(&options)?;
        }
        Ok(Planned { options, start })
    }

    /// Tells which options were chosen, as they can be typed.
    pub(crate) fn remark_chosen(&self, options: &TrainingOptions, rows: u64) {
        let unstated = self.stated.unstated();
        let is_chosen = |word: &Vec<String>| unstated.contains(&(word[0].as_str(), true));
        let words: Vec<String> = command_line(options).into_iter().filter(is_chosen).flatten().collect();
        if !words.is_empty() {
            remark(format_args!("chosen for {} rows: {}", grouped(rows), quoted(&words)));
        }
    }
}

impl Planned {
    /// Measures the scale of the labels on these rows, in the form that is trained on, unless it is stated.
    pub(crate) fn fit(&mut self, stated: &StatedOptions, rows: Rows<'_>) {
        let Some(start) = &mut self.start else { return };
        start.fit(&mut self.options.objective, !stated.has_no_scale(), rows);
        remark(format_args!(
            "start: {}; the labels are {:.2} times its values, R2 is in their centipawns",
            start.name, start.label_scale
        ));
    }

    /// The weights of the start; `None` if there are none.
    pub(crate) fn initial_weights(&self) -> Result<Option<FloatNetwork>, Failure> {
        Ok(self.start.as_ref().map(|start| start.initial_weights(&self.options)).transpose()?.flatten())
    }

    /// Centipawns of the labels for each internal unit of the network.
    pub(crate) fn label_scale(&self) -> f32 {
        self.start.as_ref().map_or(1.0, |start| start.label_scale)
    }
}

#[derive(Args)]
pub(crate) struct HintArgs {
    /// Learn, beside the labels, what the first dense layer of this network computes: that of Stockfish 19's lite variant
    /// (nn-61e7af4bb97d.nnue) or of Stockfish 19. Needs `dual`, `skip` and a second width of 32, and takes 6 % longer. Labels should be the same network's (see `distil` and `label`): with 40
    /// million of them the validation loss was half of what it was without
    #[arg(long, value_name = "TEACHER.nnue", help_heading = "Expert")]
    pub(crate) hints: Option<PathBuf>,
    /// Weight of the mean squared error of --hints
    #[arg(long, value_name = "W", default_value_t = 0.5, requires = "hints", help_heading = "Expert")]
    hint_weight: f32,
}

impl HintArgs {
    /// Reads the teacher, and checks that the network can learn from it. Also returns what the fingerprint of a run's data
    /// says about it.
    pub(crate) fn load(&self, options: &TrainingOptions) -> Result<(Option<Hints>, String), Failure> {
        let Some(path) = &self.hints else { return Ok((None, String::new())) };
        let layer = Teacher::load(path)?.into_hidden_layer().ok_or_else(|| {
            Failure::new(format!("--hints {}: a network of this project; expected one of Stockfish 19", path.display()))
        })?;
        let hints = Hints::new(layer, self.hint_weight, &options.architecture)?;
        let words = format!(", hints of {} times {}", Fingerprint::of(path)?, self.hint_weight);
        Ok((Some(hints), words))
    }
}
