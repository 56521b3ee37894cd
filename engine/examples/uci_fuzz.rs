//! Random talk to the program over pipes, for as many lines as wanted: sensible commands, garbage and damaged ones.
//!
//! Whatever it hears, the program must not end or hang, every `go` has one answer, every line must follow the protocol,
//! every move the rules. The same seed says the same lines, except that what was thought meanwhile is not foreseen.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "printing what it finds is what this program is for")]

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Parser;

#[path = "../tests/common/mod.rs"]
mod common;

use common::fuzz::{Plan, Tally, run};

/// How often progress is printed.
const INTERVAL: Duration = Duration::from_secs(10);

/// Talk at random to a UCI engine and check every word of its answers.
#[derive(Parser)]
#[command(after_help = "Example: cargo run --release -p alfiere --example uci_fuzz -- --lines 10000000 --seed 1")]
struct Arguments {
    /// The program [default: alfiere beside this one's folder]
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<PathBuf>,
    /// Lines to say
    #[arg(long, default_value_t = 1_000_000)]
    lines: u64,
    /// What to say
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Address space that the program may have, in MiB: tables are asked for that do not fit
    #[arg(long, default_value_t = 1500)]
    memory: u64,
    /// Where the last lines go if something is wrong
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
        return Err(format!("{}: no such program; cargo build --release -p alfiere makes it", program.display()).into());
    }
    let plan =
        Plan { program, seed: arguments.seed, lines: arguments.lines, memory_kibibytes: arguments.memory * 1024 };
    let started = Instant::now();
    let mut printed = started;
    let outcome = run(&plan, |tally| {
        if printed.elapsed() >= INTERVAL {
            printed = Instant::now();
            show(&plan, tally, started);
        }
    });
    match outcome {
        Ok(tally) => {
            show(&plan, &tally, started);
            println!("{} lines, {} searches, nothing wrong", tally.lines, tally.answers);
            Ok(())
        }
        Err(failure) => {
            std::fs::write(&arguments.save, failure.talk.join("\n"))?;
            Err(format!("seed {}: {}; what was said is in {}", plan.seed, failure.problem, arguments.save.display())
                .into())
        }
    }
}

fn show(plan: &Plan, tally: &Tally, started: Instant) {
    let rate = tally.lines as f64 / started.elapsed().as_secs_f64();
    let left = plan.lines.saturating_sub(tally.lines) as f64 / rate;
    let Tally { lines, searches, heard, sessions, .. } = tally;
    eprintln!(
        "{lines}/{} lines, {searches} searches, {heard} lines heard, {sessions} sessions, {rate:.0}/s, {left:.0} s left",
        plan.lines
    );
}
