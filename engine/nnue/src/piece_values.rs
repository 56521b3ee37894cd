//! The value of each piece to a network in a position: its output with the piece minus its output without.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, Piece, PieceKind, Square};

use super::features::FeatureLists;
use super::nnue::Network;

/// The value of a position and of each of its pieces, in internal units from White's side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceValues {
    /// The value of the whole position.
    pub value: i32,
    /// The value of each piece: the position's value minus its value without the piece. Kings are excluded.
    pub pieces: Vec<(Piece, Square, i32)>,
}

/// Evaluates the position, and the position without each piece in turn.
pub fn piece_values(network: &Network, board: &Board) -> PieceValues {
    let side = board.side_to_move();
    let white = |value: i32| if side == Color::White { value } else { -value };
    let all: Vec<(Piece, Square)> =
        board.occupied().into_iter().filter_map(|square| Some((board.piece_on(square)?, square))).collect();
    let piece_count = all.len() as u32;
    let value = |pieces: &mut dyn Iterator<Item = (Piece, Square)>| {
        // The bucket stays that of the whole position: only the piece is taken away.
        let features = FeatureLists::new(network.architecture(), side, pieces);
        white(network.evaluate_features(side, &FeatureLists { piece_count, ..features }))
    };
    let whole = value(&mut all.iter().copied());
    let pieces = all.iter().filter(|(piece, _)| piece.kind() != PieceKind::King).map(|&(piece, square)| {
        let without = value(&mut all.iter().copied().filter(|&(_, other)| other != square));
        (piece, square, whole - without)
    });
    PieceValues { value: whole, pieces: pieces.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queen_is_worth_more_than_a_pawn_and_counts_for_its_side() {
        let board = Board::startpos();
        let piece_values = piece_values(Network::embedded(), &board);
        let part = |name: &str| {
            let square = Square::parse(name).expect("a square");
            piece_values.pieces.iter().find(|(_, other, _)| *other == square).map(|&(.., part)| part).expect("a piece")
        };
        assert_eq!(piece_values.pieces.len(), 30);
        assert!(part("d1") > 2 * part("e2") && part("e2") > 0, "{piece_values:?}");
        assert!(part("d8") < 2 * part("e7") && part("e7") < 0, "{piece_values:?}");
    }
}
