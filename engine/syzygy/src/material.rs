//! Which men stand on the board, kings apart: what a table is found by.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, PieceKind};

/// Tables exist for this many men and fewer, kings among them.
pub const MOST_MEN: usize = 7;

/// Kinds besides the king.
const KINDS: usize = 5;

/// The men of two sides; which of them is White depends on who asks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Material {
    sides: [[u8; KINDS]; 2],
}

impl Material {
    /// White's men, then Black's.
    pub(super) fn of(board: &Board) -> Self {
        let count = |color, kind| board.colored(color, kind).count() as u8;
        Self { sides: Color::ALL.map(|color| std::array::from_fn(|kind| count(color, PieceKind::ALL[kind]))) }
    }

    /// The material that a table's name tells: `KQvKR`.
    pub(super) fn parse(name: &str) -> Option<Self> {
        let (first, second) = name.split_once('v')?;
        let material = Self { sides: [Self::parse_side(first)?, Self::parse_side(second)?] };
        (3..=MOST_MEN).contains(&material.men()).then_some(material)
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

    /// The same with the sides exchanged.
    pub(super) fn swapped(self) -> Self {
        let [first, second] = self.sides;
        Self { sides: [second, first] }
    }

    /// Whether both sides have the same men.
    pub(super) fn is_symmetric(self) -> bool {
        self == self.swapped()
    }

    /// Whether only the kings are left.
    pub(super) fn is_bare(self) -> bool {
        self.men() == 2
    }

    /// All men, the kings among them.
    pub(super) fn men(self) -> usize {
        2 + self.sides.as_flattened().iter().map(|&count| usize::from(count)).sum::<usize>()
    }

    /// Pawns of the first side and of the second.
    pub(super) fn pawns(self) -> [usize; 2] {
        self.sides.map(|side| usize::from(side[PieceKind::Pawn.index()]))
    }

    pub(super) fn has_pawns(self) -> bool {
        self.pawns() != [0, 0]
    }

    /// Whether some man besides the kings is the only one of its kind and side.
    pub(super) fn has_single_man(self) -> bool {
        self.sides.as_flattened().contains(&1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_men() {
        let material = Material::parse("KQPvKR").expect("a name");
        assert_eq!((material.men(), material.pawns(), material.is_symmetric()), (5, [1, 0], false));
        let board = Board::from_fen("8/8/4k3/4r3/8/2K5/4P3/3Q4 w - - 0 1").expect("legal");
        assert_eq!(Material::of(&board), material);
        assert_ne!(Material::of(&board), material.swapped());
        for wrong in ["", "KvK", "KQ", "QvK", "KXvK", "KQvKqKing", "KQQQQQQvK", "KKvK"] {
            assert_eq!(Material::parse(wrong), None, "{wrong}");
        }
    }
}
