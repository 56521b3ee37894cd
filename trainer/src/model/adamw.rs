//! `AdamW` over flat slices: one pass over weights, gradients and moments, then the clip to what the engine can hold.
//!
//! Knows nothing of networks. Each number is updated alone, so threads do not change the result.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Numbers that a task updates.
const CHUNK: usize = 1 << 13;

/// Constants of the method.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct AdamW {
    /// Share of the mean gradient that is kept each step.
    pub(crate) beta1: f32,
    /// Share of the mean squared gradient that is kept each step.
    pub(crate) beta2: f32,
    /// Added to the root of the mean square.
    pub(crate) epsilon: f32,
}

impl Default for AdamW {
    fn default() -> Self {
        Self { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 }
    }
}

/// Running means of the gradients of one slice of weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Moments {
    mean: Vec<f32>,
    square: Vec<f32>,
}

impl Moments {
    /// Before the first step.
    pub(crate) fn zeros(count: usize) -> Self {
        Self { mean: vec![0.0; count], square: vec![0.0; count] }
    }

    /// How many weights they belong to.
    pub(crate) fn len(&self) -> usize {
        self.mean.len()
    }
}

/// How one slice is updated in one step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Update {
    /// Which step, from 1.
    pub(crate) step: u64,
    /// Learning rate.
    pub(crate) rate: f32,
    /// Weight decay; what it takes away is this times the learning rate times the weight.
    pub(crate) decay: f32,
    /// Weights are kept in ± this.
    pub(crate) limit: f32,
}

impl AdamW {
    /// One step.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub(crate) fn update(&self, weights: &mut [f32], gradients: &[f32], moments: &mut Moments, update: Update) {
        assert!(weights.len() == gradients.len() && weights.len() == moments.len(), "slices of different lengths");
        let Self { beta1, beta2, epsilon } = *self;
        let correction = |beta: f32| (1.0 - f64::from(beta).powf(update.step as f64)) as f32;
        let rate = update.rate / correction(beta1);
        let scale = 1.0 / correction(beta2).sqrt();
        let keep = 1.0 - update.rate * update.decay;
        weights
            .par_chunks_mut(CHUNK)
            .zip(gradients.par_chunks(CHUNK))
            .zip(moments.mean.par_chunks_mut(CHUNK))
            .zip(moments.square.par_chunks_mut(CHUNK))
            .for_each(|(((weights, gradients), means), squares)| {
                for (((weight, &gradient), mean), square) in weights.iter_mut().zip(gradients).zip(means).zip(squares) {
                    *mean += (1.0 - beta1) * (gradient - *mean);
                    *square += (1.0 - beta2) * (gradient * gradient - *square);
                    let next = *weight * keep - rate * *mean / (square.sqrt() * scale + epsilon);
                    *weight = next.max(-update.limit).min(update.limit);
                }
            });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_steps_by_hand() {
        let mut weights = [1.0, -1.0, 0.5];
        let mut moments = Moments::zeros(3);
        let update = Update { step: 1, rate: 0.1, decay: 0.01, limit: 1.98 };
        AdamW::default().update(&mut weights, &[0.5, -2.0, 0.0], &mut moments, update);
        // After one step the mean over its root is the gradient's sign.
        for (weight, expected) in weights.iter().zip([0.999 - 0.1, -0.999 + 0.1, 0.4995]) {
            assert!((weight - expected).abs() < 1e-6, "{weights:?}");
        }
        AdamW::default().update(&mut weights, &[0.5, 2.0, 0.0], &mut moments, Update { step: 2, decay: 0.0, ..update });
        // Means: 0.095 / 0.19 and (-0.18 + 0.2) / 0.19; squares both over 1 - 0.999².
        let second = -0.899 - 0.1 * (0.02 / 0.19) / 2.0;
        assert!((weights[0] - 0.799).abs() < 1e-5 && (weights[1] - second).abs() < 1e-5, "{weights:?}");
    }

    #[test]
    fn weights_stay_within_their_limit() {
        let mut weights = [1.97, -1.97];
        let mut moments = Moments::zeros(2);
        let update = Update { step: 1, rate: 0.5, decay: 0.0, limit: 1.98 };
        AdamW::default().update(&mut weights, &[-1.0, 1.0], &mut moments, update);
        assert!(weights.iter().all(|weight| (weight.abs() - 1.98).abs() < 1e-6), "{weights:?}");
    }
}
