//! Elo difference and its error from game pairs.
//!
//! The unit is the pair: the same opening played twice with colours swapped. The two games of a pair are correlated, so
//! the variance is computed over pairs (pentanomial model), not over games. Independent of chess.

use std::fmt;
use std::iter::Sum;

use alfiere_chess::game::Points;
use serde::{Deserialize, Serialize};

/// Standard normal quantile of a two-sided 95 % interval.
pub(crate) const QUANTILE_95: f64 = 1.959_963_984_540_054;

/// Wins, draws and losses from the first player's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GameCounts {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl GameCounts {
    pub fn add(&mut self, points: Points) {
        match points {
            Points::Loss => self.losses += 1,
            Points::Draw => self.draws += 1,
            Points::Win => self.wins += 1,
        }
    }

    pub fn merge(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }

    /// The counts from the opponent's point of view.
    pub const fn reversed(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points scored, out of `games()`.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

impl Sum for GameCounts {
    fn sum<I: Iterator<Item = Self>>(games: I) -> Self {
        games.fold(Self::default(), |mut sum, games| {
            sum.merge(games);
            sum
        })
    }
}

impl fmt::Display for GameCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} ={} -{}", self.wins, self.draws, self.losses)
    }
}

/// Pentanomial counts: finished pairs by the first player's points, 0, ½, 1, 1½ or 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Pentanomial([u64; 5]);

impl Pentanomial {
    /// Creates the counts of pairs with 0, ½, 1, 1½ and 2 points.
    pub const fn new(counts: [u64; 5]) -> Self {
        Self(counts)
    }

    pub fn add(&mut self, first: Points, second: Points) {
        self.0[first.half_points() + second.half_points()] += 1;
    }

    /// The counts in order of points.
    pub const fn counts(&self) -> [u64; 5] {
        self.0
    }

    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    // ANCHOR: pairs
    /// Mean score per game in 0..=1 and its variance over pairs; `None` without pairs.
    pub(crate) fn mean_and_variance(&self) -> Option<(f64, f64)> {
        let pairs = self.pairs() as f64;
        if self.pairs() == 0 {
            return None;
        }
        let share = |index: usize| self.0[index] as f64 / pairs;
        let mean: f64 = (0..5).map(|index| share(index) * pair_score(index)).sum();
        let variance = (0..5).map(|index| share(index) * (pair_score(index) - mean).powi(2)).sum();
        Some((mean, variance))
    }
    // ANCHOR_END: pairs

    /// Elo difference with its 95 % error; `None` without pairs.
    pub fn elo(&self) -> Option<EloEstimate> {
        let (mean, variance) = self.mean_and_variance()?;
        let deviation = (variance / self.pairs() as f64).sqrt();
        // Equal pairs have no variance: a score for which as many of them in a row have a probability of 5 %.
        let likely = 0.05f64.powf(1.0 / self.pairs() as f64);
        let low = if mean >= 1.0 { likely } else { mean - QUANTILE_95 * deviation };
        let high = if mean <= 0.0 { 1.0 - likely } else { mean + QUANTILE_95 * deviation };
        let [low, high] = [low, high].map(elo_of_score);
        Some(EloEstimate { elo: elo_of_score(mean), error: (high - low) / 2.0, ends: [low, high] })
    }
}

impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e] = self.0;
        write!(f, "[{a}, {b}, {c}, {d}, {e}]")
    }
}

/// An Elo difference and its 95 % interval; the difference is infinite if one player won all points, and one end of the
/// interval if it nearly did.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct EloEstimate {
    /// The difference; positive if the first player is stronger.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
    pub ends: [f64; 2],
}

impl fmt::Display for EloEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.elo.is_finite() && self.error.is_finite() {
            // Avoids the output of minus zero for an even match.
            let elo = if self.elo.abs() < 0.05 { 0.0 } else { self.elo };
            write!(f, "{elo:+.1} ± {:.1}", self.error)
        } else {
            let [low, high] = self.ends;
            let bound = if low.is_finite() { format!("above {low:+.1}") } else { format!("below {high:+.1}") };
            match self.elo {
                f64::INFINITY => write!(f, "{bound} (no point lost)"),
                f64::NEG_INFINITY => write!(f, "{bound} (no point made)"),
                elo => write!(f, "{elo:+.1} ({bound})"),
            }
        }
    }
}

/// The score per game of a pair with this number of half points, in 0..=1.
pub(super) fn pair_score(half_points: usize) -> f64 {
    half_points as f64 / 4.0
}

/// The Elo difference for an expected score; infinite outside the open interval 0..1.
pub(crate) fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) -> bool {
        (a - b).abs() <= tolerance
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-700.0, -120.5, 0.0, 3.25, 400.0] {
            assert!(close(elo_of_score(score_of_elo(elo)), elo, 1e-9));
        }
        // One point out of eleven is exactly -400 Elo.
        assert!(close(elo_of_score(1.0 / 11.0), -400.0, 1e-9));
        assert!(close(elo_of_score(0.75), 190.848_5, 1e-4));
    }

    #[test]
    fn elo_matches_a_calculation_by_hand() {
        // 2 pairs of 0, 4 of ½, 8 of 1, 4 of 1½, 2 of 2 points: even, variance (2·½² + 4·¼²)·2 / 20 = 0.075.
        let even = Pentanomial::new([2, 4, 8, 4, 2]);
        let (mean, variance) = even.mean_and_variance().expect("pairs");
        assert!(close(mean, 0.5, 1e-12) && close(variance, 0.075, 1e-12));
        let estimate = even.elo().expect("pairs");
        assert!(close(estimate.elo, 0.0, 1e-9));
        // ± 1.96·sqrt(0.075/20) = ± 0.12002 of a point: 0.62002 scores +85.06.
        assert!(close(estimate.error, 85.06, 0.02), "{estimate:?}");
    }

    #[test]
    fn pairs_are_counted_by_points() {
        let mut pairs = Pentanomial::default();
        pairs.add(Points::Loss, Points::Loss);
        pairs.add(Points::Draw, Points::Loss);
        pairs.add(Points::Win, Points::Loss);
        pairs.add(Points::Draw, Points::Draw);
        pairs.add(Points::Win, Points::Draw);
        pairs.add(Points::Win, Points::Win);
        assert_eq!(pairs.counts(), [1, 1, 2, 1, 1]);
        assert_eq!(pairs.to_string(), "[1, 1, 2, 1, 1]");
    }

    #[test]
    fn one_sided_matches_have_a_bound_on_one_side() {
        assert!(Pentanomial::default().elo().is_none());
        let estimate = Pentanomial::new([0, 0, 0, 0, 7]).elo().expect("pairs");
        // 0.05 ^ (1 / 7) of the points.
        assert_eq!(estimate.to_string(), "above +108.9 (no point lost)");
        let lost = Pentanomial::new([7, 0, 0, 0, 0]).elo().expect("pairs");
        assert_eq!(lost.to_string(), "below -108.9 (no point made)");
        let nearly = Pentanomial::new([0, 0, 0, 1, 7]).elo().expect("pairs");
        assert!(nearly.elo.is_finite() && nearly.error.is_infinite());
        assert_eq!(nearly.to_string(), "+596.5 (above +405.0)");
    }
}
