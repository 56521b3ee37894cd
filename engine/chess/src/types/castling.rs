//! Castling rights.

use super::{Color, File};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastleSide {
    /// Towards the h-file: the king lands on the g-file, the rook on the f-file.
    King,
    /// Towards the a-file: the king lands on the c-file, the rook on the d-file.
    Queen,
}

impl CastleSide {
    /// Both sides, king side first.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// 0 for the king side, 1 for the queen side.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    #[inline]
    pub const fn king_file(self) -> File {
        match self {
            Self::King => File::G,
            Self::Queen => File::C,
        }
    }

    #[inline]
    pub const fn rook_file(self) -> File {
        match self {
            Self::King => File::F,
            Self::Queen => File::D,
        }
    }
}

/// Castling rights, one bit each: White's king side, White's queen side, Black's king side, Black's queen side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct CastlingRights(u8);

impl CastlingRights {
    pub const NONE: Self = Self(0);
    pub const ALL: Self = Self(15);

    #[inline]
    const fn bit(color: Color, side: CastleSide) -> u8 {
        1 << (color as u8 * 2 + side as u8)
    }

    #[inline]
    pub const fn has(self, color: Color, side: CastleSide) -> bool {
        self.0 & Self::bit(color, side) != 0
    }

    /// Whether `color` may castle on either side.
    #[inline]
    pub const fn has_any(self, color: Color) -> bool {
        self.0 >> (color as u8 * 2) & 3 != 0
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub const fn with(self, color: Color, side: CastleSide) -> Self {
        Self(self.0 | Self::bit(color, side))
    }

    #[inline]
    pub const fn without(self, color: Color, side: CastleSide) -> Self {
        Self(self.0 & !Self::bit(color, side))
    }

    /// The four bits as a table index, 0 to 15.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The inverse of [`Self::index`]; higher bits are ignored.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        Self(index as u8 & 15)
    }
}
