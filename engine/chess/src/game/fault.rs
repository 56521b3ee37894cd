//! Faults that forfeit a game.

use std::time::Duration;

use thiserror::Error;

/// A fault of an engine; each of them loses the game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// The engine could not be started or did not complete the handshake.
    #[error("did not start: {0}")]
    NoStart(String),
    /// The engine process ended.
    #[error("crashed: {0}")]
    Crash(String),
    /// The engine does not respond, not even to `stop`.
    #[error("hangs: no answer to \"{command}\" after {waited:?}")]
    Hang {
        /// The unanswered command.
        command: &'static str,
        /// The time waited for an answer.
        waited: Duration,
    },
    /// The engine overstepped its time.
    #[error("lost on time: used {used:?} of {allowed:?}")]
    TimeLoss {
        /// Time used.
        used: Duration,
        /// Time allowed.
        allowed: Duration,
    },
    /// The move is illegal or malformed.
    #[error("illegal move \"{text}\" in {fen}")]
    IllegalMove {
        /// The move as the engine sent it.
        text: String,
        /// The position.
        fen: String,
    },
    /// The engine claimed a draw that the rules do not allow.
    #[error("claimed a draw against the rules in {fen}")]
    FalseClaim {
        /// The position.
        fen: String,
    },
}
