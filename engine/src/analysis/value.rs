//! What a position is worth, as people are told it, from White's side.

use std::fmt;

use alfiere_chess::types::Color;
use alfiere_search::search::Score;

/// The most that a loss in centipawns is counted by: beyond it a game is decided, and a mate counts as this much.
const DECIDED: i32 = 1000;

/// A position's worth from White's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Shown centipawns: 100 are an even chance to win.
    Centipawns(i32),
    /// White mates in so many moves; Black does, if negative.
    Mate(i32),
    /// The board shows a mate that this side has given.
    Checkmate(Color),
}

impl Value {
    /// A shown score of the side to move.
    pub(super) fn of(shown: Score, side: Color) -> Self {
        let sign = if side == Color::White { 1 } else { -1 };
        match shown.moves_to_mate() {
            Some(moves) => Self::Mate(sign * moves),
            None => Self::Centipawns(sign * shown.value()),
        }
    }

    /// Centipawns between -1000 and 1000, which mates count as.
    pub fn bounded(self) -> i32 {
        match self {
            Self::Centipawns(value) => value.clamp(-DECIDED, DECIDED),
            Self::Mate(moves) => DECIDED * moves.signum(),
            Self::Checkmate(Color::White) => DECIDED,
            Self::Checkmate(Color::Black) => -DECIDED,
        }
    }
}

/// As comments of games have it after `%eval`: `0.35`, `#3`, `#-2`; a mate on the board is `#`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(value) => write!(f, "{:.2}", f64::from(*value) / 100.0),
            Self::Mate(moves) => write!(f, "#{moves}"),
            Self::Checkmate(_) => f.write_str("#"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_whites_and_written_as_usual() {
        for (score, side, text, bounded) in [
            (Score::centipawns(35), Color::White, "0.35", 35),
            (Score::centipawns(35), Color::Black, "-0.35", -35),
            (Score::centipawns(-1234), Color::Black, "12.34", 1000),
            (Score::mate_at(5), Color::Black, "#-3", -1000),
            (Score::mated_at(4), Color::White, "#-2", -1000),
            (Score::mated_at(4), Color::Black, "#2", 1000),
        ] {
            let value = Value::of(score, side);
            assert_eq!((value.to_string().as_str(), value.bounded()), (text, bounded));
        }
        assert_eq!(Value::Checkmate(Color::Black).bounded(), -1000);
    }
}
