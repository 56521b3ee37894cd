//! `alfiere tunables`: lists the tunable search parameters for a tuning server; only in builds with the feature `tune`.

use alfiere_search::search::Tunables;
use clap::Args;

use super::CommandResult;
use super::progress::say;

/// Number of initial steps in a parameter's range.
const STEPS: f64 = 20.0;
/// Final learning rate, a usual value for SPSA.
const LAST_RATE: f64 = 0.002;

/// List the tunable search parameters: each is a UCI option of this build.
///
/// The format is `name, int, default, min, max, step, rate`, the input of `OpenBench`'s SPSA. Switches (0 or 1) are
/// skipped.
#[derive(Args)]
#[command(after_help = "Example: alfiere tunables | grep futility")]
pub(crate) struct TunablesArgs {}

#[allow(clippy::unnecessary_wraps, reason = "every command has an outcome")]
pub(crate) fn run(_: &TunablesArgs) -> CommandResult {
    for &(name, default, min, max) in Tunables::ALL.iter().filter(|(_, _, min, max)| max - min > 1) {
        let step = step(default, min, max);
        say(format_args!("{name}, int, {default}, {min}, {max}, {step:.2}, {LAST_RATE}"));
    }
    Ok(())
}

/// The final perturbation of a parameter.
pub(super) fn step(default: i32, min: i32, max: i32) -> f64 {
    // Ranges that can disable a technique are much wider than useful: the step is based on the default value.
    let useful_range = f64::from((max - min).min(2 * default.abs().max(1)));
    (useful_range / STEPS).max(0.5)
}
