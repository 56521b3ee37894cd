//! `alfiere options`: prints the UCI options as a table.

use alfiere_search::uci::options;
use clap::Args;

use super::CommandResult;
use super::progress::say;

/// Print the UCI options with their values, defaults and meaning as a Markdown table.
#[derive(Args)]
#[command(after_help = "Example: alfiere options | grep -i syzygy")]
pub(crate) struct OptionsArgs {}

#[allow(clippy::unnecessary_wraps, reason = "every command has an outcome")]
pub(crate) fn run(_: &OptionsArgs) -> CommandResult {
    say(format_args!("| option | values | default | meaning |\n|---|---|---|---|"));
    for option in options() {
        let (values, default) = option.values();
        let default = if default.is_empty() { default } else { format!("`{default}`") };
        say(format_args!("| `{}` | {values} | {default} | {} |", option.name(), option.help()));
    }
    Ok(())
}
