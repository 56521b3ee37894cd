//! How players fail.

use std::time::Duration;

use thiserror::Error;

/// How a player failed: each of these loses the game it happens in.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// The program could not be started or did not greet.
    #[error("did not start: {0}")]
    NoStart(String),
    /// The program ended.
    #[error("crashed: {0}")]
    Crash(String),
    /// The program did not answer even when told to stop.
    #[error("hangs: no answer to \"{command}\" after {waited:?}")]
    Hang {
        /// What was asked.
        command: &'static str,
        /// How long it was waited for.
        waited: Duration,
    },
    /// The answer came too late.
    #[error("lost on time: used {used:?} of {allowed:?}")]
    TimeLoss {
        /// Time taken.
        used: Duration,
        /// Time it had.
        allowed: Duration,
    },
    /// The move is not legal or cannot be read.
    #[error("illegal move \"{text}\" in {fen}")]
    IllegalMove {
        /// The move as it was sent.
        text: String,
        /// The position.
        fen: String,
    },
    /// It took the opponent's legal move for an illegal one.
    #[error("refused a legal move: \"{answer}\"")]
    RefusedMove {
        /// What it said.
        answer: String,
    },
    /// It claimed a draw that the rules do not give.
    #[error("claimed a draw that is none in {fen}")]
    FalseClaim {
        /// The position.
        fen: String,
    },
}
