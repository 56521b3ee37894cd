//! A whole run: threads with a process of the teacher each, chunks dealt out one by one, the work file kept in one place.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use alfiere_arena::spec::PlayerSpec;
use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::game::{Limit, end_by_rules};
use alfiere_chess::movegen::{CastlingNotation, format_uci_move};
use alfiere_chess::types::{CastleSide, Color, File};

use super::assignment::Assignment;
use super::error::LabelError;
use super::record::Record;
use super::teacher_process::{AnswerProblem, NoAnswer, TeacherProcess};
use super::work_file::WorkFile;
use crate::data::Row;

/// A position is given up after so many failures.
const MOST_ATTEMPTS: u32 = 3;
/// A teacher that answers none of so many positions is given up.
const MOST_UNANSWERED: u64 = 10;
/// How often progress is shown and a stop is looked for.
const LOOK: Duration = Duration::from_millis(100);

/// Who labels, and how.
#[derive(Clone, Debug)]
pub struct LabelSettings {
    /// The teacher.
    pub teacher: PlayerSpec,
    /// What bounds its thought on a position.
    pub limit: Limit,
    /// How long it may think before it counts as hanging.
    pub patience: Duration,
    /// Processes at a time.
    pub processes: usize,
}

/// A failure that did not end the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// The process, from 1.
    pub process: usize,
    /// What it did.
    pub problem: AnswerProblem,
    /// The position it was asked about.
    pub fen: String,
    /// How often it has failed on it.
    pub attempts: u32,
    /// True when the position is not asked again.
    pub is_given_up: bool,
}

/// Told about a run.
pub trait LabelObserver {
    /// So many positions were dealt with in this run; `Break` stops it.
    fn progress(&mut self, done: u64) -> ControlFlow<()>;
    /// A process failed.
    fn trouble(&mut self, trouble: &Trouble);
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Every chunk is in the work file.
    Complete,
    /// The observer stopped it; the finished chunks are there.
    Stopped,
}

enum Message {
    Finished(Record),
    Trouble(Trouble),
    GivenUp(LabelError),
}

/// What the threads share.
struct PoolState<'a> {
    assignment: &'a Assignment,
    settings: &'a LabelSettings,
    chunks: Vec<usize>,
    next: AtomicUsize,
    done: AtomicU64,
    answered: AtomicU64,
    unanswered: AtomicU64,
    stop: AtomicBool,
}

