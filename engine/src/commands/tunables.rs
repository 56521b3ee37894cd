//! `alfiere tunables`: the numbers of the search as a tuning server reads them; only in builds with the feature `tune`.

use alfiere_search::search::Tunables;
use clap::Args;

use super::Outcome;
use super::progress::say;

/// How many of the first steps fit into a number's range.
const STEPS: f64 = 20.0;
/// The last learning rate, as tuning by simultaneous perturbation usually has it.
const LAST_RATE: f64 = 0.002;

/// List the numbers of the search for tuning by games: each is a UCI option of this build.
///
/// A line is `name, int, default, least, most, step, rate`, the input of `OpenBench`'s SPSA. Switches (0 or 1) are left out.
#[derive(Args)]
#[command(after_help = "Example: alfiere tunables | grep futility")]
pub(crate) struct TunablesArgs {}

#[allow(clippy::unnecessary_wraps, reason = "every command has an outcome")]
pub(crate) fn run(_: &TunablesArgs) -> Outcome {
    for &(name, default, least, most) in Tunables::ALL.iter().filter(|(_, _, least, most)| most - least > 1) {
        let step = step(default, least, most);
        say(format_args!("{name}, int, {default}, {least}, {most}, {step:.2}, {LAST_RATE}"));
    }
    Ok(())
}

/// How far a number is moved to see what it is worth.
pub(super) fn step(default: i32, least: i32, most: i32) -> f64 {
    // Ranges reach far beyond sense where that switches a technique off: steps are of what plays.
    let sensible = f64::from((most - least).min(2 * default.abs().max(1)));
    (sensible / STEPS).max(0.5)
}
