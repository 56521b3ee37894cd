//! A game that somebody plays: what may be done with it, what its thread should think about next, who is told of changes.
//!
//! Everything is behind one lock that is never held while something is searched. Knows no request and no socket.

use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use alfiere_chess::board::Board;
use alfiere_chess::game::GameResult;
use alfiere_chess::movegen::{format_san, has_legal_move, parse_san};
use alfiere_chess::types::{Color, Move};
use alfiere_search::engine::{Expectation, ScoreScale};
use alfiere_search::search::{Limits, Outcome, Score, TimeLimit};
use tokio::sync::watch;

use super::error::ApiError;
use super::game::{Ending, Game, Stage};
use super::level::move_limits;
use super::pgn::{PgnNames, write_pgn};
use super::task::{Goal, Task};
use super::thinker::{Signal, Thinking};
use super::view::{GameView, Hint, Judgement, Terms, view};

/// Positions that the network looks at before it says what it thinks of one.
const JUDGING_NODES: u64 = 20_000;
/// How long a hint is thought about.
const HINT_TIME: Duration = Duration::from_secs(1);
/// Moves of a hint's line.
const HINT_MOVES: usize = 8;

/// A game and its thread. The thread ends when this is dropped.
pub(super) struct Session {
    id: String,
    shared: Arc<Shared>,
    signals: Sender<Signal>,
    /// The terms on which it is played.
    terms: Terms,
}

/// What the session and its thread share.
pub(super) struct Shared {
    state: Mutex<State>,
    changes: watch::Sender<u64>,
}

struct State {
    game: Game,
    time: TimeLimit,
    hint: Option<Hint>,
    wanted_hint: Option<usize>,
    is_thinking: bool,
    /// Why the engine cannot go on.
    failure: Option<String>,
    touched: Instant,
}

impl Session {
    /// Begins a game, and the thread that thinks for it.
    ///
    /// # Errors
    /// If the system has no thread to give.
    pub(super) fn begin(id: String, game: Game, terms: Terms, thinking: Thinking) -> std::io::Result<Self> {
        let state = State {
            game,
            time: terms.time.engine_limit(),
            hint: None,
            wanted_hint: None,
            is_thinking: false,
            failure: None,
            touched: Instant::now(),
        };
        let shared = Arc::new(Shared { state: Mutex::new(state), changes: watch::Sender::new(0) });
        let signals = thinking.start(Arc::clone(&shared))?;
        Ok(Self { id, shared, signals, terms })
    }

    /// When somebody last asked for it.
    pub(super) fn touched(&self) -> Instant {
        self.shared.lock().touched
    }

    /// Somebody asks for it now.
    pub(super) fn touch(&self) {
        self.shared.lock().touched = Instant::now();
    }

    /// A number that grows with every change.
    pub(super) fn watch(&self) -> watch::Receiver<u64> {
        self.shared.changes.subscribe()
    }

    /// The game as the page shows it.
    pub(super) fn view(&self) -> GameView {
        let now = Instant::now();
        let state = self.shared.settled(now);
        let version = *self.shared.changes.borrow();
        let mut view = view(&state.game, &self.terms, now);
        view.id.clone_from(&self.id);
        view.version = version;
        view.thinking = state.is_thinking && state.game.is_engines_turn();
        view.hint_wanted = state.wanted_hint;
        view.hint.clone_from(&state.hint);
        view.failure.clone_from(&state.failure);
        view
    }

    /// Plays the person's move, in UCI or SAN. `ply` is where the sender believes the game to be.
    pub(super) fn play(&self, text: &str, ply: Option<usize>) -> Result<(), ApiError> {
        self.change(|state, now| {
            if let Some(ply) = ply.filter(|&ply| ply != state.game.plies()) {
                let found = state.game.plies();
                return Err(ApiError::conflict(format!("the game stands after {found} half-moves, expected {ply}")));
            }
            state.must_go_on()?;
            if !state.game.is_your_turn() {
                return Err(ApiError::conflict("it is the engine's turn"));
            }
            let mv = parse_san(state.game.board(), text).map_err(|error| ApiError::unprocessable(error.to_string()))?;
            state.game.play(mv, now);
            state.forget_hint();
            Ok(())
        })
    }

