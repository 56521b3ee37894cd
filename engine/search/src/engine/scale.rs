//! Normalised scores: 100 centipawns are a 50 % chance to win.
//!
//! The search works in internal units. Scores are normalised here for output, by the material of the position that was
//! searched. Contempt, which users set in normalised centipawns, is converted the other way.

use std::fmt;

use alfiere_chess::board::Board;
use alfiere_chess::review::{Evaluation, WhiteScore};
use alfiere_chess::types::Color;

use crate::eval::{Material, WdlModel};
use crate::search::Score;

/// Converts the scores of one search to normalised centipawns and to win, draw and loss probabilities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoreScale(Material);

impl ScoreScale {
    pub fn of(board: &Board) -> Self {
        Self(Material::of(board))
    }

    /// The score in normalised centipawns; decisive scores are unchanged.
    pub fn normalise(self, score: Score) -> Score {
        if score.is_decisive() {
            return score;
        }
        Score::evaluation(WdlModel::CURRENT.normalise(f64::from(score.value()), self.0).round() as i32)
    }

    /// A score of `side`, normalised, from White's point of view.
    pub fn white_score(self, score: Score, side: Color) -> WhiteScore {
        let sign = if side == Color::White { 1 } else { -1 };
        match score.moves_to_mate() {
            Some(moves) => WhiteScore::Mate(sign * moves),
            None => WhiteScore::Centipawns(sign * self.normalise(score).value()),
        }
    }

    /// A score of `side` with its expected score, from White's point of view.
    pub fn evaluation(self, score: Score, side: Color) -> Evaluation {
        let own = self.wdl_permille(score).expected_score();
        let expected_score = if side == Color::White { own } else { 1.0 - own };
        Evaluation { score: self.white_score(score, side), expected_score }
    }

    /// Converts a difference in normalised centipawns to internal units.
    pub fn to_internal(self, normalised: i32) -> i32 {
        (f64::from(normalised) * WdlModel::CURRENT.even(self.0) / 100.0).round() as i32
    }

    /// The win, draw and loss probabilities of a score in internal units.
    pub fn wdl_permille(self, score: Score) -> WdlPermille {
        let thousandths = |probability: f64| (1000.0 * probability).round() as u32;
        let (win, loss) = if score.is_win() {
            (1000, 0)
        } else if score.is_loss() {
            (0, 1000)
        } else {
            let probabilities = WdlModel::CURRENT.probabilities(f64::from(score.value()), self.0);
            (thousandths(probabilities.win), thousandths(probabilities.loss))
        };
        // Where nothing is left for a draw, both may have been rounded up.
        let loss = loss.min(1000 - win);
        WdlPermille { win, draw: 1000 - win - loss, loss }
    }
}

/// Thousandths of games won, drawn and lost by the side to move; together a thousand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WdlPermille {
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
}

impl WdlPermille {
    /// The expected score, from 0 to 1: a win counts 1, a draw 0.5.
    pub fn expected_score(self) -> f64 {
        (f64::from(self.win) + f64::from(self.draw) / 2.0) / 1000.0
    }
}

/// `win draw loss`, as UCI writes it after `wdl`.
impl fmt::Display for WdlPermille {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.win, self.draw, self.loss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_add_up_to_a_thousand_and_rise() {
        for material in Material::all() {
            let scale = ScoreScale(material);
            let mut before = scale.wdl_permille(Score::evaluation(-30_000));
            for value in -3000..=3000 {
                let now = scale.wdl_permille(Score::evaluation(value));
                assert_eq!(now.win + now.draw + now.loss, 1000, "{value} {material:?}");
                assert!(now.win >= before.win && now.loss <= before.loss, "{value} {material:?}");
                before = now;
            }
        }
    }

    #[test]
    fn mates_are_certain_and_stay_as_they_are() {
        let scale = ScoreScale::of(&Board::startpos());
        assert_eq!(scale.normalise(Score::mate_at(5)), Score::mate_at(5));
        assert_eq!(scale.wdl_permille(Score::mate_at(3)).to_string(), "1000 0 0");
        assert_eq!(scale.wdl_permille(Score::mated_at(0)).to_string(), "0 0 1000");
        let of_black = scale.evaluation(Score::mate_at(5), Color::Black);
        assert_eq!(of_black, Evaluation { score: WhiteScore::Mate(-3), expected_score: 0.0 });
        assert_eq!(scale.white_score(Score::mated_at(4), Color::Black), WhiteScore::Mate(2));
    }

    #[test]
    fn an_even_chance_is_shown_as_a_hundred() {
        for material in Material::all() {
            let even = Score::evaluation(WdlModel::CURRENT.even(material).round() as i32);
            let scale = ScoreScale(material);
            assert!((99..=101).contains(&scale.normalise(even).value()), "{material:?}");
            assert!((495..=505).contains(&scale.wdl_permille(even).win), "{material:?}");
            assert_eq!(scale.normalise(-even), -scale.normalise(even));
            assert!(!scale.normalise(Score::evaluation(i32::MAX)).is_decisive());
        }
    }
}
