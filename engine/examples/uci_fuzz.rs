//! Fuzzes a UCI engine over pipes with valid commands, garbage and damaged commands.
//!
//! The engine must not crash or hang, answer every `go` once, follow the protocol and play only legal moves. The same
//! seed sends the same lines, but the timing of the searches differs.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this program prints its results")]

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Parser;

#[path = "../tests/common/mod.rs"]
mod common;

use common::fuzz::{Plan, Stats, run};

/// Interval of progress reports.
const INTERVAL: Duration = Duration::from_secs(10);

/// Fuzz a UCI engine and check every line of its output.
#[derive(Parser)]
#[command(after_help = "Example: cargo run --release -p alfiere --example uci_fuzz -- --lines 10000000 --seed 1")]
struct Arguments {
    /// The engine [default: alfiere, next to this program's folder]
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<PathBuf>,
    /// Number of lines to send
    #[arg(long, default_value_t = 1_000_000)]
    lines: u64,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Address space limit of the engine in MiB; requested hash tables can be larger
    #[arg(long, default_value_t = 1500)]
    memory: u64,
    /// File for the last lines sent if a check fails
    #[arg(long, value_name = "FILE", default_value = "uci-fuzz.txt")]
    save: PathBuf,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let program = match arguments.engine {
        Some(program) => program,
        None => std::env::current_exe()?.with_file_name("").join("..").join("alfiere"),
    };
    if !program.is_file() {
        return Err(
            format!("{}: no such program; build it with cargo build --release -p alfiere", program.display()).into()
        );
    }
    let plan =
        Plan { program, seed: arguments.seed, lines: arguments.lines, memory_kibibytes: arguments.memory * 1024 };
    let started = Instant::now();
    let mut printed = started;
    let outcome = run(&plan, |stats| {
        if printed.elapsed() >= INTERVAL {
            printed = Instant::now();
            show(&plan, stats, started);
        }
    });
    match outcome {
        Ok(stats) => {
            show(&plan, &stats, started);
            println!("{} lines, {} searches, nothing wrong", stats.lines, stats.answers);
            Ok(())
        }
        Err(failure) => {
            std::fs::write(&arguments.save, failure.sent_lines.join("\n"))?;
            Err(format!("seed {}: {}; the lines sent are in {}", plan.seed, failure.problem, arguments.save.display())
                .into())
        }
    }
}

fn show(plan: &Plan, stats: &Stats, started: Instant) {
    let rate = stats.lines as f64 / started.elapsed().as_secs_f64();
    let left = plan.lines.saturating_sub(stats.lines) as f64 / rate;
    let Stats { lines, searches, received, sessions, .. } = stats;
    eprintln!(
        "{lines}/{} lines, {searches} searches, {received} lines received, {sessions} sessions, {rate:.0}/s, {left:.0} s left",
        plan.lines
    );
}
