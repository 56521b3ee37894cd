//! A file for each command, or for a few small ones: its arguments, their validation, and the output.
//!
//! A command parses its arguments, calls the library and prints. It contains no chess and no statistics.

mod analyse;
mod arguments;
mod book;
mod eval;
mod growing_file;
mod manual;
mod matches;
mod output;
mod perft;
#[cfg(feature = "play")]
mod play;
mod progress;
mod rate;
mod ratings;
mod suite;
mod tune;
pub(crate) mod uci;

pub(crate) use alfiere_terminal::{CommandResult, Failure};
use clap::Subcommand;
use git_version::git_version;

pub(crate) use arguments::{own_program, player};
pub(crate) use output::{numbered, write_json};

/// The version of the program with the commit that it was built from, `+` for changes since, where that is known.
pub(crate) const VERSION: &str = git_version!(
    prefix = concat!(env!("CARGO_PKG_VERSION"), " "),
    args = ["--always", "--dirty=+"],
    fallback = env!("CARGO_PKG_VERSION")
);

/// All commands except UCI.
#[derive(Subcommand)]
pub(crate) enum Command {
    Analyse(analyse::AnalyseArgs),
    Bench(uci::Bench),
    Book(book::BookArgs),
    Eval(eval::EvalArgs),
    Genfens(uci::GenfensArgs),
    Manual(manual::ManualArgs),
    Match(Box<matches::MatchArgs>),
    Options(manual::OptionsArgs),
    Perft(perft::PerftArgs),
    #[cfg(feature = "play")]
    Play(play::PlayArgs),
    Positions(book::PositionsArgs),
    Rate(rate::RateArgs),
    Ratings(ratings::RatingsArgs),
    Suite(suite::SuiteArgs),
    #[cfg(feature = "tune")]
    Tunables(tune::TunablesArgs),
    Tune(Box<tune::TuneArgs>),
}

impl Command {
    pub(crate) fn run(self) -> CommandResult {
        match self {
            Self::Analyse(args) => analyse::run(&args),
            Self::Bench(args) => args.run(),
            Self::Book(args) => book::run(&args),
            Self::Eval(args) => eval::run(&args),
            Self::Genfens(args) => uci::genfens(&args),
            Self::Manual(args) => manual::write_manual(&args),
            Self::Match(args) => matches::run(&args),
            Self::Options(args) => manual::list_options(&args),
            Self::Perft(args) => perft::run(&args),
            #[cfg(feature = "play")]
            Self::Play(args) => play::run(&args),
            Self::Positions(args) => book::sample_positions(&args),
            Self::Rate(args) => rate::run(&args),
            Self::Ratings(args) => ratings::run(&args),
            Self::Suite(args) => suite::run(&args),
            #[cfg(feature = "tune")]
            Self::Tunables(args) => tune::list_tunables(&args),
            Self::Tune(args) => tune::run(&args),
        }
    }
}
