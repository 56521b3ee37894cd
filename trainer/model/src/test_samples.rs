//! Positions for tests of the model.

use alfiere_chess::random::mix;
use alfiere_chess::types::{Color, Piece, Square};

use super::{LabelValue, Sample, Score};

/// A hand-made or random position.
#[derive(Clone, Debug)]
pub struct TestSample {
    pub side: Color,
    pub pieces: Vec<(Piece, Square)>,
    /// Whether castling is possible.
    pub castles: bool,
    pub label: LabelValue,
}

impl Sample for TestSample {
    fn side_to_move(&self) -> Color {
        self.side
    }

    fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> {
        self.pieces.iter().copied()
    }

    fn piece_count(&self) -> u32 {
        self.pieces.len() as u32
    }

    fn can_castle(&self) -> bool {
        self.castles
    }

    fn label_value(&self) -> LabelValue {
        self.label
    }
}

/// Random positions with 2 to 32 pieces; the first has 32.
pub fn samples(count: usize, seed: u64) -> Vec<TestSample> {
    let mut state = seed;
    let mut next = |below: usize| {
        state = mix(state);
        (state >> 33) as usize % below
    };
    (0..count)
        .map(|index| {
            let pieces = if index == 0 { 32 } else { 2 + next(31) };
            let mut squares: Vec<Square> = Square::ALL.to_vec();
            let pieces: Vec<(Piece, Square)> =
                (0..pieces).map(|_| (Piece::ALL[next(12)], squares.swap_remove(next(squares.len())))).collect();
            TestSample {
                side: if next(2) == 0 { Color::White } else { Color::Black },
                castles: next(2) == 0,
                label: LabelValue {
                    score: Score::Centipawns(next(1600) as f32 - 800.0),
                    result: [None, Some(0.0), Some(0.5), Some(1.0)][next(4)],
                },
                pieces,
            }
        })
        .collect()
}
