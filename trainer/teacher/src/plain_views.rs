//! Views of a board as plain inputs, for which hints are computed, and what Stockfish's networks take from them.

use alfiere_chess::types::{Color, Piece, PieceKind, Square};

/// Stacks of layers, and sets of PSQT values, by number of pieces.
pub(super) const STACKS: usize = 8;

/// The stack of layers and PSQT values for a number of pieces.
pub(super) fn stack_of(pieces: usize) -> usize {
    (pieces.saturating_sub(1) / 4).min(STACKS - 1)
}

/// The piece of a plain input and its square. Plain inputs are relative to the view, which is therefore like White's.
pub(super) fn piece_on(input: u16) -> (Piece, Square) {
    (Piece::ALL[usize::from(input / 64)], Square::from_index(usize::from(input % 64)))
}

/// The square of the view's own king; a1 if there is none.
pub(super) fn own_king(inputs: &[u16]) -> Square {
    let king = Piece::new(Color::White, PieceKind::King);
    inputs
        .iter()
        .map(|&input| piece_on(input))
        .find(|&(piece, _)| piece == king)
        .map_or(Square::A1, |(_, square)| square)
}

/// Asserts that a hidden layer computes these sums of positions, whichever wing a network's inputs put the king on.
#[cfg(test)]
pub(super) fn test_hints(
    layer: &dyn alfiere_nnue::HiddenLayer,
    mut expected: impl FnMut(&alfiere_chess::board::Board) -> Vec<f32>,
) {
    use alfiere_nnue::{Architecture, FeatureLists, PIECE_INPUTS};

    let architectures = ["dual [8]", "dual [8] kings=1"].map(|text| text.parse::<Architecture>().expect("valid"));
    let mut different = 0.0;
    for board in super::nineteen::positions(6) {
        let expected = expected(&board);
        for architecture in &architectures {
            let pieces = board.occupied().into_iter().map(|at| (board.piece_on(at).expect("a piece"), at));
            let lists = FeatureLists::new(architecture, board.side_to_move(), pieces);
            let mut views = [&lists.first, &lists.second].map(|list| {
                let pieces = list.iter().filter(|&&input| input < PIECE_INPUTS);
                pieces.map(|&input| input as u16).collect::<Vec<u16>>()
            });
            let mut sums = vec![0.0; layer.width()];
            layer.sums(views.each_mut().map(Vec::as_mut_slice), &mut sums);
            for (sum, expected) in sums.iter().zip(&expected) {
                assert!((sum - expected).abs() < 1e-5, "{}: {sum}, {expected}", board.to_fen());
            }
            different += (sums[0] - sums[1]).abs();
        }
    }
    assert!(different > 1.0, "the neurons differ");
}
