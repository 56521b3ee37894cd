//! The state shared by a game's page and its thread: the game, hints, and the next search.
//!
//! All of it is behind one lock, which is never held during a search.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use alfiere_chess::board::Board;
use alfiere_chess::game::GameResult;
use alfiere_chess::movegen::{format_san, has_legal_move};
use alfiere_chess::review::Evaluation;
use alfiere_chess::types::{Color, Move};
use alfiere_pages::ApiError;
use alfiere_search::engine::{Position, ScoreScale};
use alfiere_search::search::{Limits, SearchResult, TimeLimit};
use tokio::sync::watch;

use super::game::{Ending, Game, Stage};
use super::level::move_limits;
use super::view::Hint;

/// Nodes of the search that evaluates a position.
const EVALUATION_NODES: u64 = 20_000;
/// Time of the search that finds a hint.
const HINT_TIME: Duration = Duration::from_secs(1);
/// Maximum number of moves in a hint's line.
const HINT_MOVES: usize = 8;

/// A search of the game's thread.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) goal: Goal,
    pub(super) position: Position,
    pub(super) limits: Limits,
}

/// The purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    /// The opponent's move.
    Move,
    /// The best line after this ply, for the user.
    Hint(usize),
    /// The evaluation of the position after this ply.
    Evaluate(usize),
}

/// The state behind its lock, with a version number that increases with every change.
pub(super) struct SharedState {
    state: Mutex<State>,
    pub(super) changes: watch::Sender<u64>,
}

/// The game and its searches.
pub(super) struct State {
    pub(super) game: Game,
    pub(super) time: TimeLimit,
    pub(super) hint: Option<Hint>,
    pub(super) requested_hint: Option<usize>,
    pub(super) is_thinking: bool,
    /// Why the engine cannot continue.
    pub(super) failure: Option<String>,
    /// The time of the last request.
    pub(super) touched: Instant,
}

impl SharedState {
    pub(super) fn new(game: Game, time: TimeLimit) -> Self {
        let state = State {
            game,
            time,
            hint: None,
            requested_hint: None,
            is_thinking: false,
            failure: None,
            touched: Instant::now(),
        };
        Self { state: Mutex::new(state), changes: watch::Sender::new(0) }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        // The state is consistent after every statement, so a poisoned lock can be used.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state at `now`, with the game ended if a clock has run out.
    pub(super) fn up_to_date(&self, now: Instant) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        if state.game.settle(now) {
            self.notify();
        }
        state
    }

    pub(super) fn notify(&self) {
        self.changes.send_modify(|version| *version += 1);
    }

    /// The next search.
    pub(super) fn next_task(&self) -> Option<Task> {
        let now = Instant::now();
        let mut state = self.up_to_date(now);
        let is_evaluated = state.evaluate_end();
        let task = state.next_task(now);
        let is_thinking = task.as_ref().is_some_and(|task| task.goal == Goal::Move);
        let has_changed = is_evaluated || state.is_thinking != is_thinking;
        state.is_thinking = is_thinking;
        drop(state);
        if has_changed {
            self.notify();
        }
        task
    }

    /// Whether the result of this search is still needed.
    pub(super) fn needs(&self, task: &Task) -> bool {
        self.up_to_date(Instant::now()).needs(task)
    }

    /// Applies the outcome of a search.
    pub(super) fn answer(&self, task: &Task, outcome: &SearchResult) {
        let now = Instant::now();
        let mut state = self.up_to_date(now);
        if !state.needs(task) {
            return;
        }
        let board = task.position.board();
        match (task.goal, outcome.best) {
            (Goal::Move, Some(mv)) => {
                state.game.play(mv, now);
                state.clear_hint();
            }
            (Goal::Hint(ply), Some(mv)) => {
                state.requested_hint = None;
                state.hint = Some(hint(ply, board, mv, outcome));
            }
            (Goal::Evaluate(ply), Some(_)) => {
                let evaluation = ScoreScale::of(board).evaluation(outcome.score, board.side_to_move());
                state.game.evaluate(ply, board, evaluation);
            }
            // Searches are requested only for positions with a legal move.
            (_, None) => state.failure = Some("the engine found no move".to_owned()),
        }
        drop(state);
        self.notify();
    }

