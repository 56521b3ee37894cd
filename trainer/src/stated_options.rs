//! The options of a training as they are stated: on a command line, or in the `[run]` table of a sweep file, where `-` is `_`.

use alfiere_data::Captures;
use alfiere_model::{Compute, Objective, UpdateRule};
use alfiere_nnue::Architecture;
use alfiere_training::{Flips, MAX_THREADS, ResultShare, Schedule, SideToMove, Start, TrainingOptions};
use clap::{Args, Command, FromArgMatches, ValueEnum};
use serde::{Deserialize, Deserializer};

/// The loss function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Loss {
    /// Squared error of `clamp(cp / 1000, -1, 1)`
    Report,
    /// Squared error of `tanh(cp / scale)`
    Tanh,
    /// `|sigmoid(output) - p|^power`, with p from the label and the game result
    Sigmoid,
}

/// How the learning rate decays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ScheduleKind {
    /// Constant
    Constant,
    /// Cosine decay to `--final-lr`
    Cosine,
    /// Linear decay to `--final-lr`
    Linear,
    /// Multiplied by `--gamma` every `--step-epochs`
    Step,
}

/// The architecture and training options. Those that are `None` are a [`TrainingOptions`]'s.
#[derive(Args, Clone, PartialEq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StatedOptions {
    /// The architecture: perspective and hidden widths, then in any order: activation (crelu, screlu; relu and tanh in experiments); output buckets
    /// (x1, x8); stacks: each bucket has its own layers after the accumulator; pairwise: the halves of an accumulator
    /// are multiplied; skip: the output layer reads all hidden layers; wide: 16-bit weights in the accumulator of a
    /// deeper network; attacks: inputs tell what attacks a piece; and king buckets for king-relative inputs (kings=1, 2,
    /// 4, 8, 16). Lists of your own: kings=LIST, outputs=LIST (docs/guide/networks.md).
    /// Example: "dual [1024,32,32] x8 stacks pairwise skip kings=1"
    #[arg(long, value_name = "ARCHITECTURE", help_heading = "Network")]
    pub net: Option<Architecture>,
    /// Number of passes over the data
    #[arg(long, value_name = "N", help_heading = "Training")]
    epochs: Option<u32>,
    /// Positions per step
    #[arg(long, value_name = "N", help_heading = "Training")]
    batch: Option<usize>,
    /// Peak learning rate
    #[arg(long, value_name = "RATE", help_heading = "Training")]
    lr: Option<f32>,
    /// How the learning rate decays
    #[arg(long, value_enum, default_value_t = ScheduleKind::Cosine, help_heading = "Expert")]
    schedule: ScheduleKind,
    /// Final learning rate of the cosine and linear schedules, as a fraction of the peak [default: 0.01]
    #[arg(long, value_name = "SHARE", help_heading = "Expert")]
    final_lr: Option<f32>,
    /// Decay factor of the step schedule
    #[arg(long, value_name = "FACTOR", default_value_t = 0.3, help_heading = "Expert")]
    gamma: f32,
    /// Epochs between two decays of the step schedule
    #[arg(long, value_name = "N", default_value_t = 8, help_heading = "Expert")]
    step_epochs: u32,
    /// Warm-up steps of the learning rate [default: 0]
    #[arg(long, value_name = "N", help_heading = "Expert")]
    warmup: Option<u64>,
    /// Optimiser
    #[arg(long, value_enum, default_value_t = UpdateRule::AdamW, help_heading = "Expert")]
    optimizer: UpdateRule,
    /// Weight decay, a share of the weight per unit of the learning rate
    #[arg(long, value_name = "RATE", help_heading = "Training")]
    weight_decay: Option<f32>,
    /// Dropout probability of the hidden neurons
    #[arg(long, value_name = "SHARE", help_heading = "Training")]
    dropout: Option<f32>,
    /// Validate and export an exponential moving average of the weights with this decay: 0.999 averages about the last
    /// thousand steps
    #[arg(long, value_name = "DECAY", help_heading = "Expert")]
    average: Option<f32>,
    /// Loss function [default: sigmoid]
    #[arg(long, value_enum, help_heading = "Training")]
    loss: Option<Loss>,
    /// Centipawns per output unit, for the tanh and sigmoid losses [default: with a start that is a network, the scale at which
    /// its values fit the labels best; else 400]
    #[arg(long, value_name = "CP", help_heading = "Training")]
    scale: Option<f32>,
    /// Exponent of the sigmoid loss
    #[arg(long, value_name = "P", default_value_t = 2.0, help_heading = "Expert")]
    power: f32,
    /// Weight of the game result in the target, constant (0.2) or from the first to the last epoch (0:0.3)
    #[arg(long, value_name = "A[:B]", default_value = "0", help_heading = "Training")]
    #[serde(deserialize_with = "number_or_text")]
    result_share: ResultShare,
    /// Stop after this many epochs without a lower loss on the rows that select the epoch (see --select)
    #[arg(long, value_name = "EPOCHS", help_heading = "Validation")]
    patience: Option<u32>,
    /// What becomes of rows in the middle of captures: their position is replaced by the end of its best line of captures,
    /// promotions and answers to check (resolve), or they are trained on as given (keep).
    /// The same rows are held out with each [default: resolve; keep with --stream and with --hints, whose rows are labelled
    /// as they are]
    #[arg(long, value_enum, help_heading = "Training")]
    pub captures: Option<Captures>,
    /// What training starts from: embedded (the engine's network), a .nnue or .checkpoint file, classical (the hand-written
    /// evaluation) or random (nothing). A network gives its weights to one of the same shape or of a finer one: with stacks,
    /// more king buckets, pairs with twice the accumulator. To any other shape it is taught first, as classical is: its values
    /// of N positions near the file's and near those of searches, if N follows the start and a colon [default N: 40 million, or
    /// 100 million for more than 300,000 rows; classical: 60 million]
    #[arg(long, value_name = "START", alias = "init-from", help_heading = "Network")]
    pub start: Option<Start>,
    /// Positions with the start's own values beside each row, near the file's and near those of its searches, so that the
    /// network does not unlearn what the rows do not show [default: by the number of rows; 0 if the start is no network]
    #[arg(long, value_name = "N", help_heading = "Training")]
    rehearsal: Option<f32>,
    /// After the rows, learn from N positions that searches of the network itself meet, labelled by them
    /// [default: an eighth of the positions of --start classical, a 25th of those that a network teaches to another shape,
    /// else 0]
    #[arg(long, value_name = "N", help_heading = "Training")]
    own_searches: Option<u64>,
    /// Do not mirror positions horizontally
    #[arg(long, help_heading = "Expert")]
    #[serde(rename = "flips", deserialize_with = "inverted")]
    no_flips: bool,
    /// Train without the input for the side to move, as bullet does, for `trainer export --bullet`
    #[arg(long, help_heading = "Expert")]
    #[serde(rename = "side_to_move", deserialize_with = "inverted")]
    no_side_to_move: bool,
    /// Seed of the initial weights, row order, flips, dropout and, without --split-seed, the split
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Training")]
    pub seed: u64,
    /// Threads, 0 for one per core; the number does not change the result
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_threads, help_heading = "Training")]
    pub threads: usize,
    /// Compute device: cpu, gpu (the best that this build supports), cuda, cuda:N or wgpu (a GPU needs a build with the feature)
    #[arg(long, value_name = "DEVICE", default_value_t = Compute::Cpu, help_heading = "Training")]
    pub device: Compute,
}

