//! Sequential probability ratio test (SPRT) of an Elo difference: the generalised SPRT on pentanomial counts.
//!
//! For each hypothesis, the maximum-likelihood probabilities of the pair classes with the hypothesis's mean score are
//! computed. The log-likelihood ratio is compared with Wald's bounds. Method: M. Van den Bergh, "The Generalized
//! Maximum Likelihood Ratio for the Expectation Value of a Distribution". Elo is logistic.

use std::fmt;

use serde::Serialize;

use super::elo::{Pentanomial, pair_score, score_of_elo};

/// Regularisation: the count of an empty class, so that its probability is not zero.
const EMPTY_CLASS: f64 = 1e-3;
/// Number of bisection steps for the Lagrange multiplier, enough for full double precision.
const BISECTIONS: u32 = 100;

/// The two hypotheses and their error probabilities.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sprt {
    /// Elo difference of the null hypothesis.
    pub elo0: f64,
    /// Elo difference of the alternative.
    pub elo1: f64,
    /// Probability of accepting the alternative if the null hypothesis is true.
    pub alpha: f64,
    /// Probability of accepting the null hypothesis if the alternative is true.
    pub beta: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum SprtDecision {
    /// Neither bound is reached.
    Continue,
    /// The lower bound is reached: `elo0` is accepted.
    AcceptNull,
    /// The upper bound is reached: `elo1` is accepted.
    AcceptAlternative,
}

impl fmt::Display for SprtDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Continue => "undecided",
            Self::AcceptNull => "H0 accepted",
            Self::AcceptAlternative => "H1 accepted",
        })
    }
}

impl Sprt {
    /// Creates a test of `elo0` against `elo1` with error probabilities of 5 %; `None` unless `elo0 < elo1` and both
    /// are finite.
    pub fn new(elo0: f64, elo1: f64) -> Option<Self> {
        (elo0.is_finite() && elo1.is_finite() && elo0 < elo1).then_some(Self { elo0, elo1, alpha: 0.05, beta: 0.05 })
    }

    /// Lower and upper bound of the log-likelihood ratio (LLR).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    // ANCHOR: ratio
    /// The log-likelihood ratio of the alternative over the null hypothesis; 0 without pairs.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.counts().map(|count| if count == 0 { EMPTY_CLASS } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        let null = max_likelihood(shares, score_of_elo(self.elo0));
        let alternative = max_likelihood(shares, score_of_elo(self.elo1));
        (0..5).map(|index| counts[index] * (alternative[index] / null[index]).ln()).sum()
    }
    // ANCHOR_END: ratio

    pub fn verdict(&self, pairs: &Pentanomial) -> SprtDecision {
        let (lower, upper) = self.bounds();
        let llr = self.llr(pairs);
        if llr >= upper {
            SprtDecision::AcceptAlternative
        } else if llr <= lower {
            SprtDecision::AcceptNull
        } else {
            SprtDecision::Continue
        }
    }
}

/// The maximum-likelihood probabilities of the five classes with this mean score, given the observed shares.
///
/// They are `share / (1 + x (score of class - mean))`, with `x` the root of the mean constraint, which decreases
/// monotonically between the two poles of the denominators.
fn max_likelihood(shares: [f64; 5], mean: f64) -> [f64; 5] {
    let offsets: [f64; 5] = std::array::from_fn(|index| pair_score(index) - mean);
    let (mut low, mut high) = (-1.0 / offsets[4], -1.0 / offsets[0]);
    for _ in 0..BISECTIONS {
        let middle = f64::midpoint(low, high);
        let constraint: f64 =
            (0..5).map(|index| shares[index] * offsets[index] / (1.0 + middle * offsets[index])).sum();
        if constraint > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let root = f64::midpoint(low, high);
    std::array::from_fn(|index| shares[index] / (1.0 + root * offsets[index]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_match_the_usual_values() {
        let (lower, upper) = Sprt::new(0.0, 5.0).expect("ordered").bounds();
        assert!((lower + 2.944_439).abs() < 1e-6 && (upper - 2.944_439).abs() < 1e-6);
        assert!(Sprt::new(5.0, 0.0).is_none());
    }

    #[test]
    fn max_likelihood_has_the_required_mean() {
        let shares = [0.05, 0.2, 0.5, 0.2, 0.05];
        for mean in [0.3, 0.5, 0.507, 0.8] {
            let p = max_likelihood(shares, mean);
            let sum: f64 = p.iter().sum();
            let found: f64 = p.iter().enumerate().map(|(index, p)| p * pair_score(index)).sum();
            assert!((sum - 1.0).abs() < 1e-9 && (found - mean).abs() < 1e-9, "{mean}: {p:?}");
        }
        // If the mean is already right, the shares are unchanged.
        assert!(max_likelihood(shares, 0.5).iter().zip(shares).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn llr_of_two_classes_matches_a_calculation_by_hand() {
        // Only pairs with 0 or 2 points: the probabilities are the score itself, so with w wins out of n pairs LLR = w
        // ln(s1/s0) + (n - w) ln((1-s1)/(1-s0)). 60 of 100, 0 against 35 Elo: 1.8929.
        let sprt = Sprt::new(0.0, 35.0).expect("ordered");
        let llr = sprt.llr(&Pentanomial::new([40, 0, 0, 0, 60]));
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(35.0));
        let by_hand = 60.0 * (s1 / s0).ln() + 40.0 * ((1.0 - s1) / (1.0 - s0)).ln();
        assert!((llr - by_hand).abs() < 0.01, "{llr} against {by_hand}");
    }

    #[test]
    fn llr_approaches_the_normal_approximation() {
        // n (s1 - s0) (2 mean - s0 - s1) / (2 variance).
        let pairs = Pentanomial::new([300, 4200, 8800, 4700, 340]);
        let sprt = Sprt::new(0.0, 5.0).expect("ordered");
        let (mean, variance) = pairs.mean_and_variance().expect("pairs");
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(5.0));
        let normal = pairs.pairs() as f64 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let llr = sprt.llr(&pairs);
        assert!((llr - normal).abs() < 0.05 * normal.abs(), "{llr} against {normal}");
        assert_eq!(sprt.verdict(&pairs), SprtDecision::AcceptAlternative);
        assert_eq!(sprt.verdict(&Pentanomial::new([30, 40, 80, 40, 30])), SprtDecision::Continue);
        assert_eq!(sprt.verdict(&Pentanomial::default()), SprtDecision::Continue);
    }
}
