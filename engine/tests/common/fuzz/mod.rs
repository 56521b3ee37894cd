//! Random talk to an engine, and a listener who lets nothing pass.

mod speaker;
mod words;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use alfiere_chess::board::Board;
use alfiere_chess::random::Random;
use alfiere_search::engine::Position;
use speaker::{Meaning, Speaker};

use super::grammar::{Declaration, Line, parse};
use super::gui::{Gui, PATIENCE};
use super::referee::{Leave, Question};

/// After so many lines the program must end, and a new one is started.
const LINES_A_SESSION: u64 = 100_000;
/// So many lines of the talk are kept, for whoever must find out what went wrong.
const MEMORY: usize = 3_000;

/// What to do.
#[derive(Clone, Debug)]
pub struct Plan {
    pub program: PathBuf,
    pub seed: u64,
    pub lines: u64,
    /// Address space that the program may have, in KiB: tables are asked for that do not fit.
    pub memory_kibibytes: u64,
}

/// What was done.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    pub lines: u64,
    pub searches: u64,
    pub answers: u64,
    pub heard: u64,
    pub sessions: u64,
}

/// What went wrong, after which talk.
#[derive(Debug)]
pub struct Failure {
    pub problem: String,
    pub talk: Vec<String>,
}

/// Talks until all lines are said or something goes wrong; `progress` hears how far it is.
pub fn run(plan: &Plan, mut progress: impl FnMut(&Tally)) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    let mut random = Random::new(plan.seed);
    while tally.lines < plan.lines {
        let mut session = Session::start(plan, random.next_number(), tally);
        let goal = plan.lines.min(tally.lines + LINES_A_SESSION);
        let outcome = session.talk(goal, &mut progress);
        let talk = session.talk.iter().cloned().collect();
        tally = session.tally;
        outcome.and_then(|()| session.leave()).map_err(|problem| Failure { problem, talk })?;
        tally.sessions += 1;
    }
    Ok(tally)
}

struct Session {
    gui: Gui,
    speaker: Speaker,
    /// What was said and not sent yet.
    unsent: Vec<u8>,
    talk: VecDeque<String>,
    /// Searches without their answer, oldest first.
    open: VecDeque<Question>,
    /// The position that the engine must have in mind.
    position: Position,
    /// Whether one of the searches need not end before it is stopped.
    endless: bool,
    /// Answers to `isready` and `uci` still to come.
    ready: u64,
    introductions: u64,
    /// Whether something was said that people read the answer to.
    prose: bool,
    /// The last position that the engine told.
    told: Option<String>,
    tally: Tally,
}

impl Session {
    fn start(plan: &Plan, seed: u64, tally: Tally) -> Self {
        let mut gui = Gui::start_with_memory(&plan.program, plan.memory_kibibytes);
        gui.say("uci");
        let options: Vec<Declaration> = gui
            .until("uciok")
            .iter()
            .filter_map(|line| match parse(line) {
                Ok(Line::Declaration(option)) => Some(option),
                _ => None,
            })
            .collect();
        Self {
            gui,
            speaker: Speaker::new(seed, options),
            unsent: Vec::new(),
            talk: VecDeque::new(),
            open: VecDeque::new(),
            position: Position::default(),
            endless: false,
            ready: 0,
            introductions: 0,
            prose: false,
            told: None,
            tally,
        }
    }

    fn talk(&mut self, goal: u64, progress: &mut impl FnMut(&Tally)) -> Result<(), String> {
        while self.tally.lines < goal {
            for _ in 0..self.speaker.below(100) {
                self.speak()?;
                // A search without an end is left alone for a few lines only: it takes the time of many.
                if self.endless && self.speaker.one_in(4) {
                    break;
                }
            }
            // Mostly a stop; now and then the searches end by themselves, if they all can.
            if self.speaker.one_in(4) && !self.endless {
                self.listen()?;
                self.await_answers()?;
            }
            self.say(b"stop".to_vec());
            self.release(Leave::AfterStop);
            if self.speaker.one_in(3) {
                self.compare_position()?;
            }
            self.listen()?;
            if let Some(question) = self.open.front() {
                return Err(format!("no answer to a search of {}", question.fen()));
            }
            (self.prose, self.endless) = (false, false);
            progress(&self.tally);
        }
        Ok(())
    }

    /// Ends the session, politely or not.
    fn leave(mut self) -> Result<(), String> {
        if self.speaker.one_in(2) {
            self.gui.say("go infinite");
        }
        let last = if self.speaker.one_in(2) { Some("quit") } else { None };
        let status = self.gui.end(last);
        if status.success() { Ok(()) } else { Err(format!("the program ended with {status}")) }
    }

