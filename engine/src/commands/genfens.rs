//! `alfiere genfens`: generates openings for an engine testing server.

use alfiere_search::genfens::{Request, generate};

use super::CommandResult;
use super::progress::say;

/// Print openings: random moves from the initial position or a book. All openings differ, and none is clearly lost for
/// either side.
///
/// Request: N seed S book None|FILE [plies=6-9] [max-cp=300] [nodes=1000]. The same request gives the same openings. It
/// may be a single argument, and "quit" may follow, as with `OpenBench`.
///
/// Example: alfiere genfens 10 seed 42 book None
#[derive(clap::Args)]
pub(crate) struct GenfensArgs {
    /// The request
    #[arg(required = true, value_name = "WORDS", allow_hyphen_values = true)]
    words: Vec<String>,
}

pub(crate) fn run(args: &GenfensArgs) -> CommandResult {
    let request = Request::parse(&args.words)?;
    let remark = generate(&request, |board| say(format_args!("info string genfens {}", board.to_fen())))?;
    if let Some(remark) = remark {
        say(format_args!("info string {remark}"));
    }
    Ok(())
}
