//! Inputs for pairs of pawns of either colour on the same or adjacent files.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Bitboard, File, PieceKind, Rank, Square};

use super::threats::Orientation;

/// Combinations of colour and square of a pawn.
const PAWNS: usize = 2 * 48;
/// Number of inputs: all pairs of these, including those that are never on adjacent files.
pub(super) const INPUTS: usize = PAWNS * (PAWNS - 1) / 2;

/// For each file, the squares of pawns on it and on adjacent files.
const NEIGHBOURS: [Bitboard; 8] = {
    let edges = Bitboard::rank(Rank::First).0 | Bitboard::rank(Rank::Eighth).0;
    let mut neighbours = [Bitboard::EMPTY; 8];
    let mut index = 0;
    while index < 8 {
        let file = Bitboard::file(File::ALL[index]);
        neighbours[index] = Bitboard((file.0 | file.east().0 | file.west().0) & !edges);
        index += 1;
    }
    neighbours
};

/// Appends the inputs of a board, numbered from `first`.
pub(super) fn append_inputs(board: &Board, orientation: Orientation, first: usize, inputs: &mut Vec<u16>) {
    let own = board.color(orientation.view);
    let number = |square: Square| {
        let other = if own.contains(square) { 0 } else { PAWNS / 2 };
        // The first pawn square is a2.
        other + orientation.square(square) - 8
    };
    let mut rest = board.pieces(PieceKind::Pawn);
    while let Some(pawn) = rest.next() {
        let pawn_number = number(pawn);
        inputs.extend(
            (rest & NEIGHBOURS[pawn.file().index()]).map(|square| (first + input(pawn_number, number(square))) as u16),
        );
    }
}

/// Index of the input of two pawns, in either order.
fn input(a: usize, b: usize) -> usize {
    let (low, high) = (a.min(b), a.max(b));
    high * (high - 1) / 2 + low
}

#[cfg(test)]
mod tests {
    use alfiere_chess::types::Color;

    use super::*;

    #[test]
    fn inputs_are_unique() {
        let mut seen = vec![false; INPUTS];
        for a in 0..PAWNS {
            for b in 0..a {
                assert_eq!(input(a, b), input(b, a));
                assert!(!std::mem::replace(&mut seen[input(a, b)], true));
            }
        }
        assert!(seen.iter().all(|&seen| seen));
    }

    #[test]
    fn only_pawns_on_the_same_or_adjacent_files_are_pairs() {
        let count = |fen: &str| {
            let board = Board::from_fen(fen).expect("a legal position");
            let mut inputs = Vec::new();
            append_inputs(&board, Orientation::with_king_left(Color::White, board.king(Color::White)), 0, &mut inputs);
            inputs.sort_unstable();
            inputs.dedup();
            inputs.len()
        };
        assert_eq!(count("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), 0);
        assert_eq!(count("4k3/p1p5/8/8/8/8/P6P/4K3 w - - 0 1"), 1);
        assert_eq!(count("4k3/p7/8/8/1P6/8/P7/4K3 w - - 0 1"), 3);
        // Each file has one pair of its own and four with the next file.
        assert_eq!(count("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 8 + 4 * 7);
    }
}
