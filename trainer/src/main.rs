//! The trainer's command line: parses arguments, calls the library and prints the results.
//!
//! Only this binary fingerprints, reads arguments and exits.

mod commands;

use std::process::ExitCode;

use alfiere_terminal::{all_said, interrupt, report};
use clap::{CommandFactory, FromArgMatches, Parser};
use mimalloc::MiMalloc;

use crate::commands::Command;

/// The system allocator returns large buffers to the kernel, so every training step would page-fault them in again.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Trains, validates, quantises and exports NNUE networks for the chess engine Alfiere.
///
/// Input data are CSV files of positions, `FEN,Evaluation` with centipawns from White's point of view (`+56`, `#-2`),
/// plain or compressed with gzip or zstd, or any other format that `convert` reads.
#[derive(Parser)]
#[command(name = "trainer", version = alfiere_trainer::VERSION, disable_help_subcommand = true, term_width = 120)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let cli =
        Cli::from_arg_matches(&commands::in_groups(Cli::command()).get_matches()).unwrap_or_else(|error| error.exit());
    // If that fails, Ctrl-C ends the program as usual.
    let _ = interrupt::watch();
    let outcome = cli.command.run().and_then(|()| all_said());
    commands::input_files::delete_copies();
    let code = outcome.map_or_else(|failure| report(&failure), |()| ExitCode::SUCCESS);
    if interrupt::requested() { interrupt::EXIT_CODE.into() } else { code }
}
