//! `trainer bench`: measures training speed on this machine.

use std::path::{Path, PathBuf};
use std::time::Duration;

use alfiere_model::{Compute, Processor};
use alfiere_nnue::Architecture;
use alfiere_terminal::{Replace, interrupt, say};
use alfiere_trainer::bench::{Case, Speed, random_rows};
use clap::Args;
use serde::Serialize;

use super::output::{is_stdout, write_json};
use super::{CommandResult, Failure};

/// Rows of the generated data set: 64 MB, larger than the caches.
const ROWS: usize = 1 << 21;

/// Measure training speed on this machine
///
/// Prints a line per network: `NAME N positions/s G GFLOP/s` in wall-clock time, and `F positions/s free`, an estimate from
/// processor time for an otherwise idle machine.
///
/// Each position is extracted from its packed row (with random flips) and goes through the forward and backward pass;
/// the optimiser runs after each batch. Operations are counted for a sparse first layer. Positions are from random
/// games.
///
/// Example: trainer bench "dual [512] crelu x8" --batch 16384
#[derive(Args)]
pub(crate) struct Bench {
    /// Networks to measure [default: a standard set]
    #[arg(value_name = "ARCHITECTURE")]
    architectures: Vec<Architecture>,
    /// Positions per step, for the given networks
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..=1 << 22))]
    batch: u32,
    /// Dropout probability, for the given networks
    #[arg(long, value_name = "P", default_value_t = 0.0)]
    dropout: f32,
    /// Seconds per network
    #[arg(long, value_name = "S", default_value_t = 5.0)]
    seconds: f64,
    /// Threads; 0 for one per core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = alfiere_trainer::stated_options::parse_threads)]
    threads: usize,
    /// Compute device: cpu, gpu (the best that this build supports), cuda, cuda:N or wgpu (a GPU needs a build with the feature)
    #[arg(long, value_name = "DEVICE", default_value_t = Compute::Cpu)]
    device: Compute,
    /// Rows of the generated data set
    #[arg(long, value_name = "N", default_value_t = ROWS, hide = true)]
    rows: usize,
    /// Write the results as JSON, `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    replace: Replace,
}

/// Results of one network.
#[derive(Serialize)]
struct Figures {
    name: String,
    #[serde(flatten)]
    speed: Speed,
}

#[derive(Serialize)]
struct Report {
    networks: Vec<Figures>,
}

impl Bench {
    pub(crate) fn run(&self) -> CommandResult {
        if !(0.0..=0.9).contains(&self.dropout) {
            return Err(Failure::new(format!("--dropout is {}, expected 0 to 0.9", self.dropout)));
        }
        if !(0.0..=86_400.0).contains(&self.seconds) || self.rows == 0 {
            return Err(Failure::new("--seconds and --rows are out of range, expected 0 to 86400 and at least 1"));
        }
        let processor = self.device.processor().map_err(Failure::new)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let given = self.architectures.iter().map(|architecture| Case {
            architecture: architecture.clone(),
            batch_size: self.batch as usize,
            dropout: self.dropout,
        });
        let cases = if self.architectures.is_empty() { Case::standard() } else { given.collect() };
        self.replace.check([] as [&Path; 0], self.json.as_deref())?;
        let time = Duration::from_secs_f64(self.seconds);
        let print = |text: String| {
            if !self.json.as_deref().is_some_and(is_stdout) {
                say(&text);
            }
        };
        let rows = random_rows(self.rows, 1);
        let mut report = Report { networks: Vec::new() };
        for case in cases {
            if interrupt::requested() {
                return Ok(());
            }
            let speed = pool.install(|| case.measure(&rows, time, &processor))?;
            print(format!("{} {}", case.name(), figures(&speed, &processor)));
            report.networks.push(Figures { name: case.name(), speed });
        }
        self.json.as_deref().map_or(Ok(()), |path| write_json(path, &report))
    }
}

fn figures(speed: &Speed, processor: &Processor) -> String {
    let by_clock = format!("{:.0} positions/s {:.1} GFLOP/s", speed.positions_per_second, speed.gflops);
    if !processor.is_cpu() {
        let extracted = speed.extracted_per_second.unwrap_or_default();
        return format!("{by_clock} on {}; {extracted:.0} positions/s extracted and sent", processor.name());
    }
    format!("{by_clock}, {:.0} positions/s free", speed.free_positions_per_second)
}
