//! The command line: `alfiere` alone speaks UCI, everything else is a subcommand.
//!
//! Only this binary prints, reads arguments and exits; the library does the work.

mod commands;

use std::ffi::OsString;
use std::process::ExitCode;

use alfiere_search::huge_pages::HugePages;
use alfiere_terminal::{all_said, report};
use clap::Parser;

use crate::commands::Command;

#[global_allocator]
static ALLOCATOR: HugePages = HugePages;

/// Alfiere, a chess engine with an efficiently updatable neural network.
///
/// Without a command it speaks UCI on standard input and output, for use in a chess GUI.
#[derive(Parser)]
#[command(version = commands::VERSION, arg_required_else_help = false, disable_help_subcommand = true, term_width = 120)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse_from(arguments()).command {
        None => commands::uci::uci(),
        Some(command) => command.run(),
    };
    match outcome.and_then(|()| all_said()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => report(&failure),
    }
}

/// The arguments; a `genfens` request in a single argument is split into words.
fn arguments() -> Vec<OsString> {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    if let Some(command) = arguments.get(1).and_then(|argument| argument.to_str())
        && command.starts_with("genfens ")
    {
        let words: Vec<OsString> = command.split_whitespace().map(OsString::from).collect();
        arguments.splice(1..2, words);
    }
    arguments
}
