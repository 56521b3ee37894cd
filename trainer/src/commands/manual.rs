//! `trainer manual`: man pages and completions, from the definitions of the commands.

use std::fs;
use std::path::PathBuf;

use clap::{Args, CommandFactory, ValueEnum};
use clap_complete::Shell;

use super::CommandResult;
use crate::Cli;

/// Write the manual pages, and completions for bash, zsh, fish, elvish and PowerShell.
#[derive(Args)]
#[command(hide = true, after_help = "Example: trainer manual target/manual")]
pub(crate) struct ManualArgs {
    /// Folder for the files
    folder: PathBuf,
}

pub(crate) fn run(args: &ManualArgs) -> CommandResult {
    fs::create_dir_all(&args.folder)?;
    let mut command = Cli::command().name("trainer");
    for shell in Shell::value_variants() {
        clap_complete::generate_to(*shell, &mut command, "trainer", &args.folder)?;
    }
    Ok(clap_mangen::generate_to(command, &args.folder)?)
}
