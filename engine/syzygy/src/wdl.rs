//! The five outcomes that tables tell.

use std::ops::Neg;

/// What a position comes to for the side to move, when both play as well as can be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost, but for the fifty-move rule: drawn by it.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but for the fifty-move rule: drawn by it.
    CursedWin,
    /// Won.
    Win,
}

impl Wdl {
    const ALL: [Self; 5] = [Self::Loss, Self::BlessedLoss, Self::Draw, Self::CursedWin, Self::Win];

    /// From a table's number, 0 for a loss to 4 for a win.
    pub(super) fn from_stored(value: u8) -> Option<Self> {
        Self::ALL.get(usize::from(value)).copied()
    }

    /// -2 for a loss to 2 for a win.
    pub const fn value(self) -> i32 {
        self as i32 - 2
    }

    /// Which of a table's four lists of distances belongs to it.
    pub(super) const fn map(self) -> usize {
        [1, 3, 0, 2, 0][self as usize]
    }

    /// The distance to a capture or a pawn's move that comes at once; more than a hundred where the fifty-move rule
    /// has made the result a draw.
    pub(super) const fn dtz_if_zeroing(self) -> i32 {
        [-1, -101, 0, 101, 1][self as usize]
    }
}

impl Neg for Wdl {
    type Output = Self;

    fn neg(self) -> Self {
        Self::ALL[4 - self as usize]
    }
}
