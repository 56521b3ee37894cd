//! The board from one side's point of view: its first rank at the bottom, its king on a fixed half of the board.

use alfiere_chess::types::{Color, File, Square};

/// Transforms squares to a view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Orientation {
    pub(super) view: Color,
    /// True if files are mirrored.
    pub(super) mirrored: bool,
}

impl Orientation {
    /// Puts the king on files e to h.
    pub(super) fn with_king_right(view: Color, king: Square) -> Self {
        Self { view, mirrored: king.file() <= File::D }
    }

    /// Puts the king on files a to d.
    pub(super) fn with_king_left(view: Color, king: Square) -> Self {
        Self { view, mirrored: king.file() > File::D }
    }

    /// Mask that a square index is combined with by exclusive or.
    pub(super) fn mask(self) -> usize {
        (if self.view == Color::White { 0 } else { 0b11_1000 }) | (if self.mirrored { 0b00_0111 } else { 0 })
    }

    /// Index of a square in this view.
    pub(super) fn square(self, square: Square) -> usize {
        square.index() ^ self.mask()
    }
}
