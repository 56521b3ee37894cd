//! `alfiere` without a command: the UCI loop on standard input and output. `alfiere bench` and `alfiere genfens`: what
//! testing servers ask every engine for.

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;

use alfiere_nnue::{InstructionSet, Network};
use alfiere_search::bench;
use alfiere_search::engine::Engine;
use alfiere_search::eval::NetworkChoice;
use alfiere_search::genfens::{Request, generate};
use alfiere_search::search::Control;
use alfiere_search::uci::Session;
use alfiere_terminal::say;

use super::{CommandResult, Failure};

/// For a person who starts the program in a terminal; standard error, because no command was sent.
const HINT: &str = "Alfiere speaks UCI with chess programs; `alfiere play` opens a board in the browser, `alfiere --help` lists the rest";

/// Runs the UCI loop until `quit` or the end of input.
pub(crate) fn uci() -> CommandResult {
    if std::io::stdin().is_terminal() {
        writeln!(std::io::stderr(), "{HINT}")?;
    }
    Session::new(Engine::new(), std::io::stdout()).run(std::io::stdin().lock())?;
    Ok(())
}

/// Search fixed positions with one thread. The last line is "N nodes M nps". N is the same on every run and machine,
/// and depends on the network.
///
/// Example: alfiere bench 12
#[derive(clap::Args)]
pub(crate) struct Bench {
    /// Depth of each search in plies
    #[arg(default_value_t = bench::DEFAULT_DEPTH)]
    depth: u32,
    /// Network file instead of the embedded network
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Instruction set of the network's kernels (scalar, neon, avx2 or avx512) instead of the fastest available
    #[arg(long, value_name = "SET")]
    instruction_set: Option<InstructionSet>,
}

impl Bench {
    pub(crate) fn run(self) -> CommandResult {
        let mut network = NetworkChoice::of(self.net)?;
        if let Some(set) = self.instruction_set {
            let chosen = Network::clone(&network).with_instruction_set(set);
            let chosen = chosen.ok_or_else(|| Failure::new(format!("this processor does not support {set}")))?;
            network = NetworkChoice::Loaded(Arc::new(chosen));
        }
        let summary = bench::run(self.depth, network, &Control::default(), |measured| say(measured))?;
        say(summary);
        Ok(())
    }
}

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
    words: Vec<OsString>,
}

pub(crate) fn genfens(args: &GenfensArgs) -> CommandResult {
    let request = Request::parse(&args.words)?;
    let remark = generate(&request, |board| say(format_args!("info string genfens {}", board.to_fen())))?;
    if let Some(remark) = remark {
        say(format_args!("info string {remark}"));
    }
    Ok(())
}