    /// Takes back the person's last move and the answer to it; a search for an answer is stopped.
    pub(super) fn take_back(&self) -> Result<(), ApiError> {
        self.change(|state, now| {
            if !state.game.take_back(now) {
                return Err(ApiError::conflict("there is no move of yours to take back"));
            }
            state.forget_hint();
            state.failure = None;
            Ok(())
        })
    }

    /// The person gives up.
    pub(super) fn resign(&self) -> Result<(), ApiError> {
        self.change(|state, now| {
            state.must_go_on()?;
            state.game.resign(now);
            Ok(())
        })
    }

    /// Asks for the best line after so many plies.
    pub(super) fn ask_hint(&self, ply: usize) -> Result<(), ApiError> {
        self.change(|state, _| {
            let board = state.stage(ply)?.board.clone();
            if !has_legal_move(&board) {
                return Err(ApiError::conflict("the game is over in this position"));
            }
            if state.hint.as_ref().is_none_or(|hint| hint.ply != ply) {
                state.hint = None;
                state.wanted_hint = Some(ply);
            }
            Ok(())
        })
    }

    /// The position after so many plies.
    pub(super) fn board_at(&self, ply: usize) -> Result<Board, ApiError> {
        self.shared.lock().stage(ply).map(|stage| stage.board.clone())
    }

    /// The game as PGN.
    pub(super) fn pgn(&self) -> String {
        let mut names = [String::from("Player"), String::from("Player")];
        let engine = &mut names[(!self.terms.you).index()];
        let level = self.terms.level.label(self.terms.player).map_or_else(String::new, |level| format!(", {level}"));
        *engine = format!("Alfiere ({}{level})", self.terms.player.name());
        let time_control = self.terms.time.tag();
        write_pgn(&self.shared.lock().game, &PgnNames { players: names, time_control, began: self.terms.began })
    }

    /// Changes the state, tells the thread and everybody who watches.
    fn change(&self, act: impl FnOnce(&mut State, Instant) -> Result<(), ApiError>) -> Result<(), ApiError> {
        let now = Instant::now();
        let mut state = self.shared.settled(now);
        state.touched = now;
        let outcome = act(&mut state, now);
        drop(state);
        self.shared.tell();
        // The thread is gone only if it could not go on, which the state says.
        let _ = self.signals.send(Signal::Changed);
        outcome
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // A thread that has ended needs no telling.
        let _ = self.signals.send(Signal::Closed);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // What is behind the lock is whole after every statement: a panic elsewhere does not spoil it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, after the clock has been looked at.
    fn settled(&self, now: Instant) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        if state.game.settle(now) {
            self.tell();
        }
        state
    }

    fn tell(&self) {
        self.changes.send_modify(|version| *version += 1);
    }

    /// What to search next.
    pub(super) fn next_task(&self) -> Option<Task> {
        let now = Instant::now();
        let mut state = self.settled(now);
        let is_judged = state.judge_ended();
        let task = state.next_task(now);
        let is_thinking = task.as_ref().is_some_and(|task| task.goal == Goal::Move);
        let is_news = is_judged || state.is_thinking != is_thinking;
        state.is_thinking = is_thinking;
        drop(state);
        if is_news {
            self.tell();
        }
        task
    }

    /// Whether the answer to this task is still of use.
    pub(super) fn wants(&self, task: &Task) -> bool {
        self.settled(Instant::now()).wants(task)
    }

