//! Game results, their reasons, and points.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::fault::Fault;
use crate::types::Color;

/// The result of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// 1-0 or 0-1.
    Win(Color),
    /// ½-½.
    Draw,
}

impl GameResult {
    /// Parses `1-0`, `0-1` and `1/2-1/2`, and the forms `1:0`, `0:1`, `1/2` and `0.5-0.5`.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "1-0" | "1:0" => Some(Self::Win(Color::White)),
            "0-1" | "0:1" => Some(Self::Win(Color::Black)),
            "1/2-1/2" | "1/2:1/2" | "1/2" | "0.5-0.5" => Some(Self::Draw),
            _ => None,
        }
    }

    /// The points of this side.
    pub fn points(self, side: Color) -> Points {
        match self {
            Self::Draw => Points::Draw,
            Self::Win(winner) if winner == side => Points::Win,
            Self::Win(_) => Points::Loss,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Win(Color::White) => "1-0",
            Self::Win(Color::Black) => "0-1",
            Self::Draw => "1/2-1/2",
        })
    }
}

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EndReason {
    /// The side to move is checkmated.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Fifty moves by each side without a capture or a pawn move.
    FiftyMoves,
    /// Threefold repetition.
    Threefold,
    /// Insufficient material.
    InsufficientMaterial,
    /// The runner's maximum number of plies.
    MaxPlies,
    /// Adjudication by both engines' scores.
    Adjudication,
    /// Adjudication by endgame tables.
    EndgameTables,
    /// This side resigned.
    Resignation(Color),
    /// This side forfeited the game.
    Fault(Color, Fault),
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkmate => f.write_str("checkmate"),
            Self::Stalemate => f.write_str("stalemate"),
            Self::FiftyMoves => f.write_str("fifty moves"),
            Self::Threefold => f.write_str("threefold repetition"),
            Self::InsufficientMaterial => f.write_str("insufficient material"),
            Self::MaxPlies => f.write_str("too long"),
            Self::Adjudication => f.write_str("adjudication"),
            Self::EndgameTables => f.write_str("endgame tables"),
            Self::Resignation(side) => write!(f, "{side} resigns"),
            Self::Fault(side, fault) => write!(f, "{side} {fault}"),
        }
    }
}

/// One player's points in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Points {
    /// 0 points.
    Loss,
    /// ½ point.
    Draw,
    /// 1 point.
    Win,
}

impl Points {
    /// The opponent's points.
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// Twice the points: 0, 1 or 2.
    pub const fn half_points(self) -> usize {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }
}
