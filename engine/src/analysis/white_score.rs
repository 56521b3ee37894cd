//! The score of a position for display, from White's point of view.

use std::fmt;

use alfiere_chess::review::MAX_CENTIPAWNS;
use alfiere_chess::types::Color;
use alfiere_search::search::Score;

/// A position's score from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhiteScore {
    /// Normalised centipawns: 100 is an even chance to win.
    Centipawns(i32),
    /// Moves to mate: positive if White mates, negative if Black does.
    Mate(i32),
    /// Checkmate on the board, given by this side.
    Checkmate(Color),
}

impl WhiteScore {
    /// Converts a normalised score of the side to move.
    pub(super) fn of(shown: Score, side: Color) -> Self {
        let sign = if side == Color::White { 1 } else { -1 };
        match shown.moves_to_mate() {
            Some(moves) => Self::Mate(sign * moves),
            None => Self::Centipawns(sign * shown.value()),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_from_whites_view_and_formatted_for_pgn() {
        for (score, side, text, bounded) in [
            (Score::evaluation(35), Color::White, "0.35", 35),
            (Score::evaluation(35), Color::Black, "-0.35", -35),
            (Score::evaluation(-1234), Color::Black, "12.34", 1000),
            (Score::mate_at(5), Color::Black, "#-3", -1000),
            (Score::mated_at(4), Color::White, "#-2", -1000),
            (Score::mated_at(4), Color::Black, "#2", 1000),
        ] {
            let value = WhiteScore::of(score, side);
            assert_eq!((value.to_string().as_str(), value.bounded()), (text, bounded));
        }
        assert_eq!(WhiteScore::Checkmate(Color::Black).bounded(), -1000);
    }
}
