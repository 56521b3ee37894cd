//! Man pages and completions, from the definitions of a program's commands.

use std::path::Path;
use std::{fs, io};

use clap::{Command, ValueEnum};
use clap_complete::{Generator, Shell};

use super::failure::{CommandResult, Failure};

/// Writes the manual pages of a program, and completions for bash, zsh, fish, elvish and PowerShell, into a folder.
///
/// # Errors
/// If a file cannot be written.
pub fn write_manual(program: Command, folder: &Path) -> CommandResult {
    write(program, folder).map_err(|error| Failure::at(folder, error))
}

fn write(mut program: Command, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let name = program.get_name().to_owned();
    for shell in Shell::value_variants() {
        // Into memory first: the library panics where a file cannot be written.
        let mut text = Vec::new();
        clap_complete::generate(*shell, &mut program, &name, &mut text);
        fs::write(folder.join(shell.file_name(&name)), text)?;
    }
    clap_mangen::generate_to(program, folder)
}
