//! Evaluations for display, from White's point of view.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::types::Color;

/// Bound of centipawns in reviews; mates count as this value.
pub const MAX_CENTIPAWNS: i32 = 1000;

/// A position's score from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum WhiteScore {
    /// Centipawns.
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

/// An engine's evaluation of a position, from White's point of view. Its JSON has `cp` or `mate`, and `expected_score`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Evaluation {
    /// The score.
    #[serde(flatten)]
    pub score: WhiteScore,
    /// White's expected score, 0 to 1.
    pub expected_score: f64,
}

impl Evaluation {
    /// A drawn game.
    pub const DRAW: Self = Self { score: WhiteScore::Centipawns(0), expected_score: 0.5 };

    /// A checkmate on the board.
    pub const fn checkmate(winner: Color) -> Self {
        let expected_score = match winner {
            Color::White => 1.0,
            Color::Black => 0.0,
        };
        Self { score: WhiteScore::Checkmate(winner), expected_score }
    }

    /// The evaluation of the position before the move that leads to this one, if that move is the best.
    pub(super) fn before_move(self) -> Self {
        let score = match self.score {
            WhiteScore::Checkmate(Color::White) => WhiteScore::Mate(1),
            WhiteScore::Checkmate(Color::Black) => WhiteScore::Mate(-1),
            WhiteScore::Mate(moves) => WhiteScore::Mate(moves + moves.signum()),
            score @ WhiteScore::Centipawns(_) => score,
        };
        Self { score, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_bounded_and_formatted_for_pgn() {
        for (score, text, bounded) in [
            (WhiteScore::Centipawns(35), "0.35", 35),
            (WhiteScore::Centipawns(-35), "-0.35", -35),
            (WhiteScore::Centipawns(1234), "12.34", 1000),
            (WhiteScore::Mate(-3), "#-3", -1000),
            (WhiteScore::Mate(2), "#2", 1000),
            (WhiteScore::Checkmate(Color::Black), "#", -1000),
        ] {
            assert_eq!((score.to_string().as_str(), score.bounded()), (text, bounded));
        }
    }
}
