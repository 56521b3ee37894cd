//! Arguments that describe a network and its training; shared by `train` and `cross-validate`.

use alfiere_nnue::Architecture;
use alfiere_trainer::model::Objective;
use alfiere_trainer::training::{Compute, Flips, ResultShare, Schedule, TrainingConfig, TrainingOptions};
use clap::{Args, ValueEnum};

use super::Failure;

/// What is learnt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Loss {
    /// Squared error of `clamp(cp / 1000, -1, 1)`
    Report,
    /// Squared error of `tanh(cp / scale)`
    Tanh,
    /// `|sigmoid(output) - p|^power`, with p from the label and the game's result
    Sigmoid,
}

/// How the learning rate falls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ScheduleKind {
    /// Not at all
    Constant,
    /// Along half a cosine to `--final-lr`
    Cosine,
    /// Times `--gamma` every `--step-epochs`
    Step,
}

/// A network and its training.
#[derive(Args, Clone)]
pub(crate) struct TrainArgs {
    /// The network: perspective and hidden widths, then in any order the activation (crelu, screlu), output buckets (x1, x8),
    /// stacks if each of these has the layers behind the accumulator for itself, pairwise if an accumulator's halves are
    /// multiplied with one another, skip if the output sees all layers behind it, and for inputs that depend on the own king's
    /// square its buckets (kings=1, 2, 4, 8, 16):
    /// "dual [1024,32,32] x8 stacks pairwise skip kings=1"
    #[arg(long, value_name = "SHAPE", default_value = "dual [256]")]
    pub(crate) net: Architecture,
    /// Passes over the data
    #[arg(long, value_name = "N", default_value_t = 20)]
    epochs: u32,
    /// Positions in a step
    #[arg(long, value_name = "N", default_value_t = 16_384)]
    batch: usize,
    /// Learning rate at its height
    #[arg(long, value_name = "RATE", default_value_t = 1e-3)]
    lr: f32,
    /// How the learning rate falls
    #[arg(long, value_enum, default_value_t = ScheduleKind::Cosine)]
    schedule: ScheduleKind,
    /// Where the cosine ends, as a share of the learning rate
    #[arg(long, value_name = "SHARE", default_value_t = 0.01)]
    final_lr: f32,
    /// Factor of a stepwise schedule
    #[arg(long, value_name = "FACTOR", default_value_t = 0.3)]
    gamma: f32,
    /// Epochs between two steps of a stepwise schedule
    #[arg(long, value_name = "N", default_value_t = 8)]
    step_epochs: u32,
    /// Steps in which the learning rate rises
    #[arg(long, value_name = "N", default_value_t = 0)]
    warmup: u64,
    /// Weight decay of the optimiser, `AdamW`
    #[arg(long, value_name = "RATE", default_value_t = 0.01)]
    weight_decay: f32,
    /// Chance of a hidden neuron to be left out of a step
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    dropout: f32,
    /// Judge and export an exponential moving average of the weights with this decay: 0.999 averages about the last
    /// thousand steps
    #[arg(long, value_name = "DECAY")]
    average: Option<f32>,
    /// What is learnt
    #[arg(long, value_enum, default_value_t = Loss::Report)]
    loss: Loss,
    /// Centipawns of one output unit, for the tanh and sigmoid losses
    #[arg(long, value_name = "CP", default_value_t = 400.0)]
    scale: f32,
    /// Exponent of the sigmoid loss
    #[arg(long, value_name = "P", default_value_t = 2.0)]
    power: f32,
    /// Share of the game's result in the target, constant (0.2) or from the first to the last epoch (0:0.3)
    #[arg(long, value_name = "A[:B]", default_value = "0")]
    result_share: ResultShare,
    /// Stop after this many epochs without a better validation loss
    #[arg(long, value_name = "EPOCHS")]
    patience: Option<u32>,
    /// Show positions as they are only, never mirrored
    #[arg(long)]
    no_flips: bool,
    /// Decides starting weights, order, flips, dropout and the split
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Threads, 0 for one a core; they do not change the result
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// What computes: cpu, cuda, cuda:N or wgpu (the cards need a build with that feature)
    #[arg(long, value_name = "DEVICE", default_value_t = Compute::Cpu)]
    device: Compute,
}

impl TrainArgs {
    /// The checked configuration.
    pub(crate) fn config(&self) -> Result<TrainingConfig, Failure> {
        // A card that is not there is said before the data is read.
        self.device.processor().map_err(Failure::new)?;
        let options = TrainingOptions {
            architecture: self.net.clone(),
            epochs: self.epochs,
            batch_size: self.batch,
            learning_rate: self.lr,
            schedule: match self.schedule {
                ScheduleKind::Constant => Schedule::Constant,
                ScheduleKind::Cosine => Schedule::Cosine { final_share: self.final_lr },
                ScheduleKind::Step => Schedule::Step { gamma: self.gamma, every: self.step_epochs },
            },
            warmup_steps: self.warmup,
            weight_decay: self.weight_decay,
            dropout: self.dropout,
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
        };
        Ok(TrainingConfig::new(options)?)
    }
}
