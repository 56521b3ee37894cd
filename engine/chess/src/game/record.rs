//! A finished game: its moves, and what its players said about them.

use std::time::Duration;

use super::end::{EndReason, GameResult};
use crate::board::Board;
use crate::types::Move;

/// A player's own opinion of the position, its own view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opinion {
    /// Centipawns, positive when the player to move is better.
    Centipawns(i32),
    /// Moves until mate: positive when the player to move gives it, otherwise it is mated.
    Mate(i32),
}

impl Opinion {
    /// Centipawns, with any mate beyond every other score.
    pub fn centipawns(self) -> i32 {
        match self {
            Self::Centipawns(value) => value,
            Self::Mate(moves) if moves > 0 => 100_000 - moves,
            Self::Mate(moves) => -100_000 - moves,
        }
    }
}

/// The last thing a player reported before it moved.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchReport {
    /// Its score.
    pub opinion: Option<Opinion>,
    /// Plies searched.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
}

/// A move with what its player said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// The player's report; empty for moves of the opening.
    pub report: SearchReport,
    /// Time taken; `None` for moves of the opening.
    pub time: Option<Duration>,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Where it began.
    pub start: Board,
    /// Its moves, the opening's first.
    pub moves: Vec<PlayedMove>,
    /// Who won.
    pub result: GameResult,
    /// Why it ended.
    pub reason: EndReason,
}