/// Labels the chunks that the work file lacks.
///
/// # Errors
/// The teacher does not start or answers nothing, or the work file cannot be written. Finished chunks are kept.
pub fn label(
    assignment: &Assignment,
    settings: &LabelSettings,
    work: &mut WorkFile,
    observer: &mut dyn LabelObserver,
) -> Result<End, LabelError> {
    let shared = PoolState {
        assignment,
        settings,
        chunks: work.missing(),
        next: AtomicUsize::new(0),
        done: AtomicU64::new(0),
        answered: AtomicU64::new(0),
        unanswered: AtomicU64::new(0),
        stop: AtomicBool::new(false),
    };
    let mut failure = None;
    std::thread::scope(|scope| {
        let (sender, messages) = channel();
        for process in 1..=settings.processes.clamp(1, shared.chunks.len().max(1)) {
            let (sender, shared) = (sender.clone(), &shared);
            scope.spawn(move || shared.work(process, &sender));
        }
        drop(sender);
        loop {
            let outcome = match messages.recv_timeout(LOOK) {
                Ok(Message::Finished(record)) => work.append(&record),
                Ok(Message::GivenUp(error)) => Err(error),
                Ok(Message::Trouble(trouble)) => {
                    observer.trouble(&trouble);
                    Ok(())
                }
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if let Err(error) = outcome {
                failure.get_or_insert(error);
                shared.stop.store(true, Ordering::Relaxed);
            }
            if observer.progress(shared.done.load(Ordering::Relaxed)).is_break() {
                shared.stop.store(true, Ordering::Relaxed);
            }
        }
    });
    match failure {
        Some(error) => Err(error),
        None if work.missing().is_empty() => Ok(End::Complete),
        None => Ok(End::Stopped),
    }
}

impl PoolState<'_> {
    /// What one thread does: chunk after chunk.
    fn work(&self, process: usize, sender: &Sender<Message>) {
        let LabelSettings { teacher, limit, patience, .. } = self.settings;
        let mut teacher = TeacherProcess::new(teacher, *limit, *patience, &self.stop);
        while !self.stop.load(Ordering::Relaxed) {
            let Some(&chunk) = self.chunks.get(self.next.fetch_add(1, Ordering::Relaxed)) else { return };
            let message = match self.label_chunk(chunk, process, &mut teacher, sender) {
                Ok(record) => Message::Finished(record),
                Err(Some(error)) => Message::GivenUp(error),
                Err(None) => return,
            };
            // The other end outlives the threads.
            let _ = sender.send(message);
        }
    }

    /// Labels a chunk; an error without content means that the run is being stopped.
    fn label_chunk(
        &self,
        chunk: usize,
        process: usize,
        teacher: &mut TeacherProcess<'_>,
        sender: &Sender<Message>,
    ) -> Result<Record, Option<LabelError>> {
        let mut record = Record { chunk, ..Record::default() };
        let mut is_begun = false;
        for row in self.assignment.rows(chunk) {
            match row.to_board() {
                Ok(board) if !is_standard(&board) => record.refused += 1,
                Err(_) => record.refused += 1,
                Ok(board) if is_over(&board) => record.over += 1,
                Ok(board) => {
                    if !is_begun {
                        teacher.begin(&board).map_err(|none| self.end_of(none))?;
                        is_begun = true;
                    }
                    self.label_row(row, &board, process, teacher, sender, &mut record)?;
                }
            }
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        Ok(record)
    }

    fn label_row(
        &self,
        row: &Row,
        board: &Board,
        process: usize,
        teacher: &mut TeacherProcess<'_>,
        sender: &Sender<Message>,
        record: &mut Record,
    ) -> Result<(), Option<LabelError>> {
        let fen = row.to_fen();
        for attempts in 1..=MOST_ATTEMPTS {
            let problem = match teacher.ask(board) {
                Ok(answer) => {
                    let best_move = format_uci_move(answer.best_move, CastlingNotation::Standard);
                    // Writing to a string cannot fail.
                    let _ = write!(record.text, "{fen},{},{best_move}", answer.label);
                    if self.assignment.with_results() {
                        let _ = write!(record.text, ",{}", row.result().text());
                    }
                    record.text.push('\n');
                    record.rows += 1;
                    self.answered.fetch_add(1, Ordering::Relaxed);
                    return Ok(());
                }
                Err(NoAnswer::Problem(problem)) => problem,
                Err(other) => return Err(self.end_of(other)),
            };
            let is_given_up = attempts == MOST_ATTEMPTS;
            let trouble = Trouble { process, problem: problem.clone(), fen: fen.clone(), attempts, is_given_up };
            let _ = sender.send(Message::Trouble(trouble));
            if is_given_up && self.answered.load(Ordering::Relaxed) == 0 {
                let asked = self.unanswered.fetch_add(1, Ordering::Relaxed) + 1;
                if asked >= MOST_UNANSWERED {
                    let (name, problem) = (self.settings.teacher.name.clone(), problem.to_string());
                    return Err(Some(LabelError::NoAnswers { name, asked, problem }));
                }
            }
        }
        record.failed.push(fen);
        Ok(())
    }

    fn end_of(&self, none: NoAnswer) -> Option<LabelError> {
        let fault = match none {
            NoAnswer::NoStart(fault) => fault,
            NoAnswer::Stopped | NoAnswer::Problem(_) => return None,
        };
        Some(LabelError::NoStart { name: self.settings.teacher.name.clone(), fault })
    }
}

/// True when the rules have ended the game: mate, stalemate, fifty moves, or nothing left to mate with.
fn is_over(board: &Board) -> bool {
    end_by_rules(board, &KeyHistory::new()).is_some()
}

/// True unless a castling right is one of Chess960.
fn is_standard(board: &Board) -> bool {
    let files = [(CastleSide::King, File::H), (CastleSide::Queen, File::A)];
    Color::ALL.into_iter().all(|color| {
        files.into_iter().all(|(side, file)| {
            let rook = board.castling_rook(color, side);
            rook.is_none_or(|rook| rook.file() == file && board.king(color).file() == File::E)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ended_games_are_told() {
        for (fen, over) in [
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", true),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", true),
            ("7k/8/6K1/8/8/8/8/7B w - - 0 1", true),
            ("7k/8/6K1/8/8/8/8/R7 w - - 100 90", true),
            ("7k/8/6K1/8/8/8/8/R7 w - - 99 90", false),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
        ] {
            assert_eq!(is_over(&Board::from_fen(fen).expect("legal")), over, "{fen}");
        }
    }

    #[test]
    fn rights_of_chess960_are_told() {
        for (fen, standard) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", true),
            ("r3k2r/8/8/8/8/8/8/R2K3R w kq - 0 1", true),
            ("r3k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1", false),
            ("1r3k1r/8/8/8/8/8/8/4K3 w k - 0 1", false),
        ] {
            assert_eq!(is_standard(&Board::from_fen(fen).expect("legal")), standard, "{fen}");
        }
    }
}
