//! The record of a finished game: its moves with the engines' search reports.

use std::time::Duration;

use super::end::{EndReason, GameResult};
use crate::board::Board;
use crate::types::Move;

/// A score reported by a player, from its own point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportedScore {
    /// Centipawns, positive if the player is better.
    Centipawns(i32),
    /// Moves until mate: positive if the player mates, negative if it is mated.
    Mate(i32),
}

impl ReportedScore {
    /// The score from the opponent's point of view.
    pub const fn reversed(self) -> Self {
        match self {
            Self::Centipawns(value) => Self::Centipawns(value.saturating_neg()),
            Self::Mate(moves) => Self::Mate(moves.saturating_neg()),
        }
    }

    /// The score in centipawns, -100,000 to 100,000; mate scores are beyond all others, whatever a player reports.
    pub fn centipawns(self) -> i32 {
        const MATE: i32 = 100_000;
        const LONGEST_MATE: i32 = 10_000;
        match self {
            Self::Centipawns(value) => value.clamp(LONGEST_MATE - MATE, MATE - LONGEST_MATE),
            Self::Mate(moves) if moves > 0 => MATE - moves.min(LONGEST_MATE),
            Self::Mate(moves) => -MATE - moves.max(-LONGEST_MATE),
        }
    }
}

/// The last search information that a player sent before its move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchReport {
    pub reported_score: Option<ReportedScore>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
}

/// A move with its player's search report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    pub mv: Move,
    /// The player's report; empty for opening moves.
    pub report: SearchReport,
    /// Time used; `None` for opening moves.
    pub time: Option<Duration>,
}

#[derive(Clone, Debug)]
pub struct GameRecord {
    pub start: Board,
    /// All moves, including the opening.
    pub moves: Vec<PlayedMove>,
    pub result: GameResult,
    pub reason: EndReason,
}
