//! A position's score from White's point of view, in centipawns or moves to mate.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::types::Color;

/// Bound of centipawns in reviews; mates count as this value.
pub const MAX_CENTIPAWNS: i32 = 1000;

/// A position's score from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum WhiteScore {
    #[serde(rename = "cp")]
    Centipawns(i32),
    /// Moves to mate: positive if White mates, negative if Black does.
    #[serde(rename = "mate")]
    Mate(i32),
    /// Checkmate on the board, given by this side.
    #[serde(rename = "mate", serialize_with = "no_moves")]
    Checkmate(Color),
}

/// A checkmate on the board is a mate in 0 moves.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn no_moves<S: Serializer>(_winner: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i32(0)
}

impl WhiteScore {
    pub fn is_mate(self) -> bool {
        !matches!(self, Self::Centipawns(_))
    }

    /// Centipawns within [`MAX_CENTIPAWNS`]; mates count as the bounds.
    pub fn bounded(self) -> i32 {
        match self {
            Self::Centipawns(value) => value.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
            Self::Mate(moves) => MAX_CENTIPAWNS * moves.signum(),
            Self::Checkmate(Color::White) => MAX_CENTIPAWNS,
            Self::Checkmate(Color::Black) => -MAX_CENTIPAWNS,
        }
    }
}

/// Formatted as in `%eval` commands: `0.35`, `#3`, `#-2`; a checkmate on the board is `#`.
impl fmt::Display for WhiteScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(value) => write!(f, "{:.2}", f64::from(*value) / 100.0),
            Self::Mate(moves) => write!(f, "#{moves}"),
            Self::Checkmate(_) => f.write_str("#"),
        }
    }
}
