//! One file per command: its arguments, their validation, and the output.
//!
//! A command parses its arguments, calls the library and prints. It contains no chess and no statistics.

mod analyse;
mod bench;
mod book;
mod endgames;
mod eval;
mod game_args;
mod genfens;
mod growing_json;
mod interrupt;
mod manual;
mod matches;
mod metrics;
mod options;
mod perft;
#[cfg(feature = "play")]
mod play;
mod positions;
mod progress;
mod ratings;
mod suite;
#[cfg(feature = "tune")]
mod tunables;
#[cfg(feature = "tune")]
mod tune;
pub(crate) mod uci;
mod wdl;

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use alfiere_chess::files::{self, write_whole};
use alfiere_search::engine::Player;
use clap::Subcommand;

/// Why a command failed, as one message for the user.
///
/// Library errors have their own context (file, line, expected input), so all of them convert.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error message.
    Error(String),
    /// The user stopped the command; results so far were printed.
    Stopped,
}

impl Failure {
    /// Creates a failure with this message.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::Error(message.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(message) => out.write_str(message),
            Self::Stopped => out.write_str("stopped"),
        }
    }
}

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::new(error.to_string())
    }
}

/// Exit code of a command stopped by Ctrl-C, as in shells.
const STOPPED_EXIT: u8 = 130;

/// The result of a command.
pub(crate) type CommandResult = Result<(), Failure>;

/// Prints the message to standard error and returns the exit code.
#[allow(clippy::print_stderr)]
pub(crate) fn report(failure: &Failure) -> ExitCode {
    match failure {
        Failure::Error(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
        Failure::Stopped => ExitCode::from(STOPPED_EXIT),
    }
}

/// All commands except UCI.
#[derive(Subcommand)]
pub(crate) enum Command {
    Analyse(analyse::AnalyseArgs),
    Bench(bench::Bench),
    Book(book::BookArgs),
    Eval(eval::EvalArgs),
    Genfens(genfens::GenfensArgs),
    Manual(manual::ManualArgs),
    Match(Box<matches::MatchArgs>),
    Metrics(metrics::MetricsArgs),
    Options(options::OptionsArgs),
    Perft(perft::PerftArgs),
    #[cfg(feature = "play")]
    Play(play::PlayArgs),
    Positions(positions::PositionsArgs),
    Ratings(ratings::RatingsArgs),
    Suite(suite::SuiteArgs),
    #[cfg(feature = "tune")]
    Tunables(tunables::TunablesArgs),
    #[cfg(feature = "tune")]
    Tune(Box<tune::TuneArgs>),
    Wdl(wdl::WdlArgs),
}

impl Command {
    /// Runs the command.
    pub(crate) fn run(self) -> CommandResult {
        match self {
            Self::Analyse(args) => analyse::run(&args),
            Self::Bench(args) => args.run(),
            Self::Book(args) => book::run(&args),
            Self::Eval(args) => eval::run(&args),
            Self::Genfens(args) => genfens::run(&args),
            Self::Manual(args) => manual::run(&args),
            Self::Match(args) => matches::run(&args),
            Self::Metrics(args) => metrics::run(&args),
            Self::Options(args) => options::run(&args),
            Self::Perft(args) => perft::run(&args),
            #[cfg(feature = "play")]
            Self::Play(args) => play::run(&args),
            Self::Positions(args) => positions::run(&args),
            Self::Ratings(args) => ratings::run(&args),
            Self::Suite(args) => suite::run(&args),
            #[cfg(feature = "tune")]
            Self::Tunables(args) => tunables::run(&args),
            #[cfg(feature = "tune")]
            Self::Tune(args) => tune::run(&args),
            Self::Wdl(args) => wdl::run(&args),
        }
    }
}

/// Parses a player's name.
fn player(name: &str) -> Result<Player, String> {
    Player::named(name).ok_or_else(|| format!("expected one of {}", Player::names()))
}

/// The path of this program, for matches against itself.
fn own_program() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| Failure::new(format!("cannot find the path of this program: {error}")))
}

/// Adds a number to a file name: `curve.svg` becomes `curve-3.svg`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let end = path.extension().map_or_else(String::new, |end| format!(".{}", end.to_string_lossy()));
    path.with_file_name(format!("{stem}-{number}{end}"))
}

/// Checks before the work that outputs do not overwrite inputs or each other.
fn check_outputs<'a>(
    inputs: impl IntoIterator<Item = &'a PathBuf>,
    outputs: impl IntoIterator<Item = &'a PathBuf>,
) -> CommandResult {
    Ok(files::check_outputs(inputs.into_iter().map(PathBuf::as_path), outputs.into_iter().map(PathBuf::as_path))?)
}

/// What happens to results of an earlier run.
#[derive(clap::Args)]
struct Replace {
    /// Replace output files that exist
    #[arg(long)]
    force: bool,
}

impl Replace {
    /// Checks before the work that outputs do not overwrite inputs, each other or, without `--force`, earlier results.
    fn check<'a>(
        &self,
        inputs: impl IntoIterator<Item = &'a PathBuf>,
        outputs: impl IntoIterator<Item = &'a PathBuf>,
    ) -> CommandResult {
        let outputs: Vec<&PathBuf> = outputs.into_iter().collect();
        check_outputs(inputs, outputs.iter().copied())?;
        self.check_new(outputs)
    }

    /// Checks that, without `--force`, there are no earlier results.
    fn check_new<'a>(&self, outputs: impl IntoIterator<Item = &'a PathBuf>) -> CommandResult {
        if !self.force {
            files::check_new(outputs.into_iter().map(PathBuf::as_path))?;
        }
        Ok(())
    }
}

/// Writes results as JSON.
fn write_json(path: &Path, value: &impl serde::Serialize) -> CommandResult {
    let failure = |error: &dyn Error| Failure::new(format!("{}: {error}", path.display()));
    let text = serde_json::to_string_pretty(value).map_err(|error| failure(&error))?;
    write_whole(path, (text + "\n").as_bytes()).map_err(|error| failure(&error))
}
