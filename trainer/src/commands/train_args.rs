//! Arguments that describe a network and its training; shared by `train` and `cross-validate`.

use std::path::Path;

use alfiere_data::Captures;
use alfiere_model::{Compute, Objective, UpdateRule};
use alfiere_nnue::{Architecture, ArchitectureError};
use alfiere_training::{Flips, ResultShare, Schedule, Start, TrainingConfig, TrainingOptions, read_bucket_files};
use clap::{Args, ValueEnum};

use super::Failure;
use super::captures_arg::CapturesArg;
use super::output::grouped;
use super::preset::Preset;
use super::progress::remark;
use super::train_command::{quoted, training};

/// The loss function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Loss {
    /// Squared error of `clamp(cp / 1000, -1, 1)`
    Report,
    /// Squared error of `tanh(cp / scale)`
    Tanh,
    /// `|sigmoid(output) - p|^power`, with p from the label and the game result
    Sigmoid,
}

/// The optimiser.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Optimizer {
    /// `AdamW`: Adam with decoupled weight decay
    Adamw,
    /// Adam, with weight decay added to the gradient
    Adam,
    /// Gradient descent with momentum 0.9: needs a far larger learning rate, such as 1
    Sgd,
    /// Ranger: `AdamW` with rectified first steps, and with lookahead: every sixth step returns half of the way
    Ranger,
}

/// How the learning rate decays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
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

/// An architecture; files that it names are read.
pub(crate) fn parse_architecture(text: &str) -> Result<Architecture, String> {
    let text = read_bucket_files(text, Path::new("")).map_err(|error| error.to_string())?;
    text.parse().map_err(|error: ArchitectureError| error.to_string())
}

/// The architecture and training options.
#[derive(Args, Clone)]
pub(crate) struct TrainArgs {
    /// Start from a preset: options for millions of rows, which other options override
    #[arg(long, value_enum, value_name = "NAME")]
    #[allow(dead_code, reason = "`preset::spell_out` has replaced it by its options")]
    preset: Option<Preset>,
    /// The architecture: perspective and hidden widths, then in any order: activation (crelu, screlu); output buckets
    /// (x1, x8); stacks: each bucket has its own layers after the accumulator; pairwise: the halves of an accumulator
    /// are multiplied; skip: the output layer reads all hidden layers; and king buckets for king-relative inputs
    /// (kings=1, 2, 4, 8, 16). Lists of your own: kings=@FILE, outputs=@FILE (docs/guide/networks.md).
    /// Example: "dual [1024,32,32] x8 stacks pairwise skip kings=1"
    #[arg(long, value_name = "ARCHITECTURE", value_parser = parse_architecture)]
    net: Option<Architecture>,
    /// Number of passes over the data
    #[arg(long, value_name = "N")]
    epochs: Option<u32>,
    /// Positions per step
    #[arg(long, value_name = "N")]
    batch: Option<usize>,
    /// Peak learning rate
    #[arg(long, value_name = "RATE")]
    lr: Option<f32>,
    /// How the learning rate decays
    #[arg(long, value_enum, default_value_t = ScheduleKind::Cosine)]
    schedule: ScheduleKind,
    /// Final learning rate of the cosine and linear schedules, as a fraction of the peak
    #[arg(long, value_name = "SHARE", default_value_t = 0.01)]
    final_lr: f32,
    /// Decay factor of the step schedule
    #[arg(long, value_name = "FACTOR", default_value_t = 0.3)]
    gamma: f32,
    /// Epochs between two decays of the step schedule
    #[arg(long, value_name = "N", default_value_t = 8)]
    step_epochs: u32,
    /// Warm-up steps of the learning rate
    #[arg(long, value_name = "N", default_value_t = 0)]
    warmup: u64,
    /// Optimiser
    #[arg(long, value_enum, default_value_t = Optimizer::Adamw)]
    optimizer: Optimizer,
    /// Weight decay, a share of the weight per unit of the learning rate; with adam it is added to the gradient
    #[arg(long, value_name = "RATE")]
    weight_decay: Option<f32>,
    /// Dropout probability of the hidden neurons
    #[arg(long, value_name = "SHARE")]
    dropout: Option<f32>,
    /// Validate and export an exponential moving average of the weights with this decay: 0.999 averages about the last
    /// thousand steps
    #[arg(long, value_name = "DECAY")]
    average: Option<f32>,
    /// Loss function
    #[arg(long, value_enum, default_value_t = Loss::Sigmoid)]
    loss: Loss,
    /// Centipawns per output unit, for the tanh and sigmoid losses
    #[arg(long, value_name = "CP", default_value_t = 400.0)]
    scale: f32,
    /// Exponent of the sigmoid loss
    #[arg(long, value_name = "P", default_value_t = 2.0)]
    power: f32,
    /// Weight of the game result in the target, constant (0.2) or from the first to the last epoch (0:0.3)
    #[arg(long, value_name = "A[:B]", default_value = "0")]
    result_share: ResultShare,
    /// Stop after this many epochs without a lower loss on the rows that select the epoch (see --select)
    #[arg(long, value_name = "EPOCHS")]
    patience: Option<u32>,
    /// What becomes of rows in the middle of captures: their position is replaced by the end of its best line of captures,
    /// promotions and answers to check (resolve), they are not trained on (drop), or they are trained on as given (keep).
    /// The same rows are held out with each [default: resolve; keep with --stream and with --hints, whose rows are labelled
    /// as they are]
    #[arg(long, value_enum)]
    pub(crate) captures: Option<CapturesArg>,
    /// The weights before the first row: random, or classical, those of a network that has learnt the hand-written
    /// evaluation from N positions near the file's and near those of searches [default: classical:20000000 for up to
    /// 300000 rows, classical:90000000 for up to 40 million; random for more, and in cross-validate and sweep]
    #[arg(long, value_name = "START")]
    pub(crate) start: Option<Start>,
    /// Do not mirror positions horizontally
    #[arg(long)]
    no_flips: bool,
    /// Seed of the initial weights, row order, flips, dropout and, without --split-seed, the split
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Threads, 0 for one per core; the number does not change the result
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = super::threads::parse_threads)]
    threads: usize,
    /// Compute device: cpu, cuda, cuda:N or wgpu (GPUs require a build with that feature)
    #[arg(long, value_name = "DEVICE", default_value_t = Compute::Cpu)]
    device: Compute,
}

