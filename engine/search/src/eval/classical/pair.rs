//! A middlegame and an endgame score packed into one integer.

use std::ops::{Add, AddAssign, Mul, Sub};

// ANCHOR: pair
/// Centipawns for the middlegame and for the endgame in one number: both are added at once.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Pair(i32);

impl Pair {
    pub(super) const fn new(middlegame: i16, endgame: i16) -> Self {
        Self(((endgame as i32) << 16) + middlegame as i32)
    }

    pub(super) const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    pub(super) const fn endgame(self) -> i32 {
        // Undoes the borrow of a negative lower half.
        (self.0 + 0x8000) >> 16
    }
}
// ANCHOR_END: pair

impl Add for Pair {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Pair {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Pair {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul<i32> for Pair {
    type Output = Self;

    fn mul(self, count: i32) -> Self {
        Self(self.0 * count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_of_a_pair_survive_arithmetic() {
        for (a, b, c, d) in [(1, -1, -5, 7), (-300, 299, 12, -4000), (0, -1, 0, 1), (-1, 0, -1, 0)] {
            let (x, y) = (Pair::new(a, b), Pair::new(c, d));
            let halves = |pair: Pair| (pair.middlegame(), pair.endgame());
            let (a, b, c, d) = (i32::from(a), i32::from(b), i32::from(c), i32::from(d));
            assert_eq!(halves(x + y), (a + c, b + d));
            assert_eq!(halves(x - y), (a - c, b - d));
            assert_eq!(halves(x * -3), (-3 * a, -3 * b));
        }
    }
}
