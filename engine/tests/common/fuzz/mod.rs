//! Sends random commands to an engine and checks all of its output.

mod generator;
mod words;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use alfiere_arena::spec::DeclaredOption;
use alfiere_chess::board::Board;
use alfiere_chess::random::Random;
use alfiere_search::engine::Position;
use generator::{CommandGenerator, Meaning};

use super::grammar::{Line, parse};
use super::gui::{Gui, TIMEOUT};
use super::referee::{AnswerTiming, PendingSearch};

/// Number of lines after which the engine is restarted.
const LINES_PER_SESSION: u64 = 100_000;
/// Number of lines kept for the error report.
const KEPT_LINES: usize = 3_000;

#[derive(Clone, Debug)]
pub struct Plan {
    pub program: PathBuf,
    pub seed: u64,
    pub lines: u64,
    /// Address space limit of the engine in KiB; requested hash tables can be larger.
    pub memory_kibibytes: u64,
}

#[derive(Clone, Copy, Default, Debug)]
pub struct Stats {
    pub lines: u64,
    pub searches: u64,
    pub answers: u64,
    pub received: u64,
    pub sessions: u64,
}

/// A failed check with the lines sent before it.
#[derive(Debug)]
pub struct Failure {
    pub problem: String,
    pub sent_lines: Vec<String>,
}

/// Runs until all lines are sent or a check fails; calls `progress` now and then.
pub fn run(plan: &Plan, mut progress: impl FnMut(&Stats)) -> Result<Stats, Failure> {
    let mut stats = Stats::default();
    let mut random = Random::new(plan.seed);
    while stats.lines < plan.lines {
        let mut session = Session::start(plan, random.next_number(), stats);
        let goal = plan.lines.min(stats.lines + LINES_PER_SESSION);
        let outcome = session.run(goal, &mut progress);
        let sent_lines = session.sent_lines.iter().cloned().collect();
        stats = session.stats;
        if outcome.is_err() {
            session.gui.close();
        }
        outcome.and_then(|()| session.end_session()).map_err(|problem| Failure { problem, sent_lines })?;
        stats.sessions += 1;
    }
    Ok(stats)
}

struct Session {
    gui: Gui,
    generator: CommandGenerator,
    /// Lines not sent yet.
    unsent: Vec<u8>,
    sent_lines: VecDeque<String>,
    /// Searches without an answer, oldest first.
    open: VecDeque<PendingSearch>,
    position: Position,
    /// Whether the engine has refused the last position: every search must be refused too.
    refused: bool,
    /// Whether a search may not end without `stop`.
    endless: bool,
    /// Number of outstanding answers to `isready`.
    ready: u64,
    introductions: u64,
    /// Whether a command with free-form output was sent.
    prose: bool,
    printed_fen: Option<String>,
    stats: Stats,
}

impl Session {
    fn start(plan: &Plan, seed: u64, stats: Stats) -> Self {
        let mut gui = Gui::start_with_memory(&plan.program, plan.memory_kibibytes);
        gui.say("uci");
        let options: Vec<DeclaredOption> = gui
            .until("uciok")
            .iter()
            .filter_map(|line| match parse(line) {
                Ok(Line::Declaration(option)) => Some(option),
                _ => None,
            })
            .collect();
        Self {
            gui,
            generator: CommandGenerator::new(seed, options),
            unsent: Vec::new(),
            sent_lines: VecDeque::new(),
            open: VecDeque::new(),
            position: Position::default(),
            refused: false,
            endless: false,
            ready: 0,
            introductions: 0,
            prose: false,
            printed_fen: None,
            stats,
        }
    }

    fn run(&mut self, goal: u64, progress: &mut impl FnMut(&Stats)) -> Result<(), String> {
        while self.stats.lines < goal {
            for _ in 0..self.generator.below(100) {
                self.send_command()?;
                // Few lines are sent during an endless search, because it slows down everything else.
                if self.endless && self.generator.one_in(4) {
                    break;
                }
            }
            // Usually the searches are stopped; sometimes they may end by themselves, if all of them do.
            if self.generator.one_in(4) && !self.endless {
                self.listen()?;
                self.await_answers()?;
            }
            self.say(b"stop".to_vec());
            self.allow_answers(AnswerTiming::AfterStop);
            if self.generator.one_in(3) {
                self.compare_position()?;
            }
            self.listen()?;
            if let Some(search) = self.open.front() {
                return Err(format!("no answer to a search of {}", search.fen()));
            }
            (self.prose, self.endless) = (false, false);
            progress(&self.stats);
        }
        Ok(())
    }

    /// Ends the session by `quit` or by closing the input.
    fn end_session(mut self) -> Result<(), String> {
        if self.generator.one_in(2) {
            self.gui.say("go infinite");
        }
        let last = if self.generator.one_in(2) { Some("quit") } else { None };
        let status = self.gui.end(last);
        if status.success() { Ok(()) } else { Err(format!("the program ended with {status}")) }
    }

