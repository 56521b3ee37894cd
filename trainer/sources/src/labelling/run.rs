//! A labelling run: threads with one engine process each take chunks in turn, and add what they find to the work file.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use alfiere_arena::player::{GameView, MoveLimits, PlayError, Player};
use alfiere_arena::spec::PlayerSpec;
use alfiere_arena::uci_player::UciPlayer;
use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::game::{Fault, Limit, end_by_rules};
use alfiere_chess::movegen::{CastlingNotation, format_uci_move, parse_uci_move};
use alfiere_chess::types::Move;
use alfiere_data::{Label, Row};

use super::assignment::{Assignment, LabelError};
use super::work_file::{Record, WorkFile};
use crate::pool::{Event, Tasks, ordered};

/// A position is skipped after this number of failures.
const MAX_ATTEMPTS: u32 = 3;
/// The run ends if the engine has answered none of this many positions.
const MAX_UNANSWERED: u64 = 10;

#[derive(Clone, Debug)]
pub struct LabelSettings {
    pub engine: PlayerSpec,
    pub limit: Limit,
    /// Time after which a search counts as hanging.
    pub patience: Duration,
    pub processes: usize,
}

/// A failure that does not end the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessFailure {
    /// Number of the process, from 1.
    pub process: usize,
    pub problem: AnswerProblem,
    /// The position that was being searched.
    pub fen: String,
    pub attempts: u32,
    /// True if the position is skipped.
    pub is_given_up: bool,
}

/// Receives the progress of a run.
pub trait LabelObserver {
    /// Called regularly with the number of positions processed in this run; `Break` stops it.
    fn progress(&mut self, done: u64) -> ControlFlow<()>;
    fn process_failed(&mut self, failure: &ProcessFailure);
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Every chunk is in the work file.
    Complete,
    /// The observer stopped the run; the finished chunks are kept.
    Stopped,
}

/// State shared by the threads.
struct LabelRun<'a> {
    assignment: &'a Assignment,
    settings: &'a LabelSettings,
    chunks: Vec<usize>,
    work: Mutex<&'a mut WorkFile>,
    done: AtomicU64,
    answered: AtomicU64,
    unanswered: AtomicU64,
}

/// Labels the chunks that are missing in the work file.
///
/// # Errors
/// If the engine does not start or answers nothing, or the work file cannot be written. Finished chunks are kept.
pub fn label(
    assignment: &Assignment,
    settings: &LabelSettings,
    work: &mut WorkFile,
    observer: &mut dyn LabelObserver,
) -> Result<End, LabelError> {
    let shared = LabelRun {
        assignment,
        settings,
        chunks: work.missing(),
        work: Mutex::new(work),
        done: AtomicU64::new(0),
        answered: AtomicU64::new(0),
        unanswered: AtomicU64::new(0),
    };
    let chunks = shared.chunks.len();
    let work = |tasks: &Tasks<'_, (), ProcessFailure>| shared.work(tasks);
    ordered(settings.processes.min(chunks), 0..chunks as u64, work, &mut |event| {
        if let Event::Note(failure) = event {
            observer.process_failed(&failure);
        }
        Ok(observer.progress(shared.done.load(Ordering::Relaxed)))
    })?;
    let work = shared.work.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(if work.missing().is_empty() { End::Complete } else { End::Stopped })
}

