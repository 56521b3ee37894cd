//! `alfiere manual`: man pages and completions, from the definitions of the commands.

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::{Args, CommandFactory, ValueEnum};
use clap_complete::{Generator, Shell};

use super::{CommandResult, Failure};
use crate::Cli;

/// Write the manual pages, and completions for bash, zsh, fish, elvish and PowerShell.
#[derive(Args)]
#[command(after_help = "Example: alfiere manual target/manual")]
pub(crate) struct ManualArgs {
    /// Folder for the files
    folder: PathBuf,
}

pub(crate) fn run(args: &ManualArgs) -> CommandResult {
    write(&args.folder).map_err(|error| Failure::at(&args.folder, error))
}

fn write(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut command = Cli::command().name("alfiere");
    for shell in Shell::value_variants() {
        // Into memory first: the library panics where a file cannot be written.
        let mut text = Vec::new();
        clap_complete::generate(*shell, &mut command, "alfiere", &mut text);
        fs::write(folder.join(shell.file_name("alfiere")), text)?;
    }
    clap_mangen::generate_to(command, folder)
}
