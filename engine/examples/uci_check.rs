//! Checks an engine's output in the log of a match (`log=FILE` in its description): every line follows the protocol,
//! all variations are legal, and each `go` has one answer.
//!
//! Only for searches that end by themselves, as in matches, in standard chess or Chess960.

#![allow(clippy::print_stdout, reason = "this program prints its results")]

use std::collections::HashMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use alfiere_search::engine::Position;
use clap::Parser;

#[path = "../tests/common/mod.rs"]
mod common;

use common::grammar::{Line, parse};
use common::referee::{AnswerTiming, PendingSearch, position_of};

/// Check an engine's output in the log of a match.
#[derive(Parser)]
#[command(
    after_help = "Example: alfiere match --engine 'alfiere name=one log=process_log.txt' --engine alfiere --tc 1+0.01 --games 10
         cargo run --release -p alfiere --example uci_check -- process_log.txt"
)]
struct Arguments {
    /// Log written by `log=FILE`
    transcript: PathBuf,
}

#[derive(Default)]
struct ProcessLog {
    position: Position,
    search: Option<PendingSearch>,
    lines: u64,
    answers: u64,
}

impl ProcessLog {
    fn check_input(&mut self, line: &str) -> Result<(), String> {
        match line.split(' ').next() {
            Some("position") => self.position = position_of(line)?,
            Some("go") if self.search.is_some() => return Err("go before the answer to the previous go".to_owned()),
            Some("go") => {
                self.search = Some(PendingSearch::new(self.position.clone(), Vec::new(), AnswerTiming::Anytime));
            }
            _ => {}
        }
        Ok(())
    }

    fn check_output(&mut self, line: &str) -> Result<(), String> {
        self.lines += 1;
        match (parse(line)?, &mut self.search) {
            (Line::Info(info), Some(search)) => search.check_info(info),
            (Line::BestMove(best, ponder), Some(search)) => {
                search.check_best_move(best.as_deref(), ponder.as_deref())?;
                self.search = None;
                self.answers += 1;
                Ok(())
            }
            (Line::Info(_) | Line::BestMove(..), None) => Err(format!("{line:?} without go")),
            _ => Ok(()),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = Arguments::parse().transcript;
    let file = File::open(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut processes: HashMap<String, ProcessLog> = HashMap::new();
    for (index, line) in BufReader::new(file).lines().enumerate() {
        let line = line?;
        let located = |problem: String| format!("{} line {}: {problem}", path.display(), index + 1);
        let mut words = line.splitn(4, ' ').skip(1);
        let (Some(process), Some(direction)) = (words.next(), words.next()) else {
            return Err(located(format!("expected SECONDS PROCESS > LINE, found {line:?}")).into());
        };
        let text = words.next().unwrap_or("");
        let process_log = processes.entry(process.to_owned()).or_default();
        let checked = if direction == ">" { process_log.check_input(text) } else { process_log.check_output(text) };
        checked.map_err(located)?;
    }
    let (lines, answers) =
        processes.values().fold((0, 0), |(l, a), process_log| (l + process_log.lines, a + process_log.answers));
    println!("{} processes, {answers} searches, {lines} lines, nothing wrong", processes.len());
    Ok(())
}
