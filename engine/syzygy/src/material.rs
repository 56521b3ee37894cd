//! Material of a position, which identifies its table.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, PieceKind};

/// Maximum number of pieces in a table, including kings.
pub const MAX_PIECES: usize = 7;

/// The number of piece kinds except the king.
const KINDS: usize = 5;

/// The pieces of two sides; either side can be White.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Material {
    sides: [[u8; KINDS]; 2],
}

impl Material {
    /// The pieces of a board, White first.
    pub(super) fn of(board: &Board) -> Self {
        let count = |color, kind| board.colored(color, kind).count() as u8;
        Self { sides: Color::ALL.map(|color| std::array::from_fn(|kind| count(color, PieceKind::ALL[kind]))) }
    }

    /// Parses the material of a table name such as `KQvKR`.
    pub(super) fn parse(name: &str) -> Option<Self> {
        let (first, second) = name.split_once('v')?;
        let material = Self { sides: [Self::parse_side(first)?, Self::parse_side(second)?] };
        (3..=MAX_PIECES).contains(&material.piece_count()).then_some(material)
    }

    fn parse_side(letters: &str) -> Option<[u8; KINDS]> {
        let mut side = [0; KINDS];
        for letter in letters.strip_prefix('K')?.chars() {
            let kind = PieceKind::from_letter(letter).filter(|&kind| kind != PieceKind::King)?;
            let count: &mut u8 = &mut side[kind.index()];
            *count = count.saturating_add(1);
        }
        Some(side)
    }

    /// The material with the sides exchanged.
    pub(super) fn swapped(self) -> Self {
        let [first, second] = self.sides;
        Self { sides: [second, first] }
    }

    /// Whether both sides have the same pieces.
    pub(super) fn is_symmetric(self) -> bool {
        self == self.swapped()
    }

    pub(super) fn is_kings_only(self) -> bool {
        self.piece_count() == 2
    }

    /// The number of pieces, including kings.
    pub(super) fn piece_count(self) -> usize {
        2 + self.sides.as_flattened().iter().map(|&count| usize::from(count)).sum::<usize>()
    }

    /// The number of pawns of the first and the second side.
    pub(super) fn pawns(self) -> [usize; 2] {
        self.sides.map(|side| usize::from(side[PieceKind::Pawn.index()]))
    }

    pub(super) fn has_pawns(self) -> bool {
        self.pawns() != [0, 0]
    }

    /// Whether a piece other than the kings is the only one of its kind and side.
    pub(super) fn has_unique_piece(self) -> bool {
        self.sides.as_flattened().contains(&1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_as_material() {
        let material = Material::parse("KQPvKR").expect("a name");
        assert_eq!((material.piece_count(), material.pawns(), material.is_symmetric()), (5, [1, 0], false));
        let board = Board::from_fen("8/8/4k3/4r3/8/2K5/4P3/3Q4 w - - 0 1").expect("legal");
        assert_eq!(Material::of(&board), material);
        assert_ne!(Material::of(&board), material.swapped());
        for wrong in ["", "KvK", "KQ", "QvK", "KXvK", "KQvKqKing", "KQQQQQQvK", "KKvK"] {
            assert_eq!(Material::parse(wrong), None, "{wrong}");
        }
    }
}
