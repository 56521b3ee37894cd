//! A finished game, as far as scores depend on it: small enough to be kept, so that a match can be continued.

use alfiere_chess::game::{EndReason, Fault, GameRecord, Points};
use serde::{Deserialize, Serialize};

use super::schedule::ScheduledGame;

/// How a player failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// An illegal or unreadable move, a refused legal move, a false claim.
    Illegal,
    /// A game lost on time.
    Time,
    /// A crash, a hang, or a failure to start.
    Crash,
}

/// How a game ended. The names are those of results and PGN files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Mate.
    Checkmate,
    /// No legal move, and no check.
    Stalemate,
    /// The fifty-move rule.
    FiftyMoves,
    /// The third occurrence of a position.
    Threefold,
    /// Neither side can mate.
    InsufficientMaterial,
    /// The match's limit of plies.
    TooLong,
    /// The match's rules for draws and wins.
    Adjudication,
    /// A player gave up.
    Resignation,
    /// A player failed.
    Fault,
}

impl Ending {
    /// The words for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::FiftyMoves => "fifty moves",
            Self::Threefold => "threefold",
            Self::InsufficientMaterial => "insufficient material",
            Self::TooLong => "too long",
            Self::Adjudication => "adjudication",
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
            EndReason::Resignation(_) => Self::Resignation,
            EndReason::Fault(..) => Self::Fault,
        }
    }
}

/// One finished game of an encounter; the first player's points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FinishedGame {
    /// Which game of the schedule.
    pub game: ScheduledGame,
    /// Points of the encounter's first player.
    pub points: Points,
    /// How it ended.
    pub ending: Ending,
    /// Which of the two players failed (0 for the first), and how.
    pub fault: Option<(usize, FaultKind)>,
}

impl FinishedGame {
    /// From the record of a game.
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
        Fault::IllegalMove { .. } | Fault::RefusedMove { .. } | Fault::FalseClaim { .. } => FaultKind::Illegal,
        Fault::NoStart(_) | Fault::Crash(_) | Fault::Hang { .. } => FaultKind::Crash,
    }
}
