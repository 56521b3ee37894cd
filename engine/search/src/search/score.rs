//! The values of the search. Scores: centipawns, mates and draws in one ordered number, and their form in the transposition
//! table; windows of them; depths.
//!
//! Independent of positions. A score is always from the side to move of its node.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// The deepest line the search follows, in plies from the root.
pub const MAX_PLY: usize = 240;

/// The score of a position for the side to move, in internal units; the far ends are mates.
///
/// `±(32000 - n)` is a mate `n` plies from the root, followed by tablebase wins, counted in the same way; everything closer
/// to zero is an evaluation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Score(i32);

const MATE: i32 = 32_000;
const MATE_BOUND: i32 = MATE - MAX_PLY as i32;
/// A tablebase win at the root: below any mate.
const TABLEBASE_WIN: i32 = MATE_BOUND - 1;
/// The reported score of such a win, minus its plies: above any evaluation, as in other engines.
const SHOWN_TABLEBASE_WIN: i32 = 20_000;
/// The largest evaluation; tablebase wins lie between it and mates.
const EVALUATION_BOUND: i32 = MATE_BOUND - 2 * MAX_PLY as i32;

/// Whether a reported score is exact or a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreKind {
    /// The exact score.
    Exact,
    /// A lower bound.
    LowerBound,
    /// An upper bound.
    UpperBound,
}

impl Score {
    /// A drawn position.
    pub const DRAW: Self = Self(0);
    /// Worse than any score a position can have.
    pub const MIN: Self = Self(-MATE - 1);
    /// Better than any score a position can have.
    pub const MAX: Self = Self(MATE + 1);

    /// An evaluation in internal units; clamped to the range of evaluations, so that none looks like a mate.
    pub fn evaluation(value: i32) -> Self {
        Self(value.clamp(-EVALUATION_BOUND, EVALUATION_BOUND))
    }

    /// The side to move gives mate `ply` plies from the root.
    pub const fn mate_at(ply: usize) -> Self {
        Self(MATE - ply as i32)
    }

    /// The side to move is mated `ply` plies from the root.
    pub const fn mated_at(ply: usize) -> Self {
        Self(ply as i32 - MATE)
    }

    /// A win by the tables, reached `ply` plies from the root.
    pub const fn tablebase_win_at(ply: usize) -> Self {
        Self(TABLEBASE_WIN - ply as i32)
    }

    /// A loss by the tables, reached `ply` plies from the root.
    pub const fn tablebase_loss_at(ply: usize) -> Self {
        Self(ply as i32 - TABLEBASE_WIN)
    }

    /// The bare number, for arithmetic on margins.
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Whether it is a proven win for the side to move: a forced mate or a tablebase win.
    pub const fn is_win(self) -> bool {
        self.0 > EVALUATION_BOUND
    }

    /// Whether it is a proven loss for the side to move.
    pub const fn is_loss(self) -> bool {
        self.0 < -EVALUATION_BOUND
    }

    /// Whether it is a forced mate for either side.
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= MATE_BOUND
    }

    /// Whether it is a proven win for either side.
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Plies from the root to the mate, for mates.
    pub(crate) const fn plies_to_mate(self) -> Option<usize> {
        if self.is_mate() { Some((MATE - self.0.abs()) as usize) } else { None }
    }

    /// Moves to mate as UCI counts them: positive when the side to move mates, negative or zero when it is mated.
    pub fn moves_to_mate(self) -> Option<i32> {
        let plies = self.plies_to_mate()? as i32;
        Some(if self.is_win() { (plies + 1) / 2 } else { -(plies / 2) })
    }

    /// The score as the table keeps it: proven wins counted from the node at `ply` instead of from the root.
    pub(crate) const fn to_table(self, ply: usize) -> i16 {
        let value = if self.is_win() {
            self.0 + ply as i32
        } else if self.is_loss() {
            self.0 - ply as i32
        } else {
            self.0
        };
        value as i16
    }

    /// The inverse of [`Score::to_table`] at a node `ply` plies from the root. Any bits that the table holds give a score no
    /// better than the best mate possible at the node.
    pub(crate) fn from_table(stored: i16, ply: usize) -> Self {
        let score = Self(i32::from(stored).clamp(-MATE, MATE));
        if score.is_decisive() { Self(score.0 - score.0.signum() * ply as i32) } else { score }
    }

    /// Plies from the root to a proven win or loss; to where the tables know it, if they have proven it.
    pub(crate) fn plies_to_win(self) -> Option<usize> {
        let end = if self.is_mate() { MATE } else { TABLEBASE_WIN };
        self.is_decisive().then(|| (end - self.0.abs()) as usize)
    }

    /// Half way between this score and another.
    pub(crate) fn midpoint(self, other: Self) -> Self {
        self.towards(other, [1, 1])
    }

    /// The weighted mean of this score and another, or this score if either is decisive.
    pub(crate) fn towards(self, other: Self, [own, others]: [i32; 2]) -> Self {
        if self.is_decisive() || other.is_decisive() {
            self
        } else {
            Self((own * self.0 + others * other.0) / (own + others))
        }
    }
}

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;

    fn add(self, margin: i32) -> Self {
        Self((self.0 + margin).clamp(-MATE - 1, MATE + 1))
    }
}