impl TrainArgs {
    /// Validates the arguments. Options that are not stated are the best known for this number of rows.
    pub(crate) fn config(&self, rows: u64) -> Result<TrainingConfig, Failure> {
        // Check the device before the data is read.
        self.device.processor().map_err(Failure::new)?;
        let recipe = TrainingOptions::for_rows(rows, self.start != Some(Start::Random));
        let final_share = self.final_lr;
        let options = TrainingOptions {
            architecture: self.net.clone().unwrap_or(recipe.architecture),
            epochs: self.epochs.unwrap_or(recipe.epochs),
            batch_size: self.batch.unwrap_or(recipe.batch_size),
            learning_rate: self.lr.unwrap_or(recipe.learning_rate),
            schedule: match self.schedule {
                ScheduleKind::Constant => Schedule::Constant,
                ScheduleKind::Cosine => Schedule::Cosine { final_share },
                ScheduleKind::Linear => Schedule::Linear { final_share },
                ScheduleKind::Step => Schedule::Step { gamma: self.gamma, every: self.step_epochs },
            },
            warmup_steps: self.warmup,
            optimizer: match self.optimizer {
                Optimizer::Adamw => UpdateRule::AdamW,
                Optimizer::Adam => UpdateRule::Adam,
                Optimizer::Sgd => UpdateRule::Sgd,
                Optimizer::Ranger => UpdateRule::Ranger,
            },
            weight_decay: self.weight_decay.unwrap_or(recipe.weight_decay),
            // Networks of other shapes may have no dropout.
            dropout: self.dropout.unwrap_or(if self.net.is_some() { 0.0 } else { recipe.dropout }),
            average: self.average,
            objective: match self.loss {
                Loss::Report => Objective::ClippedCentipawns,
                Loss::Tanh => Objective::Tanh { scale: self.scale },
                Loss::Sigmoid => Objective::Sigmoid { scale: self.scale, power: self.power },
            },
            result_share: self.result_share,
            seed: self.seed,
            threads: self.threads,
            device: self.device,
            patience: self.patience,
            flips: if self.no_flips { Flips::Never } else { Flips::Random },
            captures: self.captures.map_or(recipe.captures, Captures::from),
            start: self.start.unwrap_or(recipe.start),
        };
        Ok(TrainingConfig::new(options)?)
    }

    /// Tells which options were chosen by the number of rows, as they can be typed.
    pub(crate) fn remark_chosen(&self, options: &TrainingOptions, rows: u64) {
        let depends_on_rows = [
            ("--net", self.net.is_some()),
            ("--captures", self.captures.is_some()),
            ("--start", self.start.is_some()),
            ("--epochs", self.epochs.is_some()),
            ("--batch", self.batch.is_some()),
            ("--lr", self.lr.is_some()),
            ("--weight-decay", self.weight_decay.is_some()),
            ("--dropout", self.dropout.is_some()),
        ];
        let is_chosen = |word: &Vec<String>| depends_on_rows.contains(&(word[0].as_str(), false));
        let words: Vec<String> = training(options).into_iter().filter(is_chosen).flatten().collect();
        if !words.is_empty() {
            remark(&format!("chosen for {} rows: {}", grouped(rows), quoted(&words)));
        }
    }
}
