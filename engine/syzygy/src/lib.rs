#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! The crate owns the files (`set`, `table`, `source`), their decoding (`encoding` based on `squares`, `pairs`), and
//! the small capture search that probing needs (`probe`, `ranking`). It uses the rules of chess and is independent of
//! evaluation and search, which choose the score of a tablebase result. All code is safe: a damaged file gives an error
//! or no result.
//!
//! The format is by Ronald de Man; decoding follows his code and Jon Dart's Fathom (MIT). For each material there is a
//! WDL table (`.rtbw`) with both sides to move, and a DTZ table (`.rtbz`) with one side to move.

mod encoding;
mod material;
mod pairs;
mod probe;
mod ranking;
mod set;
mod source;
mod squares;
mod table;
#[cfg(test)]
mod tests;

use std::ops::Neg;

pub use material::MAX_PIECES;
pub use ranking::{Basis, FiftyMoveRule, RankedMove};
pub use set::{SEPARATOR, Tablebases};
pub use source::{Damage, DamagedFile, TablebaseError};

/// The value of a position for the side to move with best play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    Loss,
    /// A loss that the fifty-move rule turns into a draw.
    BlessedLoss,
    Draw,
    /// A win that the fifty-move rule turns into a draw.
    CursedWin,
    Win,
}

impl Wdl {
    const ALL: [Self; 5] = [Self::Loss, Self::BlessedLoss, Self::Draw, Self::CursedWin, Self::Win];

    /// Decodes a stored value: 0 for a loss to 4 for a win.
    pub(crate) fn from_stored(value: u8) -> Option<Self> {
        Self::ALL.get(usize::from(value)).copied()
    }

    /// -2 for a loss to 2 for a win.
    pub const fn value(self) -> i32 {
        self as i32 - 2
    }

    /// The index of the DTZ map for this value.
    pub(crate) const fn map(self) -> usize {
        [1, 3, 0, 2, 0][self as usize]
    }

    /// DTZ if the best move is a zeroing move; beyond 100 for cursed wins and blessed losses.
    pub(crate) const fn dtz_if_zeroing(self) -> i32 {
        [-1, -101, 0, 101, 1][self as usize]
    }
}

impl Neg for Wdl {
    type Output = Self;

    fn neg(self) -> Self {
        Self::ALL[4 - self as usize]
    }
}