impl Sub<i32> for Score {
    type Output = Self;

    fn sub(self, margin: i32) -> Self {
        self + -margin
    }
}

impl Sub for Score {
    type Output = i32;

    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

/// `cp 35`, `mate 3`, `mate -2`: as UCI writes scores; wins by the tables are about `cp 20000`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.moves_to_mate() {
            Some(moves) => write!(f, "mate {moves}"),
            None if self.is_decisive() => {
                let plies = TABLEBASE_WIN - self.0.abs();
                write!(f, "cp {}", self.0.signum() * (SHOWN_TABLEBASE_WIN - plies))
            }
            None => write!(f, "cp {}", self.0),
        }
    }
}

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

/// Plies left to search; zero or less means quiescence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub(crate) struct Depth(i32);

impl Depth {
    /// Nothing left but quiescence.
    pub(crate) const ZERO: Self = Self(0);

    pub(crate) const fn plies(plies: i32) -> Self {
        Self(plies)
    }

    pub(crate) const fn get(self) -> i32 {
        self.0
    }

    /// Whether only quiescence is left.
    pub(crate) const fn is_leaf(self) -> bool {
        self.0 <= 0
    }
}

/// Numbers compare with depths as plies.
impl PartialEq<i32> for Depth {
    fn eq(&self, plies: &i32) -> bool {
        self.0 == *plies
    }
}

impl PartialOrd<i32> for Depth {
    fn partial_cmp(&self, plies: &i32) -> Option<Ordering> {
        self.0.partial_cmp(plies)
    }
}

impl Add<i32> for Depth {
    type Output = Self;

    fn add(self, plies: i32) -> Self {
        Self(self.0 + plies)
    }
}

impl Sub<i32> for Depth {
    type Output = Self;

    fn sub(self, plies: i32) -> Self {
        Self(self.0 - plies)
    }
}

impl AddAssign<i32> for Depth {
    fn add_assign(&mut self, plies: i32) {
        self.0 += plies;
    }
}

impl SubAssign<i32> for Depth {
    fn sub_assign(&mut self, plies: i32) {
        self.0 -= plies;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Score::mate_at(1).to_string(), "mate 1");
        assert_eq!(Score::mate_at(5).to_string(), "mate 3");
        assert_eq!(Score::mated_at(0).to_string(), "mate 0");
        assert_eq!(Score::mated_at(4).to_string(), "mate -2");
        assert_eq!(Score::evaluation(-35).to_string(), "cp -35");
    }

    #[test]
    fn no_evaluation_looks_like_a_mate() {
        assert!(!Score::evaluation(i32::MAX).is_decisive());
        assert!(!Score::evaluation(i32::MIN).is_decisive());
        assert!(Score::mate_at(MAX_PLY).is_win());
        assert!(Score::mated_at(MAX_PLY).is_loss());
    }

    #[test]
    fn wins_by_tables_lie_between_evaluations_and_mates() {
        for ply in [0, 1, MAX_PLY] {
            let (win, loss) = (Score::tablebase_win_at(ply), Score::tablebase_loss_at(ply));
            assert!(win.is_win() && !win.is_mate() && win.moves_to_mate().is_none() && loss == -win, "{ply}");
            assert!(win > Score::evaluation(i32::MAX) && win < Score::mate_at(MAX_PLY));
            assert_eq!(win.to_string(), format!("cp {}", 20_000 - ply));
            assert_eq!(Score::from_table(win.to_table(ply), 0), Score::tablebase_win_at(0));
        }
        assert_eq!(Score::tablebase_loss_at(3).to_string(), "cp -19997");
    }

    #[test]
    fn the_table_counts_mates_from_the_node() {
        let score = Score::mate_at(9);
        assert_eq!(Score::from_table(score.to_table(4), 4), score);
        assert_eq!(Score::from_table(score.to_table(4), 6), Score::mate_at(11));
        assert_eq!(Score::from_table(Score::mated_at(8).to_table(8), 2), Score::mated_at(2));
        assert_eq!(Score::from_table(Score::evaluation(-77).to_table(30), 7), Score::evaluation(-77));
    }
}
