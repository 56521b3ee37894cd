//! `trainer watch`: a page of training runs in the browser.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use alfiere_terminal::{interrupt, remark};
use alfiere_trainer::watch::{Answers, MAX_RUNS, WatchServer};
use alfiere_training::record::{RunRecord, record_path};
use clap::Args;

use super::{CommandResult, Failure};

/// Show training runs in a browser: loss, R², speed, weights and the largest errors, several runs side by side
///
/// `train` writes the record of a run next to its network, with the extension .run.jsonl. Runs may be running or
/// finished. The page is served to this machine only, and never disturbs a run: it only reads the record.
///
/// Example: trainer watch nets/first.nnue nets/second.nnue
#[derive(Args)]
pub(crate) struct Watch {
    /// Networks that are or were trained, or their records
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Port of the page; 0 for any free port
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
}

impl Watch {
    pub(crate) fn run(&self) -> CommandResult {
        if self.runs.len() > MAX_RUNS {
            return Err(Failure::new(format!("{} runs; expected at most {MAX_RUNS}", self.runs.len())));
        }
        let records: Vec<PathBuf> = self.runs.iter().map(|run| record_path(run)).collect();
        for record in &records {
            RunRecord::read(record)?;
        }
        let server = WatchServer::bind(self.port, &records)?;
        remark(format_args!("the runs are at {} (Ctrl-C ends)", server.page()));
        Ok(server.run(interrupt::flag())?)
    }
}

/// Serves the page of a run while it is trained; the page ends with the program. Returns a count of its answers.
pub(crate) fn serve(server: WatchServer) -> Answers {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let answers = server.answers();
    remark(format_args!("watch this run at {}", server.page()));
    let thread = std::thread::Builder::new().name("page".to_owned()).spawn(move || {
        if let Err(error) = server.run(&NEVER) {
            remark(format_args!("the page: {error}; the run continues"));
        }
    });
    if let Err(error) = thread {
        remark(format_args!("the page: {error}; the run continues"));
    }
    answers
}
