//! One file per command: its arguments, their validation, and the output.
//!
//! A command parses its arguments, calls the library and prints. It contains no chess and no statistics.

mod analyse;
mod arguments;
mod bench;
mod book;
mod endgames;
mod eval;
mod failure;
mod game_args;
mod genfens;
mod growing_file;
mod growing_json;
mod interrupt;
mod manual;
mod matches;
mod metrics;
mod options;
mod output;
mod perft;
#[cfg(feature = "play")]
mod play;
mod positions;
mod progress;
mod rate;
mod ratings;
mod suite;
#[cfg(feature = "tune")]
mod tunables;
#[cfg(feature = "tune")]
mod tune;
pub(crate) mod uci;
mod wdl;

use std::io::Write;
use std::process::ExitCode;

use clap::Subcommand;

pub(crate) use arguments::{own_program, player};
pub(crate) use failure::{CommandResult, Failure};
pub(crate) use output::{Replace, check_outputs, numbered, write_json};
pub(crate) use progress::all_said;

/// Exit code of a command stopped by Ctrl-C, as in shells.
const STOPPED_EXIT: u8 = 130;

/// Prints the message to standard error and returns the exit code.
pub(crate) fn report(failure: &Failure) -> ExitCode {
    match failure {
        Failure::Error(message) => {
            // Nobody can be told that standard error is closed.
            let _ = writeln!(std::io::stderr(), "error: {message}");
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
    Rate(rate::RateArgs),
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
            Self::Rate(args) => rate::run(&args),
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
