//! Reads the transcript of a match (`log=FILE` in an engine's words) and checks every word that the program said: lines
//! that follow the protocol, lines of moves that can be played, one answer to each `go`.
//!
//! Only for what a match says to an engine: searches that end by themselves, on boards of ordinary chess or Chess960.

#![allow(clippy::print_stdout, reason = "printing what it finds is what this program is for")]

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
use common::referee::{Leave, Question, position_of};

/// Check what a program said in a match.
#[derive(Parser)]
#[command(
    after_help = "Example: alfiere match --engine 'alfiere name=one log=talk.txt' --engine alfiere --tc 1+0.01 --games 10
         cargo run --release -p alfiere --example uci_check -- talk.txt"
)]
struct Arguments {
    /// What `log=FILE` wrote
    transcript: PathBuf,
}

/// One process of the transcript.
#[derive(Default)]
struct Talk {
    position: Position,
    question: Option<Question>,
    lines: u64,
    answers: u64,
}

impl Talk {
    fn told(&mut self, line: &str) -> Result<(), String> {
        match line.split(' ').next() {
            Some("position") => self.position = position_of(line)?,
            Some("go") if self.question.is_some() => return Err("a go before the last one was answered".to_owned()),
            Some("go") => self.question = Some(Question::new(self.position.clone(), Vec::new(), Leave::Given)),
            _ => {}
        }
        Ok(())
    }

    fn says(&mut self, line: &str) -> Result<(), String> {
        self.lines += 1;
        match (parse(line)?, &mut self.question) {
            (Line::Info(info), Some(question)) => question.hear(info),
            (Line::BestMove(best, ponder), Some(question)) => {
                question.settle(best.as_deref(), ponder.as_deref())?;
                self.question = None;
                self.answers += 1;
                Ok(())
            }
            (Line::Info(_) | Line::BestMove(..), None) => Err(format!("{line:?} that nobody asked for")),
            _ => Ok(()),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = Arguments::parse().transcript;
    let file = File::open(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut talks: HashMap<String, Talk> = HashMap::new();
    for (index, line) in BufReader::new(file).lines().enumerate() {
        let line = line?;
        let here = |problem: String| format!("{} line {}: {problem}", path.display(), index + 1);
        let mut words = line.splitn(4, ' ').skip(1);
        let (Some(process), Some(direction)) = (words.next(), words.next()) else {
            return Err(here(format!("expected SECONDS PROCESS > LINE, found {line:?}")).into());
        };
        let text = words.next().unwrap_or("");
        let talk = talks.entry(process.to_owned()).or_default();
        let checked = if direction == ">" { talk.told(text) } else { talk.says(text) };
        checked.map_err(here)?;
    }
    let (lines, answers) = talks.values().fold((0, 0), |(l, a), talk| (l + talk.lines, a + talk.answers));
    println!("{} processes, {answers} searches, {lines} lines, nothing wrong", talks.len());
    Ok(())
}