    /// Records that a search failed; the game waits until it is changed.
    pub(super) fn fail(&self, reason: &str) {
        self.lock().failure = Some(format!("the engine cannot search: {reason}"));
        self.notify();
    }
}

impl State {
    pub(super) fn check_not_over(&self) -> Result<(), ApiError> {
        match self.game.ending() {
            None => Ok(()),
            Some(ending) => Err(ApiError::conflict(format!("the game is over: {}", ending.reason()))),
        }
    }

    pub(super) fn clear_hint(&mut self) {
        self.hint = None;
        self.requested_hint = None;
    }

    pub(super) fn stage(&self, ply: usize) -> Result<&Stage, ApiError> {
        let plies = self.game.plies();
        let error = || ApiError::unprocessable(format!("ply {ply}: expected a number from 0 to {plies}"));
        self.game.stages().get(ply).ok_or_else(error)
    }

    fn next_task(&mut self, now: Instant) -> Option<Task> {
        if self.failure.is_some() {
            return None;
        }
        let current = self.game.plies();
        let is_evaluated = self.game.stages()[current].evaluation.is_some();
        // Without a clock the opponent waits until the evaluation bar is up to date.
        if self.game.is_engines_turn() && (is_evaluated || self.game.clock_to_move().is_some()) {
            return Some(self.task(Goal::Move, current, move_limits(self.time_limit(now))));
        }
        if let Some(ply) = self.requested_hint {
            return Some(self.task(Goal::Hint(ply), ply, Limits::move_time(HINT_TIME)));
        }
        let ply = self.game.stages().iter().rposition(|stage| stage.evaluation.is_none())?;
        Some(self.task(Goal::Evaluate(ply), ply, Limits::nodes(EVALUATION_NODES)))
    }

    fn task(&self, goal: Goal, ply: usize, limits: Limits) -> Task {
        Task { goal, position: self.game.position_at(ply), limits }
    }

    fn time_limit(&self, now: Instant) -> TimeLimit {
        let side = self.game.board().side_to_move();
        match (self.game.clock_to_move(), self.game.time_left(side, now)) {
            (Some(clock), Some(remaining)) => {
                TimeLimit::Clock { remaining, increment: clock.increment(), moves_to_go: clock.moves_to_go() }
            }
            _ => self.time,
        }
    }

    /// Evaluates positions without a legal move and the last one of a drawn game, which need no search. Returns whether
    /// there was one.
    fn evaluate_end(&mut self) -> bool {
        let ply = self.game.plies();
        let stage = &self.game.stages()[ply];
        if stage.evaluation.is_some() {
            return false;
        }
        let board = stage.board.clone();
        let evaluation = match self.game.ending() {
            Some(Ending::Rules(GameResult::Draw, _)) => Evaluation::DRAW,
            _ if has_legal_move(&board) => return false,
            _ => Evaluation::checkmate(!board.side_to_move()),
        };
        self.game.evaluate(ply, &board, evaluation);
        true
    }

    fn needs(&self, task: &Task) -> bool {
        let is_at = |ply: usize| self.game.stages().get(ply).is_some_and(|stage| stage.board == *task.position.board());
        match task.goal {
            Goal::Move => self.game.is_engines_turn() && is_at(self.game.plies()),
            Goal::Hint(ply) => self.requested_hint == Some(ply) && is_at(ply),
            Goal::Evaluate(ply) => is_at(ply),
        }
    }
}

fn hint(ply: usize, board: &Board, mv: Move, outcome: &SearchResult) -> Hint {
    let evaluation = ScoreScale::of(board).evaluation(outcome.score, board.side_to_move());
    let mut at = board.clone();
    let line = outcome.variation.iter().take(HINT_MOVES).map(|&mv| {
        let number = match at.side_to_move() {
            Color::White => format!("{}. ", at.fullmove_number()),
            Color::Black if at == *board => format!("{}... ", at.fullmove_number()),
            Color::Black => String::new(),
        };
        let san = format_san(&at, mv);
        at.play(mv);
        number + &san
    });
    let line = line.collect::<Vec<_>>().join(" ");
    Hint::new(ply, board, mv, line, outcome.depth, evaluation)
}
