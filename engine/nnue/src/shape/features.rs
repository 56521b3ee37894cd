//! The inputs that are 1 in a position, and a teacher's layer that is computed from them.
//!
//! Knows pieces and squares, no weights.

use alfiere_chess::types::{Color, Piece, PieceKind, Square};

use crate::shape::architecture::{Architecture, Perspective};
use crate::shape::inputs::{Orientation, PIECE_INPUTS};
use crate::shape::relations::Relations;

/// The plain input (0 to 767) of a piece on a square as `view` sees the board; see [`Orientation::input`] for others.
///
/// The view's own pieces come first (0 to 383), then the other side's; within a side by kind from pawn to king, then
/// by square with the view's first rank first. A `white` network always takes White's view.
pub const fn feature_index(view: Color, piece: Piece, square: Square) -> usize {
    let owner = if piece.color() as usize == view as usize { 0 } else { PIECE_INPUTS / 2 };
    owner + piece.kind().index() * 64 + square.relative_to(view) as usize
}

/// The inputs of one position that are 1, as the reference forward pass takes them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FeatureLists {
    /// `dual`: of the side to move's view, the side to move's input among them. `white`: of White's view, with that input
    /// when White moves.
    pub first: Vec<usize>,
    /// `dual`: of the other side's view. `white`: empty.
    pub second: Vec<usize>,
    pub piece_count: u32,
}

impl FeatureLists {
    /// The lists of a position given as its pieces. Where kings matter, each side should have one: without it the view
    /// is that of a king on A1 (A8 for Black), and of several the last counts.
    pub fn new(
        architecture: &Architecture,
        side_to_move: Color,
        pieces: impl IntoIterator<Item = (Piece, Square)>,
    ) -> Self {
        let pieces: Vec<(Piece, Square)> = pieces.into_iter().collect();
        let orientation = |view: Color| {
            let is_king = |&&(piece, _): &&(Piece, Square)| piece == Piece::new(view, PieceKind::King);
            let king = pieces.iter().rfind(is_king).map_or(Square::A1.relative_to(view), |&(_, square)| square);
            architecture.inputs.orientation(view, king)
        };
        let orientations = Color::ALL.map(orientation);
        let relations = Relations::new(pieces.iter().copied());
        let input = |view: Color, piece, square| {
            let orientation: Orientation = orientations[view.index()];
            architecture.inputs.of_state(relations.state(square))
                + orientation.input(feature_index(view, piece, square))
        };
        let mut lists = Self::default();
        for &(piece, square) in &pieces {
            lists.piece_count += 1;
            match architecture.perspective {
                Perspective::Dual => {
                    lists.first.push(input(side_to_move, piece, square));
                    lists.second.push(input(!side_to_move, piece, square));
                }
                Perspective::White => lists.first.push(input(Color::White, piece, square)),
            }
        }
        if architecture.is_dual() || side_to_move == Color::White {
            lists.first.push(architecture.inputs.side_to_move());
        }
        lists
    }
}

/// The first dense layer of a teacher.
pub trait HiddenLayer: Send + Sync {
    /// Number of neurons that are targets. They are the first of the layer's, in its order.
    fn width(&self) -> usize;

    /// Writes the sums of these neurons; 1 is where their activation is clipped. `views` are the [plain
    /// inputs](feature_index) of the side to move's view and of the opponent's, in any order of pieces. A view may be
    /// mirrored horizontally, here or by the caller.
    fn sums(&self, views: [&mut [u16]; 2], sums: &mut [f32]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::inputs::SIDE_TO_MOVE_INPUT;

    #[test]
    fn own_pieces_come_first_and_the_board_is_flipped() {
        assert_eq!(feature_index(Color::White, Piece::WhitePawn, Square::A2), 8);
        assert_eq!(feature_index(Color::White, Piece::BlackKing, Square::H8), 767);
        for piece in Piece::ALL {
            let other = Piece::new(!piece.color(), piece.kind());
            for square in Square::ALL {
                let white = feature_index(Color::White, piece, square);
                assert_eq!(white, feature_index(Color::Black, other, square.flip()));
                assert!(white < PIECE_INPUTS);
            }
        }
    }

    #[test]
    fn all_indices_are_different() {
        let mut seen = vec![false; PIECE_INPUTS];
        for piece in Piece::ALL {
            for square in Square::ALL {
                let index = feature_index(Color::Black, piece, square);
                assert!(!std::mem::replace(&mut seen[index], true), "{index} twice");
            }
        }
    }

    #[test]
    fn side_to_move_is_the_last_input() {
        let pieces = [(Piece::WhiteKing, Square::E1), (Piece::BlackKing, Square::E8)];
        let shape = |text: &str| text.parse::<Architecture>().expect(text);
        let dual = FeatureLists::new(&shape("dual [1]"), Color::Black, pieces);
        assert_eq!(dual.first, [384 + 320 + 60, 320 + 4, SIDE_TO_MOVE_INPUT]);
        assert_eq!(dual.second, [320 + 4, 384 + 320 + 60]);
        let white = FeatureLists::new(&shape("white [1]"), Color::Black, pieces);
        assert_eq!((white.first.len(), white.second.len(), white.piece_count), (2, 0, 2));
        assert!(FeatureLists::new(&shape("white [1]"), Color::White, pieces).first.contains(&SIDE_TO_MOVE_INPUT));
        // Both kings are seen on d1 and so in the fourth of eight buckets, the other one opposite.
        let kings = FeatureLists::new(&shape("dual [1] kings=8"), Color::Black, pieces);
        assert_eq!(kings.first, [3 * 768 + 384 + 320 + 59, 3 * 768 + 320 + 3, 8 * 768]);
        assert_eq!(kings.second, [3 * 768 + 320 + 3, 3 * 768 + 384 + 320 + 59]);
    }
}
