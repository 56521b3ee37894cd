//! A game played on the page, with the actions of the user.
//!
//! Independent of requests and sockets.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Instant;

use alfiere_chess::movegen::{has_legal_move, parse_san};
use alfiere_pages::ApiError;
use alfiere_rules::refusal;
use tokio::sync::watch;

use super::game::Game;
use super::pgn::{PgnNames, write_pgn};
use super::state::{SharedState, State};
use super::thinker::{EngineConfig, Signal};
use super::view::{GameConditions, GameView, view};

/// A game and its thread. Dropping it ends the thread.
pub(super) struct Session {
    id: String,
    shared: Arc<SharedState>,
    signals: Sender<Signal>,
    conditions: GameConditions,
}

impl Session {
    /// Starts a game and its thread.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub(super) fn begin(
        id: String,
        game: Game,
        conditions: GameConditions,
        config: EngineConfig,
    ) -> std::io::Result<Self> {
        let shared = Arc::new(SharedState::new(game, conditions.time.engine_limit()));
        let signals = config.start(Arc::clone(&shared))?;
        Ok(Self { id, shared, signals, conditions })
    }

    /// The time of the last request.
    pub(super) fn touched(&self) -> Instant {
        self.shared.lock().touched
    }

    /// Records a request.
    pub(super) fn touch(&self) {
        self.shared.lock().touched = Instant::now();
    }

    /// A version number that increases with every change.
    pub(super) fn watch(&self) -> watch::Receiver<u64> {
        self.shared.changes.subscribe()
    }

    /// The game as sent to the page.
    pub(super) fn view(&self) -> GameView {
        let now = Instant::now();
        let state = self.shared.up_to_date(now);
        let version = *self.shared.changes.borrow();
        let mut view = view(&state.game, &self.conditions, now);
        view.id.clone_from(&self.id);
        view.version = version;
        view.thinking = state.is_thinking && state.game.is_engines_turn();
        view.requested_hint = state.requested_hint;
        view.hint.clone_from(&state.hint);
        view.failure.clone_from(&state.failure);
        view
    }

    // ANCHOR: play
    /// Plays the user's move, in UCI or SAN. `ply`, if given, must be the current ply.
    pub(super) fn play(&self, text: &str, ply: Option<usize>) -> Result<(), ApiError> {
        self.change(|state, now| {
            let plies = state.game.plies();
            if let Some(ply) = ply.filter(|&ply| ply != plies) {
                return Err(ApiError::conflict(format!("the move follows {ply} half-moves, but the game has {plies}")));
            }
            state.check_not_over()?;
            if !state.game.is_your_turn() {
                return Err(ApiError::conflict("it is the engine's turn"));
            }
            let mv = parse_san(state.game.board(), text).map_err(|error| ApiError::unprocessable(refusal(&error)))?;
            state.game.play(mv, now);
            state.clear_hint();
            Ok(())
        })
    }
    // ANCHOR_END: play

    /// Takes back the user's last move and the reply to it; a search for a reply is stopped.
    pub(super) fn take_back(&self) -> Result<(), ApiError> {
        self.change(|state, now| {
            if !state.game.take_back(now) {
                return Err(ApiError::conflict("there is no move of yours to take back"));
            }
            state.clear_hint();
            state.failure = None;
            Ok(())
        })
    }

    /// Resigns for the user.
    pub(super) fn resign(&self) -> Result<(), ApiError> {
        self.change(|state, now| {
            state.check_not_over()?;
            state.game.resign(now);
            Ok(())
        })
    }

    /// Requests the best line after `ply` plies.
    pub(super) fn ask_hint(&self, ply: usize) -> Result<(), ApiError> {
        self.change(|state, _| {
            let board = state.stage(ply)?.board.clone();
            if !has_legal_move(&board) {
                return Err(ApiError::conflict("the game is over in this position"));
            }
            if state.hint.as_ref().is_none_or(|hint| hint.ply != ply) {
                state.hint = None;
                state.requested_hint = Some(ply);
            }
            Ok(())
        })
    }

    /// The game as PGN.
    pub(super) fn pgn(&self) -> String {
        let mut names = [String::from("Player"), String::from("Player")];
        let engine = &mut names[(!self.conditions.you).index()];
        let level =
            self.conditions.level.label(self.conditions.player).map_or_else(String::new, |level| format!(", {level}"));
        *engine = format!("Alfiere ({}{level})", self.conditions.player.name());
        let time_control = self.conditions.time.tag();
        write_pgn(&self.shared.lock().game, &PgnNames { players: names, time_control, began: self.conditions.began })
    }

    /// Changes the state and notifies the thread and all watchers.
    fn change(&self, act: impl FnOnce(&mut State, Instant) -> Result<(), ApiError>) -> Result<(), ApiError> {
        let now = Instant::now();
        let mut state = self.shared.up_to_date(now);
        state.touched = now;
        let outcome = act(&mut state, now);
        drop(state);
        self.shared.notify();
        // The thread ended only after an error, which the state holds.
        let _ = self.signals.send(Signal::Changed);
        outcome
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // A thread that already ended is not notified.
        let _ = self.signals.send(Signal::Closed);
    }
}