impl LabelRun<'_> {
    /// The loop of one thread: labels one chunk after another.
    fn work(&self, tasks: &Tasks<'_, (), ProcessFailure>) -> Result<(), LabelError> {
        let LabelSettings { engine, limit, patience, .. } = self.settings;
        let mut engine = EngineProcess::new(engine, *limit, *patience, tasks.stop.flag());
        while let Some(index) = tasks.next() {
            match self.label_chunk(self.chunks[index as usize], &mut engine, tasks) {
                Ok(record) => self.work.lock().unwrap_or_else(PoisonError::into_inner).append(&record)?,
                Err(Some(error)) => return Err(error),
                Err(None) => break,
            }
            tasks.done(index, ());
        }
        Ok(())
    }

    /// Labels a chunk; an `Err` without content means that the run is being stopped.
    fn label_chunk(
        &self,
        chunk: usize,
        engine: &mut EngineProcess<'_>,
        tasks: &Tasks<'_, (), ProcessFailure>,
    ) -> Result<Record, Option<LabelError>> {
        let mut record = Record { chunk, ..Record::default() };
        let mut is_begun = false;
        for row in self.assignment.rows(chunk) {
            match row.to_board() {
                Ok(board) if !board.has_standard_castling() => record.refused += 1,
                Err(_) => record.refused += 1,
                Ok(board) if is_over(&board) => record.over += 1,
                Ok(board) => {
                    if !is_begun {
                        engine.begin().map_err(|none| self.end_of(none))?;
                        is_begun = true;
                    }
                    self.label_row(row, &board, engine, tasks, &mut record)?;
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
        engine: &mut EngineProcess<'_>,
        tasks: &Tasks<'_, (), ProcessFailure>,
        record: &mut Record,
    ) -> Result<(), Option<LabelError>> {
        let fen = row.to_fen();
        for attempts in 1..=MAX_ATTEMPTS {
            let problem = match engine.ask(board) {
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
            let is_given_up = attempts == MAX_ATTEMPTS;
            let (process, fen) = (tasks.thread, fen.clone());
            tasks.note(ProcessFailure { process, problem: problem.clone(), fen, attempts, is_given_up });
            if is_given_up && self.answered.load(Ordering::Relaxed) == 0 {
                let asked = self.unanswered.fetch_add(1, Ordering::Relaxed) + 1;
                if asked >= MAX_UNANSWERED {
                    let (name, problem) = (self.settings.engine.name.clone(), problem.to_string());
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
        Some(LabelError::NoStart { name: self.settings.engine.name.clone(), fault })
    }
}

/// True if the game is over by the rules: checkmate, stalemate, fifty-move rule or insufficient material.
fn is_over(board: &Board) -> bool {
    end_by_rules(board, &KeyHistory::new()).is_some()
}

/// The run ends after this number of consecutive failed starts.
const MAX_STARTS: u32 = 3;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AnswerProblem {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("gave no score")]
    NoScore,
}

pub(super) enum NoAnswer {
    /// The engine failed; the process has ended.
    Problem(AnswerProblem),
    /// The engine repeatedly fails to start.
    NoStart(Fault),
    Stopped,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Answer {
    pub(super) label: Label,
    pub(super) best_move: Move,
}

pub(super) struct EngineProcess<'a> {
    spec: &'a PlayerSpec,
    limit: Limit,
    patience: Duration,
    stop: &'a AtomicBool,
    player: Option<UciPlayer>,
}

impl<'a> EngineProcess<'a> {
    pub(super) fn new(spec: &'a PlayerSpec, limit: Limit, patience: Duration, stop: &'a AtomicBool) -> Self {
        Self { spec, limit, patience, stop, player: None }
    }

    /// Starts a new game, so that the engine clears its state.
    pub(super) fn begin(&mut self) -> Result<(), NoAnswer> {
        let mut starts = 0;
        loop {
            match self.try_begin() {
                Ok(()) => return Ok(()),
                Err(PlayError::Stopped) => return Err(NoAnswer::Stopped),
                Err(PlayError::Fault(fault)) => {
                    self.player = None;
                    starts += 1;
                    if starts == MAX_STARTS {
                        return Err(NoAnswer::NoStart(fault));
                    }
                }
            }
        }
    }

    fn try_begin(&mut self) -> Result<(), PlayError> {
        let player = match &mut self.player {
            Some(player) => player,
            none => none.insert(UciPlayer::start(self.spec, self.stop)?),
        };
        player.new_game(CastlingNotation::Standard, self.stop)
    }

    pub(super) fn ask(&mut self, board: &Board) -> Result<Answer, NoAnswer> {
        if self.player.is_none() {
            self.begin()?;
        }
        let answer = self.try_ask(board);
        if answer.is_err() {
            self.player = None;
        }
        answer
    }

    fn try_ask(&mut self, board: &Board) -> Result<Answer, NoAnswer> {
        let Some(player) = &mut self.player else { return Err(NoAnswer::Stopped) };
        let limits = MoveLimits {
            limit: self.limit,
            clock: None,
            opponent_clock: None,
            margin: Duration::ZERO,
            patience: self.patience,
        };
        let reply = player.choose(&alone(board), &limits, self.stop).map_err(|error| match error {
            PlayError::Fault(fault) => NoAnswer::Problem(fault.into()),
            PlayError::Stopped => NoAnswer::Stopped,
        })?;
        let text = reply.text;
        let best_move = parse_uci_move(board, &text)
            .map_err(|_| NoAnswer::Problem(Fault::IllegalMove { text, fen: board.to_fen() }.into()))?;
        let reported_score = reply.report.reported_score.ok_or(NoAnswer::Problem(AnswerProblem::NoScore))?;
        Ok(Answer { label: Label::of_reported_score(reported_score, board.side_to_move()), best_move })
    }
}

/// A position without game history.
fn alone(board: &Board) -> GameView {
    GameView { start: board.clone(), moves: Vec::new(), notation: CastlingNotation::Standard }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finished_games_are_recognised() {
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
}
