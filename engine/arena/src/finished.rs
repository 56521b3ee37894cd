//! The part of a finished game that scores depend on; it is stored so that a match can be continued.

use alfiere_chess::game::{EndReason, Fault, GameRecord, Points};
use serde::{Deserialize, Serialize};

use super::schedule::ScheduledGame;

/// The kind of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// An illegal or malformed move, or a false draw claim.
    Illegal,
    /// A game lost on time.
    Time,
    /// A crash, a hang, or a failure to start.
    Crash,
}

/// How a game ended. The names are used in results and PGN files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// The fifty-move rule.
    FiftyMoves,
    /// Threefold repetition.
    Threefold,
    /// Insufficient material.
    InsufficientMaterial,
    /// The maximum number of plies.
    TooLong,
    /// Adjudication by the engines' scores.
    Adjudication,
    /// Adjudication by endgame tables.
    EndgameTables,
    /// A resignation.
    Resignation,
    /// A fault of a player.
    Fault,
}

impl Ending {
    /// The name as text.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::FiftyMoves => "fifty moves",
            Self::Threefold => "threefold",
            Self::InsufficientMaterial => "insufficient material",
            Self::TooLong => "too long",
            Self::Adjudication => "adjudication",
            Self::EndgameTables => "endgame tables",
            Self::Resignation => "resignation",
            Self::Fault => "fault",
        }
    }
}

impl From<&EndReason> for Ending {
    fn from(reason: &EndReason) -> Self {
        match reason {
            EndReason::Checkmate => Self::Checkmate,
            EndReason::Stalemate => Self::Stalemate,
            EndReason::FiftyMoves => Self::FiftyMoves,
            EndReason::Threefold => Self::Threefold,
            EndReason::InsufficientMaterial => Self::InsufficientMaterial,
            EndReason::MaxPlies => Self::TooLong,
            EndReason::Adjudication => Self::Adjudication,
            EndReason::EndgameTables => Self::EndgameTables,
            EndReason::Resignation(_) => Self::Resignation,
            EndReason::Fault(..) => Self::Fault,
        }
    }
}

/// A finished game of an encounter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FinishedGame {
    /// The game in the schedule.
    pub game: ScheduledGame,
    /// Points of the encounter's first player.
    pub points: Points,
    /// How it ended.
    pub ending: Ending,
    /// The player with a fault (0 for the first player) and its kind.
    pub fault: Option<(usize, FaultKind)>,
}

impl FinishedGame {
    /// Extracts the result from the record of a game.
    pub fn new(game: ScheduledGame, record: &GameRecord) -> Self {
        let first = game.number.first_player_color();
        let fault = match &record.reason {
            EndReason::Fault(side, fault) => Some((usize::from(*side != first), kind_of(fault))),
            _ => None,
        };
        Self { game, points: record.result.points(first), ending: Ending::from(&record.reason), fault }
    }
}

fn kind_of(fault: &Fault) -> FaultKind {
    match fault {
        Fault::TimeLoss { .. } => FaultKind::Time,
        Fault::IllegalMove { .. } | Fault::FalseClaim { .. } => FaultKind::Illegal,
        Fault::NoStart(_) | Fault::Crash(_) | Fault::Hang { .. } => FaultKind::Crash,
    }
}
