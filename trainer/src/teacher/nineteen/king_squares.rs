//! The inputs that tell where each piece stands, for each of 32 squares of the view's own king (`HalfKAv2_hm`).
//!
//! A board is mirrored so that the king stands on the e- to h-files. Accumulators are kept for every king square: only
//! the pieces that differ from the position before with the king there are added and taken away.

use alfiere::board::Board;
use alfiere::types::{Bitboard, Color, Piece, PieceKind, Square};

use super::Network;
use super::accumulator::Accumulator;
use super::orientation::Orientation;

/// Piece kinds and squares that one king square tells apart: both kings share their 64.
const PIECE_SQUARES: usize = 11 * 64;
/// All inputs.
pub(super) const INPUTS: usize = 32 * PIECE_SQUARES;

/// Accumulators of both views.
#[derive(Clone, Debug)]
pub(super) struct KingSquares {
    /// For each view and king square.
    kept: Vec<Kept>,
    added: Vec<u16>,
    removed: Vec<u16>,
}

#[derive(Clone, Debug)]
struct Kept {
    pieces: [Bitboard; Piece::ALL.len()],
    accumulator: Accumulator,
}

impl KingSquares {
    pub(super) fn new(network: &Network) -> Self {
        let empty = Kept { pieces: [Bitboard::EMPTY; Piece::ALL.len()], accumulator: Accumulator::new(&network.bias) };
        Self { kept: vec![empty; Color::ALL.len() * Square::ALL.len()], added: Vec::new(), removed: Vec::new() }
    }

    /// The accumulator of a view, up to date with the board.
    pub(super) fn update(&mut self, network: &Network, board: &Board, view: Color) -> &Accumulator {
        let king = board.king(view);
        let kept = &mut self.kept[view.index() * Square::ALL.len() + king.index()];
        self.added.clear();
        self.removed.clear();
        for piece in Piece::ALL {
            let now = board.colored(piece.color(), piece.kind());
            let before = std::mem::replace(&mut kept.pieces[piece.index()], now);
            self.added.extend((now & !before).map(|square| input(view, king, piece, square)));
            self.removed.extend((before & !now).map(|square| input(view, king, piece, square)));
        }
        kept.accumulator.update(&network.king_squares, &self.added, &self.removed);
        &kept.accumulator
    }
}

/// The input that a piece on a square is for a view whose king stands there.
fn input(view: Color, king: Square, piece: Piece, square: Square) -> u16 {
    let orientation = Orientation::with_king_right(view, king);
    let king = orientation.square(king);
    // Squares of the king count from h8 backwards, four a rank.
    let king_square = (7 - king / 8) * 4 + (7 - king % 8);
    let kind = match piece.kind() {
        PieceKind::King => 10,
        kind => 2 * kind.index() + usize::from(piece.color() != view),
    };
    (king_square * PIECE_SQUARES + kind * 64 + orientation.square(square)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_all_told_apart() {
        let mut seen = vec![false; INPUTS];
        for king in Square::ALL.into_iter().filter(|square| square.index() % 8 >= 4) {
            for piece in Piece::ALL.into_iter().filter(|&piece| piece != Piece::BlackKing) {
                for square in Square::ALL {
                    let input = usize::from(input(Color::White, king, piece, square));
                    assert!(!std::mem::replace(&mut seen[input], true));
                }
            }
        }
        assert!(seen.iter().all(|&seen| seen));
    }

    #[test]
    fn both_sides_and_both_wings_see_the_same() {
        for piece in Piece::ALL {
            let twin = Piece::new(!piece.color(), piece.kind());
            for square in Square::ALL {
                let king = Square::D1;
                let own = input(Color::White, king, piece, square);
                assert_eq!(own, input(Color::Black, king.flip(), twin, square.flip()));
                assert_eq!(own, input(Color::White, king.mirror(), piece, square.mirror()));
            }
        }
    }
}
