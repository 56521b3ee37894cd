//! `AdamW` over flat slices: one pass over weights, gradients and moments, then the clip to what the engine can hold.
//!
//! Knows nothing of networks. Each number is updated alone, so threads do not change the result.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Numbers that a task updates.
pub(super) const CHUNK: usize = 1 << 13;

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
        let stride = self.stride(update);
        Slices::new(weights, gradients, moments).chunks(CHUNK).into_par_iter().for_each(|slices| {
            stride.advance_all(slices);
        });
    }

    /// What one step does to each number.
    pub(super) fn stride(&self, update: Update) -> Stride {
        let Self { beta1, beta2, epsilon } = *self;
        let correction = |beta: f32| (1.0 - f64::from(beta).powf(update.step as f64)) as f32;
        let rate = update.rate / correction(beta1);
        let scale = 1.0 / correction(beta2).sqrt();
        let keep = 1.0 - update.rate * update.decay;
        Stride { beta1, beta2, epsilon, rate, scale, keep, limit: update.limit }
    }
}

/// One step, ready to be done to any slice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stride {
    beta1: f32,
    beta2: f32,
    epsilon: f32,
    /// Learning rate over the correction of the mean.
    rate: f32,
    /// Brings the mean squared gradient's root to its corrected size.
    scale: f32,
    /// What weight decay leaves of a weight.
    keep: f32,
    limit: f32,
}

impl Stride {
    /// Moves the weights, and clips them.
    pub(super) fn advance_all(self, slices: Slices<'_>) {
        let Slices { weights, gradients, means, squares } = slices;
        for (((weight, &gradient), mean), square) in weights.iter_mut().zip(gradients).zip(means).zip(squares) {
            *weight = self.clipped(self.advanced(*weight, gradient, mean, square));
        }
    }

    /// Moves the weights without a limit.
    pub(super) fn advance_freely(self, slices: Slices<'_>) {
        let Slices { weights, gradients, means, squares } = slices;
        for (((weight, &gradient), mean), square) in weights.iter_mut().zip(gradients).zip(means).zip(squares) {
            *weight = self.advanced(*weight, gradient, mean, square);
        }
    }

    /// A weight within its limit.
    #[inline]
    pub(super) fn clipped(self, weight: f32) -> f32 {
        weight.max(-self.limit).min(self.limit)
    }

    #[inline]
    fn advanced(self, weight: f32, gradient: f32, mean: &mut f32, square: &mut f32) -> f32 {
        *mean += (1.0 - self.beta1) * (gradient - *mean);
        *square += (1.0 - self.beta2) * (gradient * gradient - *square);
        weight * self.keep - self.rate * *mean / (square.sqrt() * self.scale + self.epsilon)
    }
}

/// Weights with their gradients and moments, all of one length.
#[derive(Debug)]
pub(super) struct Slices<'a> {
    pub(super) weights: &'a mut [f32],
    pub(super) gradients: &'a [f32],
    pub(super) means: &'a mut [f32],
    pub(super) squares: &'a mut [f32],
}

impl<'a> Slices<'a> {
    /// Of whole slices of one length.
    pub(super) fn new(weights: &'a mut [f32], gradients: &'a [f32], moments: &'a mut Moments) -> Self {
        Self { weights, gradients, means: &mut moments.mean, squares: &mut moments.square }
    }

    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// The same once more, for a shorter time.
    pub(super) fn reborrow(&mut self) -> Slices<'_> {
        Slices { weights: self.weights, gradients: self.gradients, means: self.means, squares: self.squares }
    }

    /// The first `count` and the others.
    pub(super) fn split_at(self, count: usize) -> (Self, Self) {
        let (weights, other_weights) = self.weights.split_at_mut(count);
        let (gradients, other_gradients) = self.gradients.split_at(count);
        let (means, other_means) = self.means.split_at_mut(count);
        let (squares, other_squares) = self.squares.split_at_mut(count);
        let others =
            Self { weights: other_weights, gradients: other_gradients, means: other_means, squares: other_squares };
        (Self { weights, gradients, means, squares }, others)
    }

    /// In pieces of `count`, the last of what is left.
    pub(super) fn chunks(self, count: usize) -> Vec<Self> {
        let mut chunks = Vec::with_capacity(self.len().div_ceil(count));
        let mut rest = self;
        while rest.len() > count {
            let (chunk, others) = rest.split_at(count);
            chunks.push(chunk);
            rest = others;
        }
        chunks.push(rest);
        chunks
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
