//! The board as one side sees it: its own pieces come up from the first rank, its king stands on one half of the board.

use alfiere_chess::types::{Color, File, Square};

/// Turns squares into those of a view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Orientation {
    pub(super) view: Color,
    /// Whether files are counted from the h-file.
    pub(super) mirrored: bool,
}

impl Orientation {
    /// The king stands on the e- to h-files.
    pub(super) fn with_king_right(view: Color, king: Square) -> Self {
        Self { view, mirrored: king.file() <= File::D }
    }

    /// The king stands on the a- to d-files.
    pub(super) fn with_king_left(view: Color, king: Square) -> Self {
        Self { view, mirrored: king.file() > File::D }
    }

    /// What the index of a square is combined with by exclusive or.
    pub(super) fn mask(self) -> usize {
        (if self.view == Color::White { 0 } else { 0b11_1000 }) | (if self.mirrored { 0b00_0111 } else { 0 })
    }

    /// The index of a square in this view.
    pub(super) fn square(self, square: Square) -> usize {
        square.index() ^ self.mask()
    }
}
