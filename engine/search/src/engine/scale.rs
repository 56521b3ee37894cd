//! Normalised scores: 100 centipawns are a 50 % chance to win.
//!
//! The search uses the network's centipawns. They are normalised here for output, by the material of the position that was
//! searched. Contempt, which users set in normalised centipawns, is converted the other way.

use std::fmt;

use alfiere_chess::board::Board;

use crate::eval::{Material, WdlModel};
use crate::search::Score;

/// What the scores of one search mean in games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoreScale(Material);

impl ScoreScale {
    /// For a search of this position.
    pub fn of(board: &Board) -> Self {
        Self(Material::of(board))
    }

    /// The score to be shown; mates stay as they are.
    pub fn shown(self, score: Score) -> Score {
        if score.is_decisive() {
            return score;
        }
        Score::centipawns(WdlModel::CURRENT.shown(f64::from(score.value()), self.0).round() as i32)
    }

    /// The search's own centipawns for a difference in shown ones.
    pub fn inner(self, shown: i32) -> i32 {
        (f64::from(shown) * WdlModel::CURRENT.even(self.0) / 100.0).round() as i32
    }

    /// What the search's own score, not the shown one, promises.
    pub fn expectation(self, score: Score) -> Expectation {
        let thousandths = |chance: f64| (1000.0 * chance).round() as u32;
        let (win, loss) = if score.is_win() {
            (1000, 0)
        } else if score.is_loss() {
            (0, 1000)
        } else {
            let chances = WdlModel::CURRENT.chances(f64::from(score.value()), self.0);
            (thousandths(chances.win), thousandths(chances.loss))
        };
        // Where nothing is left for a draw, both may have been rounded up.
        let loss = loss.min(1000 - win);
        Expectation { win, draw: 1000 - win - loss, loss }
    }
}

/// Thousandths of games won, drawn and lost by the side to move; together a thousand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// Won.
    pub win: u32,
    /// Drawn.
    pub draw: u32,
    /// Lost.
    pub loss: u32,
}

/// `win draw loss`, as UCI writes it after `wdl`.
impl fmt::Display for Expectation {
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
            let mut before = scale.expectation(Score::centipawns(-30_000));
            for value in -3000..=3000 {
                let now = scale.expectation(Score::centipawns(value));
                assert_eq!(now.win + now.draw + now.loss, 1000, "{value} {material:?}");
                assert!(now.win >= before.win && now.loss <= before.loss, "{value} {material:?}");
                before = now;
            }
        }
    }

    #[test]
    fn mates_are_certain_and_stay_as_they_are() {
        let scale = ScoreScale::of(&Board::startpos());
        assert_eq!(scale.shown(Score::mate_at(5)), Score::mate_at(5));
        assert_eq!(scale.expectation(Score::mate_at(3)).to_string(), "1000 0 0");
        assert_eq!(scale.expectation(Score::mated_at(0)).to_string(), "0 0 1000");
    }

    #[test]
    fn an_even_chance_is_shown_as_a_hundred() {
        for material in Material::all() {
            let even = Score::centipawns(WdlModel::CURRENT.even(material).round() as i32);
            let scale = ScoreScale(material);
            assert!((99..=101).contains(&scale.shown(even).value()), "{material:?}");
            assert!((495..=505).contains(&scale.expectation(even).win), "{material:?}");
            assert_eq!(scale.shown(-even), -scale.shown(even));
            assert!(!scale.shown(Score::centipawns(i32::MAX)).is_decisive());
        }
    }
}
