//! Win, draw and loss probabilities as functions of the score and of the material on the board.
//!
//! A score `s` wins with probability `1 / (1 + exp((a - s) / b))` and loses with that of `-s`; the rest is drawn. `a` is
//! the score with a 50 % chance to win, `b` how fast the odds change around it; both are polynomials of the material,
//! because an extra pawn decides an ending sooner than a middlegame. Scores here are in internal units. Owns the fitted
//! constants; independent of the search and of how scores are written.

use alfiere_chess::board::Board;

/// The material of both sides, a pawn counted as 1, within the range in which the model was fitted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Material(u32);

impl Material {
    /// Less counts as this much: few games with less are still open.
    pub const MIN: u32 = 8;
    /// More counts as this much: the material at the start of a game.
    pub const MAX: u32 = 78;
    /// Polynomials are in `(material - MIDDLE) / UNIT`: about -1 to 1 over the range.
    const MIDDLE: f64 = 43.0;
    const UNIT: f64 = 35.0;

    /// Material clamped to the range.
    pub fn new(count: u32) -> Self {
        Self(count.clamp(Self::MIN, Self::MAX))
    }

    /// The material of a board.
    pub fn of(board: &Board) -> Self {
        Self::new(board.material() as u32)
    }

    /// In pawns.
    pub fn count(self) -> u32 {
        self.0
    }

    /// All amounts of the range, ascending.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::MIN..=Self::MAX).map(Self)
    }

    /// The powers that the model's coefficients belong to, from the constant one.
    pub fn powers(self) -> [f64; WdlModel::TERMS] {
        let base = (f64::from(self.0) - Self::MIDDLE) / Self::UNIT;
        std::array::from_fn(|power| base.powi(power as i32))
    }
}

/// The probabilities of a game's three results, for the side that a score belongs to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WdlProbabilities {
    /// A win.
    pub win: f64,
    /// A draw.
    pub draw: f64,
    /// A loss.
    pub loss: f64,
}

/// Coefficients of the model, of ascending powers of [`Material::powers`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WdlModel {
    /// `a`: the score with a 50 % chance to win.
    pub even: [f64; Self::TERMS],
    /// `b`: this much more multiplies the odds of a win by e.
    pub spread: [f64; Self::TERMS],
}

impl WdlModel {
    /// Coefficients of each polynomial.
    pub const TERMS: usize = 3;

    /// Fitted by `trainer wdl` on 1,000 games of this engine at 2+0.02 with two threads, none of them adjudicated, between
    /// its search before and after its numbers were tuned:
    ///
    /// ```text
    /// alfiere match --engine "alfiere name=tuned" --engine "BEFORE name=before" --tc 2+0.02 \
    ///     --each "option.Hash=16 option.Threads=2" --openings UHO_4060_v4.epd.gz --games 1000 --seed 31 --concurrency 4 \
    ///     --margin-ms 30 --pgn games.pgn
    /// trainer wdl games.pgn
    /// ```
    pub const CURRENT: Self = Self { even: [85.74, -26.38, 38.63], spread: [45.81, 19.40, 11.41] };

    /// The score with a 50 % chance to win.
    pub fn even(&self, material: Material) -> f64 {
        value(&self.even, material)
    }

    /// The score difference that multiplies the odds of a win by e.
    pub fn spread(&self, material: Material) -> f64 {
        value(&self.spread, material)
    }

    /// The probabilities of a score, for the side that it belongs to.
    pub fn probabilities(&self, score: f64, material: Material) -> WdlProbabilities {
        WdlProbabilities::at(score, self.even(material), self.spread(material))
    }

    /// The normalised score: 100 is a 50 % chance to win.
    pub fn normalise(&self, score: f64, material: Material) -> f64 {
        100.0 * score / self.even(material)
    }

    /// The inverse of [`Self::normalise`].
    pub fn denormalise(&self, normalised: f64, material: Material) -> f64 {
        normalised * self.even(material) / 100.0
    }

    /// Whether it gives probabilities everywhere: `a` and `b` are positive over the whole range.
    pub fn is_sound(&self) -> bool {
        Material::all().all(|material| self.even(material) > 0.0 && self.spread(material) > 0.0)
    }
}

impl WdlProbabilities {
    /// With `a` and `b` themselves, both positive.
    pub fn at(score: f64, even: f64, spread: f64) -> Self {
        let (up, down) = ((score - even) / spread, (-score - even) / spread);
        let (win, loss) = (logistic(up), logistic(down));
        // 1 - win - loss without the difference of nearly equal numbers.
        let draw = -(up + down).exp_m1() * logistic(-up) * logistic(-down);
        Self { win, draw, loss }
    }
}

fn value(coefficients: &[f64; WdlModel::TERMS], material: Material) -> f64 {
    coefficients.iter().zip(material.powers()).map(|(coefficient, power)| coefficient * power).sum()
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_one_and_rise_with_the_score() {
        let model = WdlModel::CURRENT;
        assert!(model.is_sound());
        for material in Material::all() {
            let mut before = model.probabilities(-20_000.0, material);
            for score in (-20_000..=20_000).step_by(10) {
                let probabilities = model.probabilities(f64::from(score), material);
                let sum = probabilities.win + probabilities.draw + probabilities.loss;
                assert!(
                    (sum - 1.0).abs() < 1e-12 && probabilities.draw >= 0.0,
                    "{score} {material:?} {probabilities:?}"
                );
                assert!(probabilities.win >= before.win && probabilities.loss <= before.loss, "{score} {material:?}");
                before = probabilities;
            }
        }
    }

    #[test]
    fn a_hundred_shown_centipawns_win_every_second_game() {
        let model = WdlModel::CURRENT;
        for material in Material::all() {
            let score = model.denormalise(100.0, material);
            assert!((model.probabilities(score, material).win - 0.5).abs() < 1e-12, "{material:?}");
            assert!((model.normalise(score, material) - 100.0).abs() < 1e-9, "{material:?}");
            let turned = model.probabilities(-score, material);
            assert!((turned.loss - 0.5).abs() < 1e-12, "{material:?}");
        }
    }

    #[test]
    fn material_is_counted_and_kept_in_range() {
        for (fen, count) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 78),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", Material::MIN),
            ("3qkr2/ppp5/8/8/8/8/PPP5/3QKN2 w - - 0 1", 32),
            ("qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1", Material::MAX),
        ] {
            assert_eq!(Material::of(&Board::from_fen(fen).expect("valid")).count(), count, "{fen}");
        }
    }
}
