//! `trainer manual`: man pages and completions, from the definitions of the commands.

use std::path::PathBuf;

use alfiere_terminal::write_manual;
use clap::{Args, CommandFactory};

use super::CommandResult;
use crate::Cli;

/// Write the manual pages, and completions for bash, zsh, fish, elvish and PowerShell.
#[derive(Args)]
#[command(after_help = "Example: trainer manual target/manual")]
pub(crate) struct ManualArgs {
    /// Folder for the files
    folder: PathBuf,
}

pub(crate) fn run(args: &ManualArgs) -> CommandResult {
    write_manual(Cli::command(), &args.folder)
}
