//! The engine's command line: `alfiere` alone speaks UCI, every other way in is a subcommand.
//!
//! Only this binary prints, reads arguments and exits; what a command does lives in the library.

mod commands;

use std::process::ExitCode;

use clap::Parser;

use crate::commands::Command;

/// Alfiere, a chess engine with an efficiently updatable neural network.
///
/// Without a command it speaks UCI on standard input and output, as chess programs with a board expect.
#[derive(Parser)]
#[command(version, arg_required_else_help = false, disable_help_subcommand = true, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        None => commands::uci::run(),
        Some(command) => command.run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => commands::report(&failure),
    }
}
