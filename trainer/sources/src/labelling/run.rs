//! A labelling run: threads with one engine process each take chunks in turn, whose labels are written in order.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
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
use super::label_file::{Counts, LabelFile};
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
    /// Every chunk is in the file.
    Complete,
    /// The observer stopped the run; the chunks before the first unfinished one are kept.
    Stopped,
}

/// The lines of a chunk, and what became of its positions.
struct LabelledChunk {
    text: String,
    counts: Counts,
}

type ChunkTasks<'a> = Tasks<'a, LabelledChunk, ProcessFailure>;

/// State shared by the threads.
struct LabelRun<'a> {
    assignment: &'a Assignment,
    settings: &'a LabelSettings,
    done: AtomicU64,
    answered: AtomicU64,
    unanswered: AtomicU64,
}

/// Labels the chunks that the file does not have yet.
///
/// # Errors
/// If the engine does not start or answers nothing, or the file cannot be written. The chunks before the first unfinished one
/// are kept.
pub fn label(
    assignment: &Assignment,
    settings: &LabelSettings,
    labels: &mut LabelFile,
    observer: &mut dyn LabelObserver,
) -> Result<End, LabelError> {
    let [done, answered, unanswered] = [const { AtomicU64::new(0) }; 3];
    let shared = LabelRun { assignment, settings, done, answered, unanswered };
    let (next, end) = (labels.file.next, assignment.chunk_count());
    let threads = settings.processes.min(end.saturating_sub(next) as usize);
    let outcome = ordered(threads, next..end, |tasks| shared.work(tasks), &mut |event: Event<LabelledChunk, _>| {
        match event {
            Event::Note(failure) => observer.process_failed(&failure),
            Event::Done(number, chunk) => labels.push(number, &chunk.text, chunk.counts)?,
            Event::Tick => {}
        }
        labels.file.sync_regularly()?;
        Ok(observer.progress(shared.done.load(Ordering::Relaxed)))
    });
    labels.file.sync()?;
    outcome?;
    Ok(if labels.file.next == end { End::Complete } else { End::Stopped })
}

impl LabelRun<'_> {
    /// The loop of one thread: labels one chunk after another.
    fn work(&self, tasks: &ChunkTasks<'_>) -> Result<(), LabelError> {
        let mut engine = EngineProcess { settings: self.settings, stop: tasks.stop.flag(), player: None };
        while let Some(number) = tasks.next() {
            match self.label_chunk(number, &mut engine, tasks) {
                Ok(chunk) => tasks.done(number, chunk),
                Err(Some(error)) => return Err(error),
                Err(None) => break,
            }
        }
        Ok(())
    }

    /// Labels a chunk; an `Err` without content means that the run is being stopped.
    fn label_chunk(
        &self,
        number: u64,
        engine: &mut EngineProcess<'_>,
        tasks: &ChunkTasks<'_>,
    ) -> Result<LabelledChunk, Option<LabelError>> {
        let text = self.assignment.header(number).to_owned();
        let mut chunk = LabelledChunk { text, counts: Counts::default() };
        let mut is_begun = false;
        for row in self.assignment.rows(number) {
            match row.to_board() {
                Ok(board) if !board.has_standard_castling() => chunk.counts.refused += 1,
                Err(_) => chunk.counts.refused += 1,
                Ok(board) if is_over(&board) => chunk.counts.over += 1,
                Ok(board) => {
                    if !is_begun {
                        engine.begin()?;
                        is_begun = true;
                    }
                    self.label_row(row, &board, engine, tasks, &mut chunk)?;
                }
            }
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        Ok(chunk)
    }

    fn label_row(
        &self,
        row: &Row,
        board: &Board,
        engine: &mut EngineProcess<'_>,
        tasks: &ChunkTasks<'_>,
        chunk: &mut LabelledChunk,
    ) -> Result<(), Option<LabelError>> {
        let fen = row.to_fen();
        for attempts in 1..=MAX_ATTEMPTS {
            let problem = match engine.ask(board) {
                Ok((label, best_move)) => {
                    let best_move = format_uci_move(best_move, CastlingNotation::Standard);
                    // Writing to a string cannot fail.
                    let _ = write!(chunk.text, "{fen},{label},{best_move}");
                    if self.assignment.with_results() {
                        let _ = write!(chunk.text, ",{}", row.result().text());
                    }
                    chunk.text.push('\n');
                    chunk.counts.rows += 1;
                    self.answered.fetch_add(1, Ordering::Relaxed);
                    return Ok(());
                }
                Err(NoAnswer::Problem(problem)) => problem,
                Err(NoAnswer::End(end)) => return Err(end),
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
        chunk.counts.failed.push(fen);
        Ok(())
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

enum NoAnswer {
    /// The engine failed; the process has ended.
    Problem(AnswerProblem),
    /// The engine repeatedly fails to start, or the run is being stopped.
    End(Option<LabelError>),
}

impl From<PlayError> for NoAnswer {
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::Fault(fault) => Self::Problem(fault.into()),
            PlayError::Stopped => Self::End(None),
        }
    }
}

struct EngineProcess<'a> {
    settings: &'a LabelSettings,
    stop: &'a AtomicBool,
    player: Option<UciPlayer>,
}

impl EngineProcess<'_> {
    /// Starts a new game, so that the engine clears its state.
    fn begin(&mut self) -> Result<(), Option<LabelError>> {
        let mut starts = 0;
        loop {
            match self.try_begin() {
                Ok(()) => return Ok(()),
                Err(PlayError::Stopped) => return Err(None),
                Err(PlayError::Fault(fault)) => {
                    self.player = None;
                    starts += 1;
                    if starts == MAX_STARTS {
                        return Err(Some(LabelError::NoStart { name: self.settings.engine.name.clone(), fault }));
                    }
                }
            }
        }
    }

    fn try_begin(&mut self) -> Result<(), PlayError> {
        let player = match &mut self.player {
            Some(player) => player,
            none => none.insert(UciPlayer::start(&self.settings.engine, self.stop)?),
        };
        player.new_game(CastlingNotation::Standard, self.stop)
    }

    /// The label of a position, and the best move.
    fn ask(&mut self, board: &Board) -> Result<(Label, Move), NoAnswer> {
        if self.player.is_none() {
            self.begin().map_err(NoAnswer::End)?;
        }
        let answer = self.try_ask(board);
        if answer.is_err() {
            self.player = None;
        }
        answer
    }

    fn try_ask(&mut self, board: &Board) -> Result<(Label, Move), NoAnswer> {
        let Some(player) = &mut self.player else { return Err(NoAnswer::End(None)) };
        let LabelSettings { limit, patience, .. } = *self.settings;
        let limits = MoveLimits { limit, clock: None, opponent_clock: None, margin: Duration::ZERO, patience };
        let reply = player.choose(&alone(board), &limits, self.stop)?;
        let text = reply.text;
        let best_move = parse_uci_move(board, &text)
            .map_err(|_| NoAnswer::Problem(Fault::IllegalMove { text, fen: board.to_fen() }.into()))?;
        let reported_score = reply.report.reported_score.ok_or(NoAnswer::Problem(AnswerProblem::NoScore))?;
        Ok((Label::of_reported_score(reported_score, board.side_to_move()), best_move))
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
