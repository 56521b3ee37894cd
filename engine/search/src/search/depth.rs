//! How deep to search: plies left, counted from the node downwards.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// Plies left to search; zero or less means quiescence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub(crate) struct Depth(i32);

impl Depth {
    /// Nothing left but quiescence.
    pub(crate) const ZERO: Self = Self(0);

    /// This many plies.
    pub(crate) const fn plies(plies: i32) -> Self {
        Self(plies)
    }

    /// The number of plies.
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
