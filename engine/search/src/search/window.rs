//! The alpha-beta window: the scores that would change anything at the root.

use std::ops::Neg;

use super::score::Score;

/// Scores strictly between `alpha` (already assured) and `beta` (the opponent will not allow) are of interest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
}

impl Window {
    /// Every score.
    pub(crate) const FULL: Self = Self { alpha: Score::MIN, beta: Score::MAX };

    /// The window that asks only "is it better than `alpha`?".
    pub(crate) fn just_above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// The window that asks only "is it at least `beta`?".
    pub(crate) fn just_below(beta: Score) -> Self {
        Self { alpha: beta - 1, beta }
    }

    /// The window around a score, `margin` to both sides.
    pub(crate) fn around(score: Score, margin: i32) -> Self {
        Self { alpha: score - margin, beta: score + margin }
    }

    /// What is left of it when neither side can be mated sooner than at this ply.
    pub(crate) fn within_mates(self, ply: usize) -> Self {
        Self { alpha: self.alpha.max(Score::mated_at(ply)), beta: self.beta.min(Score::mate_at(ply + 1)) }
    }

    /// Whether no score lies inside.
    pub(crate) fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// Whether the score is too low to matter.
    pub(crate) fn fails_low(self, score: Score) -> bool {
        score <= self.alpha
    }

    /// Whether the score is too good to be allowed.
    pub(crate) fn fails_high(self, score: Score) -> bool {
        score >= self.beta
    }
}

// ANCHOR: negate
/// The same window as the opponent sees it.
impl Neg for Window {
    type Output = Self;

    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}
// ANCHOR_END: negate
