//! The alpha-beta window: scores outside it do not change the score of the root.

use std::ops::Neg;

use super::score::Score;

/// The bounds of a search: the side to move already has `alpha` elsewhere, and the opponent avoids `beta` or more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
}

impl Window {
    /// Every score.
    pub(crate) const FULL: Self = Self { alpha: Score::MIN, beta: Score::MAX };

    /// The null window that tests for a score above `alpha`.
    pub(crate) fn just_above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// The null window that tests for a score of at least `beta`.
    pub(crate) fn just_below(beta: Score) -> Self {
        Self { alpha: beta - 1, beta }
    }

    /// The window around a score, `margin` to both sides.
    pub(crate) fn around(score: Score, margin: i32) -> Self {
        Self { alpha: score - margin, beta: score + margin }
    }

    /// The window without scores of mates that are shorter than possible at this ply.
    pub(crate) fn within_mates(self, ply: usize) -> Self {
        Self { alpha: self.alpha.max(Score::mated_at(ply)), beta: self.beta.min(Score::mate_at(ply + 1)) }
    }

    /// Whether no score is between the bounds.
    pub(crate) fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// Whether the score is at most alpha.
    pub(crate) fn fails_low(self, score: Score) -> bool {
        score <= self.alpha
    }

    /// Whether the score is at least beta.
    pub(crate) fn fails_high(self, score: Score) -> bool {
        score >= self.beta
    }
}

/// The window from the opponent's side.
impl Neg for Window {
    type Output = Self;

    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}