impl Default for StatedOptions {
    /// The defaults of the command line.
    fn default() -> Self {
        let matches = Self::augment_args(Command::new("train")).get_matches_from(["train"]);
        Self::from_arg_matches(&matches).expect("no option is required")
    }
}

impl StatedOptions {
    /// The options of a training, not validated; those that are not stated are `others`, and so is the start.
    pub fn options(&self, others: TrainingOptions) -> TrainingOptions {
        let final_share = self.final_lr.unwrap_or(match others.schedule {
            Schedule::Cosine { final_share } | Schedule::Linear { final_share } => final_share,
            Schedule::Constant | Schedule::Step { .. } => 0.01,
        });
        let power = self.power;
        let scale = self.scale.unwrap_or(match others.objective {
            Objective::Sigmoid { scale, .. } | Objective::Tanh { scale } => scale,
            Objective::ClippedCentipawns => 400.0,
        });
        TrainingOptions {
            architecture: self.net.clone().unwrap_or(others.architecture),
            epochs: self.epochs.unwrap_or(others.epochs),
            batch_size: self.batch.unwrap_or(others.batch_size),
            learning_rate: self.lr.unwrap_or(others.learning_rate),
            schedule: match self.schedule {
                ScheduleKind::Constant => Schedule::Constant,
                ScheduleKind::Cosine => Schedule::Cosine { final_share },
                ScheduleKind::Linear => Schedule::Linear { final_share },
                ScheduleKind::Step => Schedule::Step { gamma: self.gamma, every: self.step_epochs },
            },
            warmup_steps: self.warmup.unwrap_or(others.warmup_steps),
            optimizer: self.optimizer,
            weight_decay: self.weight_decay.unwrap_or(others.weight_decay),
            // Networks of other shapes may have no dropout.
            dropout: self.dropout.unwrap_or(if self.net.is_some() { 0.0 } else { others.dropout }),
            average: self.average,
            objective: match (self.loss, others.objective) {
                (Some(Loss::Report), _) | (None, Objective::ClippedCentipawns) => Objective::ClippedCentipawns,
                (Some(Loss::Tanh), _) | (None, Objective::Tanh { .. }) => Objective::Tanh { scale },
                (Some(Loss::Sigmoid), _) | (None, Objective::Sigmoid { .. }) => Objective::Sigmoid { scale, power },
            },
            result_share: self.result_share,
            seed: self.seed,
            threads: self.threads,
            device: self.device,
            patience: self.patience,
            flips: if self.no_flips { Flips::Never } else { Flips::Random },
            side_to_move: if self.no_side_to_move { SideToMove::NoInput } else { SideToMove::Input },
            captures: self.captures.unwrap_or(others.captures),
            start: others.start,
            rehearsal: self.rehearsal.unwrap_or(others.rehearsal),
            own_searches: self.own_searches.unwrap_or(others.own_searches),
        }
    }

