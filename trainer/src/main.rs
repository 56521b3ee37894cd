//! The trainer's command line: typed commands that call the library and print what it returns.
//!
//! Only this binary prints, reads arguments and exits.

mod commands;

use std::process::ExitCode;

use clap::Parser;
use mimalloc::MiMalloc;

use crate::commands::Command;

/// The system's allocator gives large buffers back and faults them in again at every training step.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Trains, validates, quantises and exports the networks of the chess engine Alfiere.
///
/// Data are CSV files of positions, `FEN,Evaluation` with centipawns from White's side (`+56`, `#-2`), plain, gzip or
/// zstd, or packed files made by `convert`.
#[derive(Parser)]
#[command(name = "trainer", version, disable_help_subcommand = true, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    commands::interrupt::watch();
    match cli.command.run() {
        Ok(()) if commands::interrupt::requested() => commands::INTERRUPTED.into(),
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => commands::report(&failure),
    }
}
