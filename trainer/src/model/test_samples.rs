//! Positions for tests of the model.

use std::sync::Arc;

use alfiere_chess::types::{Color, Piece, Square};
use alfiere_nnue::{Architecture, FeatureLists};

use super::learner::LayerGradient;
use super::{Dropout, Encoding, LabelValue, Learner, Mirror, Objective, Sample, Score, SparseBatch};
use alfiere_chess::random::mix;

/// A hand-made or random position.
#[derive(Clone, Debug)]
pub(crate) struct TestSample {
    pub(crate) side: Color,
    pub(crate) pieces: Vec<(Piece, Square)>,
    pub(crate) castles: bool,
    pub(crate) label: LabelValue,
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
pub(crate) fn samples(count: usize, seed: u64) -> Vec<TestSample> {
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

pub(crate) fn batch(architecture: &Architecture, objective: Objective, samples: &[TestSample]) -> Arc<SparseBatch> {
    let picks: Vec<u32> = (0..samples.len() as u32).collect();
    let mut batch = SparseBatch::default();
    batch.fill(samples, &picks, &Encoding::new(architecture, objective, 0.3), Mirror::Never);
    Arc::new(batch)
}

/// The mean loss, and for each layer the gradients of its weights `[inputs][outputs]` and its bias.
pub(crate) fn gradients(
    learner: &Learner,
    batch: &Arc<SparseBatch>,
    objective: Objective,
    dropout: Dropout,
) -> (f32, Vec<[Vec<f32>; 2]>) {
    let (loss, gradients) = learner.clone().loss_and_gradients(batch, objective, dropout);
    let rows = |gradient: LayerGradient| {
        let weights = gradient.weights();
        [weights.part(0..weights.len(), &mut Vec::new()).to_vec(), gradient.bias]
    };
    (loss, gradients.into_iter().map(rows).collect())
}

pub(crate) fn features(architecture: &Architecture, sample: &TestSample) -> FeatureLists {
    FeatureLists::new(architecture, sample.side, sample.pieces.iter().copied())
}