    /// Sends one line and records the expected reactions.
    fn send_command(&mut self) -> Result<(), String> {
        let command = self.generator.next_line(&self.position);
        self.say(command.line);
        match command.meaning {
            Meaning::Nothing => {}
            Meaning::Prose => self.prose = true,
            Meaning::Task => {
                self.prose = true;
                self.allow_answers(AnswerTiming::AfterStop);
            }
            Meaning::Ready => {
                self.ready += 1;
                return if self.generator.one_in(4) { self.listen() } else { Ok(()) };
            }
            Meaning::Introduction => self.introductions += 1,
            Meaning::Ends => self.allow_answers(AnswerTiming::AfterStop),
            Meaning::PonderHit => self.allow_answers(AnswerTiming::AfterPonderHit),
            Meaning::Position(position) => (self.position, self.refused) = (position, false),
            Meaning::SomePosition => self.read_position()?,
            Meaning::Go { search_moves, timing, endless } => {
                self.allow_answers(AnswerTiming::AfterStop);
                self.stats.searches += 1;
                if self.refused {
                    self.open.push_back(PendingSearch::refused());
                    return Ok(());
                }
                self.endless |= endless;
                self.open.push_back(PendingSearch::new(self.position.clone(), search_moves, timing));
                // Some time for a wrong early answer.
                if timing != AnswerTiming::Anytime && self.generator.one_in(3) {
                    self.pause()?;
                }
            }
        }
        Ok(())
    }

    fn say(&mut self, line: Vec<u8>) {
        self.stats.lines += 1;
        if self.sent_lines.len() == KEPT_LINES {
            self.sent_lines.pop_front();
        }
        self.sent_lines.push_back(String::from_utf8_lossy(&line).into_owned());
        self.unsent.extend(line);
        self.unsent.push(b'\n');
    }

    fn allow_answers(&mut self, what: AnswerTiming) {
        for search in &mut self.open {
            if what == AnswerTiming::AfterStop || search.timing == what {
                search.timing = AnswerTiming::Anytime;
            }
        }
    }

    fn pause(&mut self) -> Result<(), String> {
        self.listen()?;
        if self.generator.one_in(4) {
            std::thread::sleep(Duration::from_millis(self.generator.below(3)));
            self.listen()?;
        }
        Ok(())
    }

    fn ask_position(&mut self) -> Result<Option<String>, String> {
        // An earlier `d` may still be unsent.
        self.listen()?;
        self.prose = true;
        self.printed_fen = None;
        self.say(b"d".to_vec());
        self.listen()?;
        Ok(self.printed_fen.take())
    }

    fn compare_position(&mut self) -> Result<(), String> {
        let expected = (!self.refused).then(|| self.position.board().to_fen());
        let printed_fen = self.ask_position()?;
        if printed_fen == expected {
            Ok(())
        } else {
            Err(format!("the position is {printed_fen:?} and expected {expected:?}"))
        }
    }

    /// Reads the position after a line that may have changed it.
    fn read_position(&mut self) -> Result<(), String> {
        let printed_fen = self.ask_position()?;
        self.refused = printed_fen.is_none();
        let Some(printed_fen) = printed_fen else { return Ok(()) };
        let board = Board::from_fen(&printed_fen).map_err(|error| format!("the position {printed_fen}: {error}"))?;
        if board.to_fen() != printed_fen {
            return Err(format!("the position {printed_fen} is formatted as {}", board.to_fen()));
        }
        self.position = Position::new(board);
        Ok(())
    }

    /// Sends the queued lines with `isready` and checks all output up to `readyok`.
    fn listen(&mut self) -> Result<(), String> {
        self.say(b"isready".to_vec());
        self.ready += 1;
        let sent = std::mem::take(&mut self.unsent);
        self.gui.say_bytes(&sent).map_err(|error| format!("cannot write to the program: {error}"))?;
        while self.ready > 0 {
            self.hear_next()?;
        }
        if self.introductions > 0 { Err("uci was not answered".to_owned()) } else { Ok(()) }
    }

    /// Waits until every search has ended by itself.
    fn await_answers(&mut self) -> Result<(), String> {
        while !self.open.is_empty() {
            let fen = self.open.front().map(PendingSearch::fen);
            self.hear_next().map_err(|problem| format!("{problem}; searching {fen:?}"))?;
        }
        Ok(())
    }

    fn hear_next(&mut self) -> Result<(), String> {
        let line = self.gui.line_within(TIMEOUT).map_err(|error| match error {
            RecvTimeoutError::Timeout => "the program hangs".to_owned(),
            RecvTimeoutError::Disconnected => "the program has ended".to_owned(),
        })?;
        self.hear(&line)
    }

    fn hear(&mut self, line: &str) -> Result<(), String> {
        self.stats.received += 1;
        let unexpected = || Err(format!("{line:?} without a request"));
        match parse(line)? {
            Line::Note(_) => Ok(()),
            Line::Info(info) => match self.open.front_mut() {
                Some(search) => search.check_info(info),
                None => unexpected(),
            },
            Line::BestMove(best, ponder) => match self.open.pop_front() {
                Some(search) => {
                    self.stats.answers += 1;
                    search.check_best_move(best.as_deref(), ponder.as_deref())
                }
                None => unexpected(),
            },
            Line::ReadyOk => {
                self.ready -= 1;
                Ok(())
            }
            Line::Declaration(_) | Line::Id if self.introductions > 0 => Ok(()),
            Line::UciOk if self.introductions > 0 => {
                self.introductions -= 1;
                Ok(())
            }
            Line::Prose(text) if self.prose => {
                if let Some(fen) = text.strip_prefix("Fen: ") {
                    self.printed_fen = Some(fen.to_owned());
                }
                Ok(())
            }
            _ => unexpected(),
        }
    }
}