    /// Takes the outcome of a search.
    pub(super) fn answer(&self, task: &Task, outcome: &Outcome) {
        let now = Instant::now();
        let mut state = self.settled(now);
        if !state.wants(task) {
            return;
        }
        let board = task.position.board();
        match (task.goal, outcome.best) {
            (Goal::Move, Some(mv)) => {
                state.game.play(mv, now);
                state.forget_hint();
            }
            (Goal::Hint(ply), Some(mv)) => {
                state.wanted_hint = None;
                state.hint = Some(hint(ply, board, mv, outcome));
            }
            (Goal::Judge(ply), Some(_)) => {
                let scale = ScoreScale::of(board);
                let judged = Judgement::new(board, scale.shown(outcome.score), scale.expectation(outcome.score));
                state.game.judge(ply, board, judged);
            }
            // Searches are only asked for where there is a move.
            (_, None) => state.failure = Some("the engine found no move".to_owned()),
        }
        drop(state);
        self.tell();
    }

    /// A search could not be made: the game waits until it is changed.
    pub(super) fn fail(&self, reason: &str) {
        self.lock().failure = Some(format!("the engine cannot think: {reason}"));
        self.tell();
    }
}

impl State {
    fn must_go_on(&self) -> Result<(), ApiError> {
        match self.game.ending() {
            None => Ok(()),
            Some(ending) => Err(ApiError::conflict(format!("the game is over: {}", ending.reason()))),
        }
    }

    fn forget_hint(&mut self) {
        self.hint = None;
        self.wanted_hint = None;
    }

    fn stage(&self, ply: usize) -> Result<&Stage, ApiError> {
        let plies = self.game.plies();
        let error = || ApiError::unprocessable(format!("ply {ply}: expected a number from 0 to {plies}"));
        self.game.stages().get(ply).ok_or_else(error)
    }

    fn next_task(&mut self, now: Instant) -> Option<Task> {
        if self.failure.is_some() {
            return None;
        }
        let current = self.game.plies();
        let is_judged = self.game.stages()[current].judgement.is_some();
        // Without a clock the opponent can wait a moment for the bar to move.
        if self.game.is_engines_turn() && (is_judged || self.game.clock_to_move().is_some()) {
            return Some(self.task(Goal::Move, current, move_limits(self.time_limit(now))));
        }
        if let Some(ply) = self.wanted_hint {
            return Some(self.task(Goal::Hint(ply), ply, Limits::move_time(HINT_TIME)));
        }
        let ply = self.game.stages().iter().rposition(|stage| stage.judgement.is_none())?;
        Some(self.task(Goal::Judge(ply), ply, Limits::nodes(JUDGING_NODES)))
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

    /// Positions without a move, and the last one of a drawn game, need no search. Says whether there was one to judge.
    fn judge_ended(&mut self) -> bool {
        let ply = self.game.plies();
        let stage = &self.game.stages()[ply];
        if stage.judgement.is_some() {
            return false;
        }
        let board = stage.board.clone();
        let judgement = match self.game.ending() {
            Some(Ending::Rules(GameResult::Draw, _)) => Judgement::draw(),
            _ if has_legal_move(&board) => return false,
            _ => Judgement::new(&board, Score::mated_at(0), Expectation { win: 0, draw: 0, loss: 1000 }),
        };
        self.game.judge(ply, &board, judgement);
        true
    }

    fn wants(&self, task: &Task) -> bool {
        let is_at = |ply: usize| self.game.stages().get(ply).is_some_and(|stage| stage.board == *task.position.board());
        match task.goal {
            Goal::Move => self.game.is_engines_turn() && is_at(self.game.plies()),
            Goal::Hint(ply) => self.wanted_hint == Some(ply) && is_at(ply),
            Goal::Judge(ply) => is_at(ply),
        }
    }
}

fn hint(ply: usize, board: &Board, mv: Move, outcome: &Outcome) -> Hint {
    let scale = ScoreScale::of(board);
    let judgement = Judgement::new(board, scale.shown(outcome.score), scale.expectation(outcome.score));
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
    Hint::new(ply, board, mv, line, outcome.depth, judgement)
}
