//! `alfiere genfens`: openings for a server that tests engines against each other.

use alfiere_search::genfens::{Request, generate};

use super::Outcome;
use super::progress::say;

/// Print openings: random moves from the beginning of a game or from a book, all different, none lost for either side.
///
/// Words: N seed S book None|FILE [plies=6-9] [max-cp=300] [nodes=1000]. The same words give the same openings. They may
/// come in one argument, and "quit" may follow, as `OpenBench` asks.
///
/// Example: alfiere genfens 10 seed 42 book None
#[derive(clap::Args)]
pub(crate) struct GenfensArgs {
    /// The request
    #[arg(required = true, value_name = "WORDS", allow_hyphen_values = true)]
    words: Vec<String>,
}

pub(crate) fn run(args: &GenfensArgs) -> Outcome {
    let request = Request::parse(&args.words)?;
    Ok(generate(&request, |board| say(format_args!("info string genfens {}", board.to_fen())))?)
}
