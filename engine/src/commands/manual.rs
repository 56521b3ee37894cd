//! What the program says about itself. `alfiere manual`: man pages and completions, from the definitions of the commands.
//! `alfiere options`: the UCI options as a table; `docs/guide/uci-options.md` is generated with it.

use std::path::PathBuf;

use alfiere_search::uci::options;
use alfiere_terminal::say;
use clap::{Args, CommandFactory};

use super::CommandResult;
use crate::Cli;

/// Write the manual pages, and completions for bash, zsh, fish, elvish and PowerShell.
#[derive(Args)]
#[command(after_help = "Example: alfiere manual target/manual")]
pub(crate) struct ManualArgs {
    /// Folder for the files
    folder: PathBuf,
}

pub(crate) fn write_manual(args: &ManualArgs) -> CommandResult {
    alfiere_terminal::write_manual(Cli::command().name("alfiere"), &args.folder)
}

/// Print the UCI options with their values, defaults and meaning as a Markdown table.
#[derive(Args)]
#[command(after_help = "Example: alfiere options | grep -i syzygy")]
pub(crate) struct OptionsArgs {}

#[allow(clippy::unnecessary_wraps, reason = "every command has an outcome")]
pub(crate) fn list_options(_: &OptionsArgs) -> CommandResult {
    say(format_args!("| option | values | default | meaning |\n|---|---|---|---|"));
    for option in options() {
        let (values, default) = option.values();
        let default = if default.is_empty() { default } else { format!("`{default}`") };
        say(format_args!("| `{}` | {values} | {default} | {} |", option.name(), option.help()));
    }
    Ok(())
}
