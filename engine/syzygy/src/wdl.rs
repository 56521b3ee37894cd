//! WDL: win, draw or loss, with the fifty-move rule.

use std::ops::Neg;

/// The value of a position for the side to move with best play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// A loss.
    Loss,
    /// A loss that the fifty-move rule turns into a draw.
    BlessedLoss,
    /// A draw.
    Draw,
    /// A win that the fifty-move rule turns into a draw.
    CursedWin,
    /// A win.
    Win,
}

impl Wdl {
    const ALL: [Self; 5] = [Self::Loss, Self::BlessedLoss, Self::Draw, Self::CursedWin, Self::Win];

    /// Decodes a stored value: 0 for a loss to 4 for a win.
    pub(super) fn from_stored(value: u8) -> Option<Self> {
        Self::ALL.get(usize::from(value)).copied()
    }

    /// -2 for a loss to 2 for a win.
    pub const fn value(self) -> i32 {
        self as i32 - 2
    }

    /// The index of the DTZ map for this value.
    pub(super) const fn map(self) -> usize {
        [1, 3, 0, 2, 0][self as usize]
    }

    /// DTZ if the best move is a zeroing move; beyond 100 for cursed wins and blessed losses.
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
