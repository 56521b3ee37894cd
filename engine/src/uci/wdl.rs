//! Scores as chances to win, draw and lose.

use std::fmt;

use crate::search::Score;

/// Thousandths of games won, drawn and lost by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Expectation {
    win: u32,
    draw: u32,
    loss: u32,
}

/// Scores are normalised so that this many centipawns are an even chance to win ...
const EVEN_CHANCE: f64 = 100.0;
/// ... and this many more make it e to 1.
const SPREAD: f64 = 35.0;

impl Expectation {
    /// What a score promises.
    pub(super) fn of(score: Score) -> Self {
        let chance = |value: f64| (1000.0 / (1.0 + ((EVEN_CHANCE - value) / SPREAD).exp())).round() as u32;
        let (win, loss) = if score.is_decisive() {
            (if score.is_win() { 1000 } else { 0 }, if score.is_loss() { 1000 } else { 0 })
        } else {
            (chance(f64::from(score.value())), chance(-f64::from(score.value())))
        };
        Self { win, draw: 1000_u32.saturating_sub(win + loss), loss }
    }
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
    fn chances_add_up_to_a_thousand() {
        for value in (-3000..=3000).step_by(50) {
            let expectation = Expectation::of(Score::centipawns(value));
            assert_eq!(expectation.win + expectation.draw + expectation.loss, 1000, "{value}");
        }
        assert_eq!(Expectation::of(Score::centipawns(100)).win, 500);
        assert_eq!(Expectation::of(Score::mate_at(3)).to_string(), "1000 0 0");
    }
}
