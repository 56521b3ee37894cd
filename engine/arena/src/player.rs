//! What the game loop asks of a player, whatever protocol it speaks.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use alfiere_chess::board::Board;
use alfiere_chess::game::{Clock, Fault, Limit, SearchReport};
use alfiere_chess::movegen::CastlingNotation;
use alfiere_chess::types::Move;
use thiserror::Error;

use super::process::PipeError;

/// A game as both players see it: where it began and what has been played.
#[derive(Clone, Debug)]
pub struct GameView {
    /// The position the game's moves start from.
    pub start: Board,
    /// All moves, those of the opening too.
    pub moves: Vec<Move>,
    /// How castling and castling rights are written.
    pub notation: CastlingNotation,
}

/// What a player may use for one move.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// Its own limit; for a clock, `clock` and `opponent_clock` tell what is left.
    pub limit: Limit,
    /// Time left, increment and moves to go, when a clock runs.
    pub clock: Option<Clock>,
    /// The opponent's clock, if it has one.
    pub opponent_clock: Option<Clock>,
    /// How much longer than allowed a move may take before it loses.
    pub margin: Duration,
    /// How long a move without a time limit may take before the player counts as hanging.
    pub patience: Duration,
}

impl Allowance {
    /// The time after which the move is a loss; `None` where only nodes or depth count.
    pub fn hard_limit(&self) -> Option<Duration> {
        match (self.limit, self.clock) {
            (_, Some(clock)) => Some(clock.remaining() + self.margin),
            (Limit::MoveTime(time), None) => Some(time + self.margin),
            _ => None,
        }
    }

    /// How long to wait for the move before the player is told to stop.
    pub fn wait(&self) -> Duration {
        self.hard_limit().unwrap_or(self.patience)
    }

    /// Whether a move that took so long came in time.
    ///
    /// # Errors
    /// A loss on time, or a hang where no time limit runs.
    pub fn check(&self, used: Duration) -> Result<(), Fault> {
        match self.hard_limit() {
            Some(allowed) if used > allowed => Err(Fault::TimeLoss { used, allowed }),
            None if used > self.patience => Err(Fault::Hang { command: "go", waited: used }),
            _ => Ok(()),
        }
    }
}

/// What a player did when it was asked for a move.
#[derive(Clone, Debug)]
pub struct Reply {
    /// What it did.
    pub action: Action,
    /// Its last report.
    pub report: SearchReport,
    /// Time from the question to the answer.
    pub time: Duration,
}

/// A move, or the end of the game by the player's own word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A move in the protocol's notation, legal or not.
    Move(String),
    /// The player gives up.
    Resign,
    /// The player says that the game is drawn.
    ClaimDraw,
}

/// Why a player gave no reply: its own fault, or the match is being stopped.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlayError {
    /// It failed.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The user stopped the match.
    #[error("stopped")]
    Stopped,
}

impl PlayError {
    /// What a broken pipe means for a player that was asked `command` at `asked`.
    pub(super) fn from_pipe(error: PipeError, command: &'static str, asked: Instant) -> Self {
        match error {
            PipeError::Timeout => Fault::Hang { command, waited: asked.elapsed() }.into(),
            PipeError::Closed(how) => Fault::Crash(how).into(),
            PipeError::Stopped => Self::Stopped,
        }
    }
}

/// A player that the game loop can ask for moves.
pub trait Player: Send {
    /// Prepares for a new game from this position.
    ///
    /// # Errors
    /// If the player fails or the match stops.
    fn new_game(&mut self, game: &GameView, limit: Limit, stop: &AtomicBool) -> Result<(), PlayError>;

    /// Asks for a move in the position after `game.moves`.
    ///
    /// # Errors
    /// If the player fails or the match stops. A late answer is a [`Fault::TimeLoss`].
    fn choose(&mut self, game: &GameView, allowance: &Allowance, stop: &AtomicBool) -> Result<Reply, PlayError>;
}