    /// Whether the scale of the labels is to be measured.
    pub const fn has_no_scale(&self) -> bool {
        self.scale.is_none()
    }

    /// The options that may be `None`, and whether they are.
    pub fn unstated(&self) -> [(&'static str, bool); 11] {
        [
            ("--net", self.net.is_none()),
            ("--captures", self.captures.is_none()),
            ("--start", self.start.is_none()),
            ("--epochs", self.epochs.is_none()),
            ("--batch", self.batch.is_none()),
            ("--lr", self.lr.is_none()),
            ("--weight-decay", self.weight_decay.is_none()),
            ("--dropout", self.dropout.is_none()),
            ("--scale", self.scale.is_none()),
            ("--rehearsal", self.rehearsal.is_none()),
            ("--own-searches", self.own_searches.is_none()),
        ]
    }
}

/// All options of a training that have an effect with their values, also the default ones; without threads.
pub fn command_line(options: &TrainingOptions) -> Vec<Vec<String>> {
    let mut words = Vec::new();
    let mut add = |name: &str, value: &dyn ToString| words.push(vec![format!("--{name}"), value.to_string()]);
    add("net", &options.architecture);
    add("captures", &name(&options.captures));
    add("start", &options.start);
    if options.start.is_network() {
        add("rehearsal", &options.rehearsal);
    }
    if options.start.lesson().is_some() || options.own_searches > 0 {
        add("own-searches", &options.own_searches);
    }
    add("epochs", &options.epochs);
    add("batch", &options.batch_size);
    add("lr", &options.learning_rate);
    let (schedule, numbers) = match options.schedule {
        Schedule::Constant => (ScheduleKind::Constant, vec![]),
        Schedule::Cosine { final_share } => (ScheduleKind::Cosine, vec![("final-lr", final_share)]),
        Schedule::Linear { final_share } => (ScheduleKind::Linear, vec![("final-lr", final_share)]),
        Schedule::Step { gamma, every } => (ScheduleKind::Step, vec![("gamma", gamma), ("step-epochs", every as f32)]),
    };
    add("schedule", &name(&schedule));
    for (name, value) in &numbers {
        add(name, value);
    }
    add("warmup", &options.warmup_steps);
    add("optimizer", &name(&options.optimizer));
    add("weight-decay", &options.weight_decay);
    add("dropout", &options.dropout);
    options.average.iter().for_each(|decay| add("average", decay));
    let (loss, numbers) = match options.objective {
        Objective::ClippedCentipawns => (Loss::Report, vec![]),
        Objective::Tanh { scale } => (Loss::Tanh, vec![("scale", scale)]),
        Objective::Sigmoid { scale, power } => (Loss::Sigmoid, vec![("scale", scale), ("power", power)]),
    };
    add("loss", &name(&loss));
    for (name, value) in &numbers {
        add(name, value);
    }
    match options.result_share {
        ResultShare::Constant(share) => add("result-share", &share),
        ResultShare::Linear { from, to } => add("result-share", &format!("{from}:{to}")),
    }
    options.patience.iter().for_each(|epochs| add("patience", epochs));
    add("seed", &options.seed);
    if options.device != Compute::Cpu {
        add("device", &options.device);
    }
    if options.flips == Flips::Never {
        words.push(vec!["--no-flips".to_owned()]);
    }
    if options.side_to_move == SideToMove::NoInput {
        words.push(vec!["--no-side-to-move".to_owned()]);
    }
    words
}

/// A value's word on the command line.
fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

/// Parses a number of threads; 0 stands for one per core.
///
/// # Errors
/// If it is no number, or too large.
pub fn parse_threads(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&threads| threads <= MAX_THREADS).ok_or_else(|| format!("expected 0 to {MAX_THREADS}"))
}

fn inverted<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    bool::deserialize(deserializer).map(|value| !value)
}

/// `0.2`, or `"0:0.3"` for the first and last epoch.
fn number_or_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ResultShare, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum NumberOrText {
        Number(f32),
        Text(String),
    }
    match NumberOrText::deserialize(deserializer)? {
        NumberOrText::Number(share) => Ok(ResultShare::Constant(share)),
        NumberOrText::Text(text) => {
            text.parse().map_err(|problem| serde::de::Error::custom(format!("result_share: {problem}")))
        }
    }
}
