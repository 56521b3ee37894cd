//! Piece-square inputs: `HalfKAv2_hm` with 32 king squares, or plain piece-square inputs in the lite variant.
//!
//! The board is mirrored so that the king is on files e to h. Accumulators are cached for every king square: only the
//! pieces that differ from the previous position with that king square are added and removed.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Bitboard, Color, Piece, PieceKind, Square};

use super::Network;
use super::accumulator::Accumulator;
use super::threats::Orientation;

/// Piece-square inputs per king square: both kings share one set of 64.
const PIECE_SQUARES: usize = 11 * 64;

/// The piece-square input set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KingInputs {
    /// One set of inputs per king square of the view (32 after mirroring).
    HalfKa,
    /// 768 inputs; the king only mirrors the board.
    Plain,
}

impl KingInputs {
    pub(super) const fn count(self) -> usize {
        match self {
            Self::HalfKa => 32 * PIECE_SQUARES,
            Self::Plain => 12 * 64,
        }
    }

    /// Index of the input of a piece on a square, for a view with its king on `king`.
    fn input(self, view: Color, king: Square, piece: Piece, square: Square) -> u16 {
        let orientation = Orientation::with_king_right(view, king);
        let (kind, is_other) = (piece.kind(), usize::from(piece.color() != view));
        let piece = match self {
            Self::HalfKa => {
                let king = orientation.square(king);
                // King squares are numbered from h8 backwards, four per rank.
                let king_square = (7 - king / 8) * 4 + (7 - king % 8);
                let kind = if kind == PieceKind::King { 10 } else { 2 * kind.index() + is_other };
                king_square * (PIECE_SQUARES / 64) + kind
            }
            Self::Plain => 6 * is_other + kind.index(),
        };
        (piece * 64 + orientation.square(square)) as u16
    }
}

/// Cached accumulators of both views.
#[derive(Clone, Debug)]
pub(super) struct KingSquares {
    /// For each view and king square.
    kept: Vec<Cached>,
    added: Vec<u16>,
    removed: Vec<u16>,
}

#[derive(Clone, Debug)]
struct Cached {
    pieces: [Bitboard; Piece::ALL.len()],
    accumulator: Accumulator,
}

impl KingSquares {
    pub(super) fn new(network: &Network) -> Self {
        let empty =
            Cached { pieces: [Bitboard::EMPTY; Piece::ALL.len()], accumulator: Accumulator::new(&network.bias) };
        Self { kept: vec![empty; Color::ALL.len() * Square::ALL.len()], added: Vec::new(), removed: Vec::new() }
    }

    /// Updates the accumulator of a view to the board and returns it.
    pub(super) fn update(&mut self, network: &Network, board: &Board, view: Color) -> &Accumulator {
        let (king, inputs) = (board.king(view), network.king_inputs);
        let kept = &mut self.kept[view.index() * Square::ALL.len() + king.index()];
        self.added.clear();
        self.removed.clear();
        for piece in Piece::ALL {
            let now = board.colored(piece.color(), piece.kind());
            let before = std::mem::replace(&mut kept.pieces[piece.index()], now);
            self.added.extend((now & !before).map(|square| inputs.input(view, king, piece, square)));
            self.removed.extend((before & !now).map(|square| inputs.input(view, king, piece, square)));
        }
        kept.accumulator.update(&network.king_squares, &self.added, &self.removed);
        &kept.accumulator
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_unique() {
        let right: Vec<Square> = Square::ALL.into_iter().filter(|square| square.index() % 8 >= 4).collect();
        for (inputs, kings, twin) in
            [(KingInputs::HalfKa, &right[..], Some(Piece::BlackKing)), (KingInputs::Plain, &right[..1], None)]
        {
            let mut seen = vec![false; inputs.count()];
            for &king in kings {
                for piece in Piece::ALL.into_iter().filter(|&piece| Some(piece) != twin) {
                    for square in Square::ALL {
                        let input = usize::from(inputs.input(Color::White, king, piece, square));
                        assert!(!std::mem::replace(&mut seen[input], true));
                    }
                }
            }
            assert!(seen.iter().all(|&seen| seen));
        }
    }

    #[test]
    fn inputs_are_symmetric_in_colours_and_wings() {
        for (inputs, piece) in [KingInputs::HalfKa, KingInputs::Plain]
            .into_iter()
            .flat_map(|inputs| Piece::ALL.map(|piece| (inputs, piece)))
        {
            let twin = Piece::new(!piece.color(), piece.kind());
            for square in Square::ALL {
                let king = Square::D1;
                let own = inputs.input(Color::White, king, piece, square);
                assert_eq!(own, inputs.input(Color::Black, king.flip(), twin, square.flip()));
                assert_eq!(own, inputs.input(Color::White, king.mirror(), piece, square.mirror()));
            }
        }
    }
}
