//! Batches, gradients and features of positions of [`super::test_samples`].

use std::sync::Arc;

use alfiere_data::Row;
use alfiere_nnue::{Architecture, FeatureLists};

use super::learner::LayerGradient;
use super::{Dropout, Encoding, Learner, Mirror, Objective, SparseBatch};

pub(crate) fn batch(architecture: &Architecture, objective: Objective, samples: &[Row]) -> Arc<SparseBatch> {
    let picks: Vec<u32> = (0..samples.len() as u32).collect();
    let mut batch = SparseBatch::default();
    batch.fill(samples.into(), &picks, &Encoding::new(architecture, objective, 0.3), Mirror::Never);
    Arc::new(batch)
}

/// The mean loss, and for each layer the gradients of its weights `[inputs][outputs]` and its bias.
pub(crate) fn gradients(
    learner: &mut Learner,
    batch: &Arc<SparseBatch>,
    objective: Objective,
    dropout: Dropout,
) -> (f32, Vec<[Vec<f32>; 2]>) {
    let (loss, gradients) = learner.loss_and_gradients(batch, objective, dropout);
    let rows = |gradient: LayerGradient| {
        let weights = gradient.weights();
        [weights.part(0..weights.len(), &mut Vec::new()).to_vec(), gradient.bias]
    };
    (loss, gradients.into_iter().map(rows).collect())
}

pub(crate) fn features(architecture: &Architecture, sample: &Row) -> FeatureLists {
    FeatureLists::new(architecture, sample.side_to_move(), sample.pieces())
}
