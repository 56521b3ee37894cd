//! One file a command: its arguments, its checks, and how its results are printed.
//!
//! A command parses into typed arguments, calls the library, prints; it holds no chess and no statistics of its own.

mod analyse;
mod bench;
mod book;
mod eval;
mod game_args;
mod genfens;
mod growing_json;
mod interrupt;
mod matches;
mod options;
mod perft;
#[cfg(feature = "play")]
mod play;
mod positions;
mod progress;
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

/// Why a command ended without doing what was asked: one sentence for the person who typed it.
///
/// Library errors carry their own context (which file, which line, what was expected), so any of them converts.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It could not be done: a sentence.
    Error(String),
    /// The user stopped it; what was finished has been told.
    Stopped,
}

impl Failure {
    /// A failure with this sentence.
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self::Error(sentence.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(sentence) => out.write_str(sentence),
            Self::Stopped => out.write_str("stopped"),
        }
    }
}

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::new(error.to_string())
    }
}

/// What a command that was stopped returns, after its results so far: the shell's usual exit code for it.
const STOPPED_EXIT: u8 = 130;

/// What every command returns.
pub(crate) type Outcome = Result<(), Failure>;

/// Prints the failure's sentence on standard error, and gives the exit code that goes with it.
#[allow(clippy::print_stderr)]
pub(crate) fn report(failure: &Failure) -> ExitCode {
    match failure {
        Failure::Error(sentence) => {
            eprintln!("error: {sentence}");
            ExitCode::FAILURE
        }
        Failure::Stopped => ExitCode::from(STOPPED_EXIT),
    }
}

/// The commands besides UCI.
#[derive(Subcommand)]
pub(crate) enum Command {
    Analyse(analyse::AnalyseArgs),
    Bench(bench::Bench),
    Book(book::BookArgs),
    Eval(eval::EvalArgs),
    Genfens(genfens::GenfensArgs),
    Match(Box<matches::MatchArgs>),
    Options(options::OptionsArgs),
    Perft(perft::PerftArgs),
    #[cfg(feature = "play")]
    Play(play::PlayArgs),
    Positions(positions::PositionsArgs),
    Suite(suite::SuiteArgs),
    #[cfg(feature = "tune")]
    Tunables(tunables::TunablesArgs),
    #[cfg(feature = "tune")]
    Tune(Box<tune::TuneArgs>),
    Wdl(wdl::WdlArgs),
}

impl Command {
    /// Runs the command to its end.
    pub(crate) fn run(self) -> Outcome {
        match self {
            Self::Analyse(args) => analyse::run(&args),
            Self::Bench(args) => args.run(),
            Self::Book(args) => book::run(&args),
            Self::Eval(args) => eval::run(&args),
            Self::Genfens(args) => genfens::run(&args),
            Self::Match(args) => matches::run(&args),
            Self::Options(args) => options::run(&args),
            Self::Perft(args) => perft::run(&args),
            #[cfg(feature = "play")]
            Self::Play(args) => play::run(&args),
            Self::Positions(args) => positions::run(&args),
            Self::Suite(args) => suite::run(&args),
            #[cfg(feature = "tune")]
            Self::Tunables(args) => tunables::run(&args),
            #[cfg(feature = "tune")]
            Self::Tune(args) => tune::run(&args),
            Self::Wdl(args) => wdl::run(&args),
        }
    }
}

/// A player by its name.
fn player(name: &str) -> Result<Player, String> {
    Player::named(name).ok_or_else(|| format!("expected one of {}", Player::names()))
}

/// The path of this very program, for matches of it against itself.
fn own_program() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| Failure::new(format!("this program cannot be found: {error}")))
}

/// `curve.svg` as `curve-3.svg`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let end = path.extension().map_or_else(String::new, |end| format!(".{}", end.to_string_lossy()));
    path.with_file_name(format!("{stem}-{number}{end}"))
}

/// Checks before the work that results have places of their own.
fn check_outputs<'a>(inputs: impl IntoIterator<Item = &'a PathBuf>, outputs: &[&'a Option<PathBuf>]) -> Outcome {
    let inputs = inputs.into_iter().map(PathBuf::as_path);
    Ok(files::check_outputs(inputs, outputs.iter().filter_map(|path| path.as_deref()))?)
}

/// Writes a result for programs to read.
fn write_json(path: &Path, value: &impl serde::Serialize) -> Outcome {
    let failure = |error: &dyn Error| Failure::new(format!("{}: {error}", path.display()));
    let text = serde_json::to_string_pretty(value).map_err(|error| failure(&error))?;
    write_whole(path, (text + "\n").as_bytes()).map_err(|error| failure(&error))
}