    /// Says one line and notes what must follow from it.
    fn speak(&mut self) -> Result<(), String> {
        let said = self.speaker.next_line(&self.position);
        self.say(said.line);
        match said.meaning {
            Meaning::Nothing => {}
            Meaning::Prose => self.prose = true,
            Meaning::Ready => {
                self.ready += 1;
                return if self.speaker.one_in(4) { self.listen() } else { Ok(()) };
            }
            Meaning::Introduction => self.introductions += 1,
            Meaning::Ends => self.release(Leave::AfterStop),
            Meaning::PonderHit => self.release(Leave::AfterPonderHit),
            Meaning::Position(position) => self.position = position,
            Meaning::SomePosition => self.learn_position()?,
            Meaning::Go { search_moves, leave, endless } => {
                self.endless |= endless;
                self.release(Leave::AfterStop);
                self.tally.searches += 1;
                self.open.push_back(Question::new(self.position.clone(), search_moves, leave));
                // A search that must wait is given the chance not to.
                if leave != Leave::Given && self.speaker.one_in(3) {
                    self.pause()?;
                }
            }
        }
        Ok(())
    }

    fn say(&mut self, line: Vec<u8>) {
        self.tally.lines += 1;
        if self.talk.len() == MEMORY {
            self.talk.pop_front();
        }
        self.talk.push_back(String::from_utf8_lossy(&line).into_owned());
        self.unsent.extend(line);
        self.unsent.push(b'\n');
    }

    /// From now on these searches may answer.
    fn release(&mut self, what: Leave) {
        for question in &mut self.open {
            if what == Leave::AfterStop || question.leave == what {
                question.leave = Leave::Given;
            }
        }
    }

    fn pause(&mut self) -> Result<(), String> {
        self.listen()?;
        if self.speaker.one_in(4) {
            std::thread::sleep(Duration::from_millis(self.speaker.below(3)));
            self.listen()?;
        }
        Ok(())
    }

    fn ask_position(&mut self) -> Result<String, String> {
        self.prose = true;
        self.told = None;
        self.say(b"d".to_vec());
        self.listen()?;
        self.told.take().ok_or_else(|| "no position was shown".to_owned())
    }

    fn compare_position(&mut self) -> Result<(), String> {
        let expected = self.position.board().to_fen();
        let told = self.ask_position()?;
        if told == expected { Ok(()) } else { Err(format!("the position is {told} and should be {expected}")) }
    }

    /// After a line that may or may not have set a position.
    fn learn_position(&mut self) -> Result<(), String> {
        let told = self.ask_position()?;
        let board = Board::from_fen(&told).map_err(|error| format!("the position {told}: {error}"))?;
        if board.to_fen() != told {
            return Err(format!("the position {told} is written again as {}", board.to_fen()));
        }
        self.position = Position::new(board);
        Ok(())
    }

    /// Sends what was said, asks whether the engine is ready, and checks all that it has said until then.
    fn listen(&mut self) -> Result<(), String> {
        self.say(b"isready".to_vec());
        self.ready += 1;
        let sent = std::mem::take(&mut self.unsent);
        self.gui.say_bytes(&sent).map_err(|error| format!("the program does not listen: {error}"))?;
        while self.ready > 0 {
            self.hear_next()?;
        }
        if self.introductions > 0 { Err("uci was not answered".to_owned()) } else { Ok(()) }
    }

    /// Waits until every search has answered by itself.
    fn await_answers(&mut self) -> Result<(), String> {
        while !self.open.is_empty() {
            let fen = self.open.front().map(Question::fen);
            self.hear_next().map_err(|problem| format!("{problem}; searching {fen:?}"))?;
        }
        Ok(())
    }

    fn hear_next(&mut self) -> Result<(), String> {
        let line = self.gui.line_within(PATIENCE).map_err(|error| match error {
            RecvTimeoutError::Timeout => "the program hangs".to_owned(),
            RecvTimeoutError::Disconnected => "the program has ended".to_owned(),
        })?;
        self.hear(&line)
    }

    fn hear(&mut self, line: &str) -> Result<(), String> {
        self.tally.heard += 1;
        let unasked = || Err(format!("{line:?} although nobody asked"));
        match parse(line)? {
            Line::Note(_) => Ok(()),
            Line::Info(info) => match self.open.front_mut() {
                Some(question) => question.hear(info),
                None => unasked(),
            },
            Line::BestMove(best, ponder) => match self.open.pop_front() {
                Some(question) => {
                    self.tally.answers += 1;
                    question.settle(best.as_deref(), ponder.as_deref())
                }
                None => unasked(),
            },
            Line::ReadyOk => {
                self.ready -= 1;
                Ok(())
            }
            Line::Declaration(_) | Line::Id(_) if self.introductions > 0 => Ok(()),
            Line::UciOk if self.introductions > 0 => {
                self.introductions -= 1;
                Ok(())
            }
            Line::Prose(text) if self.prose => {
                if let Some(fen) = text.strip_prefix("Fen: ") {
                    self.told = Some(fen.to_owned());
                }
                Ok(())
            }
            _ => unasked(),
        }
    }
}
