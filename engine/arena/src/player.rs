//! The player interface of the game loop, independent of the protocol.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use alfiere_chess::board::Board;
use alfiere_chess::game::{Clock, Fault, Limit, SearchReport};
use alfiere_chess::movegen::CastlingNotation;
use alfiere_chess::types::Move;
use thiserror::Error;

use super::process::PipeError;

/// A game as both players see it: the start position and the moves played.
#[derive(Clone, Debug)]
pub struct GameView {
    pub start: Board,
    /// All moves, including the opening.
    pub moves: Vec<Move>,
    /// The notation of castling and castling rights.
    pub notation: CastlingNotation,
}

#[derive(Clone, Copy, Debug)]
pub struct MoveLimits {
    /// The player's limit; for a clock, `clock` and `opponent_clock` hold the remaining times.
    pub limit: Limit,
    /// Time left, increment and moves to go, if the limit is a clock.
    pub clock: Option<Clock>,
    pub opponent_clock: Option<Clock>,
    /// Tolerance for overstepping the time.
    pub margin: Duration,
    /// Maximum time for a move without a time limit, after which the player counts as hanging.
    pub patience: Duration,
}

impl MoveLimits {
    /// The time after which the move loses; `None` without a time limit.
    fn hard_limit(&self) -> Option<Duration> {
        match (self.limit, self.clock) {
            (_, Some(clock)) => Some(clock.remaining() + self.margin),
            (Limit::MoveTime(time), None) => Some(time + self.margin),
            _ => None,
        }
    }

    /// How long to wait for the move before sending `stop`.
    pub fn wait(&self) -> Duration {
        self.hard_limit().unwrap_or(self.patience)
    }

    /// Checks that a move that took `used` was in time.
    ///
    /// # Errors
    /// A loss on time, or a hang if there is no time limit.
    pub fn check(&self, used: Duration) -> Result<(), Fault> {
        match self.hard_limit() {
            Some(allowed) if used > allowed => Err(Fault::TimeLoss { used, allowed }),
            None if used > self.patience => Err(Fault::Hang { command: "go", waited: used }),
            _ => Ok(()),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Reply {
    /// The move in the protocol's notation, not checked for legality.
    pub text: String,
    pub report: SearchReport,
    /// Time between request and reply.
    pub time: Duration,
}

/// Why a player gave no reply.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlayError {
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The user stopped the match.
    #[error("stopped")]
    Stopped,
}

impl PlayError {
    pub(super) fn from_pipe(error: PipeError, command: &'static str, sent_at: Instant) -> Self {
        match error {
            PipeError::Timeout => Fault::Hang { command, waited: sent_at.elapsed() }.into(),
            PipeError::Closed(how) => Fault::Crash(how).into(),
            PipeError::Stopped => Self::Stopped,
        }
    }
}

/// The start of what an engine sent, to quote in a message.
pub(super) fn excerpt(text: &str) -> String {
    const LETTERS: usize = 200;
    let end = text.char_indices().nth(LETTERS).map_or(text.len(), |(end, _)| end);
    if end < text.len() { format!("{} ...", &text[..end]) } else { text.to_owned() }
}

/// A player that the game loop can play with.
pub trait Player: Send {
    /// Prepares for a new game.
    ///
    /// # Errors
    /// A fault of the player, or the match was stopped.
    fn new_game(&mut self, notation: CastlingNotation, stop: &AtomicBool) -> Result<(), PlayError>;

    /// Requests a move in the position after `game.moves`.
    ///
    /// # Errors
    /// A fault of the player, or the match was stopped. A late reply is a [`Fault::TimeLoss`].
    fn choose(&mut self, game: &GameView, limits: &MoveLimits, stop: &AtomicBool) -> Result<Reply, PlayError>;
}
