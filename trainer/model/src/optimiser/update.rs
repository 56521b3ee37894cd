//! Update rules on flat slices: one pass updates weights and moments, then clips the weights to the range the engine can
//! represent.
//!
//! Independent of networks. Each weight is updated independently, so the number of threads does not change the result.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::kernels::weight_gradient::WeightGradient;

/// Weights per parallel task.
const CHUNK: usize = 1 << 13;

/// β₁ and β₂: decay of the mean gradient and of the mean squared gradient.
pub(crate) const BETA1: f32 = 0.9;
pub(crate) const BETA2: f32 = 0.999;
/// ε: added to the root of the mean square.
pub(crate) const EPSILON: f32 = 1e-8;

/// First and second moments of the gradients of one slice of weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Moments {
    pub(crate) mean: Vec<f32>,
    pub(crate) square: Vec<f32>,
}

impl Moments {
    /// Zero moments, for before the first step.
    pub(crate) fn zeros(count: usize) -> Self {
        Self { mean: vec![0.0; count], square: vec![0.0; count] }
    }

    pub(crate) fn len(&self) -> usize {
        self.mean.len()
    }
}

/// Parameters of one update step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Update {
    /// Number of the step, from 1.
    pub step: u64,
    pub rate: f32,
    /// Weight decay. A step subtracts `decay * rate * weight`.
    pub decay: f32,
    /// Weights are clipped to `-limit..=limit`.
    pub limit: f32,
}

/// What `RAdam` multiplies the learning rate of a step by, because the mean squared gradient varies most in the first
/// steps; `None` if it varies too much to be used (Liu et al., "On the Variance of the Adaptive Learning Rate and Beyond",
/// 2019).
fn rectification(beta2: f32, step: u64) -> Option<f32> {
    let (beta2, step) = (f64::from(beta2), step as f64);
    let last = 2.0 / (1.0 - beta2) - 1.0;
    let power = beta2.powf(step);
    let length = last - 2.0 * step * power / (1.0 - power);
    let squared = (length - 4.0) * (length - 2.0) * last / ((last - 4.0) * (last - 2.0) * length);
    (length > 5.0).then(|| squared.sqrt() as f32)
}

/// Precomputed constants of one step, applicable to any slice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepConstants {
    /// Whether the mean gradient is divided by the root of the mean squared gradient: not in the first steps of Ranger.
    pub(crate) is_scaled: bool,
    /// Learning rate divided by the bias correction of the first moment.
    pub(crate) rate: f32,
    /// Bias correction factor for the root of the second moment.
    pub(crate) scale: f32,
    /// Factor that weight decay applies to a weight.
    pub(crate) keep: f32,
    pub(crate) limit: f32,
}

impl StepConstants {
    pub(super) fn advance_all(self, gradients: &[f32], slices: WeightSlices<'_>) {
        self.advance(gradients, slices, |weight| self.clipped(weight));
    }

    /// Updates the weights without clipping.
    pub(super) fn advance_freely(self, gradients: &[f32], slices: WeightSlices<'_>) {
        self.advance(gradients, slices, |weight| weight);
    }

    fn advance(self, gradients: &[f32], slices: WeightSlices<'_>, finish: impl Fn(f32) -> f32) {
        // A loop of its own for each.
        if self.is_scaled {
            slices.each(gradients, |weight, gradient, mean, square| finish(self.adam(weight, gradient, mean, square)));
        } else {
            slices.each(gradients, |weight, gradient, mean, _| finish(self.descended(weight, gradient, mean)));
        }
    }

    /// Clips a weight to its limit. NaN is kept, so that the next loss shows it.
    #[inline]
    pub(super) fn clipped(self, weight: f32) -> f32 {
        weight.clamp(-self.limit, self.limit)
    }

    #[inline]
    fn adam(self, weight: f32, gradient: f32, mean: &mut f32, square: &mut f32) -> f32 {
        *mean += (1.0 - BETA1) * (gradient - *mean);
        *square += (1.0 - BETA2) * (gradient * gradient - *square);
        weight * self.keep - self.rate * *mean / (square.sqrt() * self.scale + EPSILON)
    }

    #[inline]
    fn descended(self, weight: f32, gradient: f32, mean: &mut f32) -> f32 {
        *mean += (1.0 - BETA1) * (gradient - *mean);
        weight * self.keep - self.rate * *mean
    }
}

/// Weights and their moments, all of the same length.
#[derive(Debug)]
pub(super) struct WeightSlices<'a> {
    pub(super) weights: &'a mut [f32],
    means: &'a mut [f32],
    squares: &'a mut [f32],
}

impl<'a> WeightSlices<'a> {
    /// Combines whole slices of one length.
    pub(super) fn new(weights: &'a mut [f32], moments: &'a mut Moments) -> Self {
        Self { weights, means: &mut moments.mean, squares: &mut moments.square }
    }

    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// Replaces each weight, given its gradient and moments.
    #[inline]
    fn each(self, gradients: &[f32], step: impl Fn(f32, f32, &mut f32, &mut f32) -> f32) {
        let Self { weights, means, squares } = self;
        for (((weight, &gradient), mean), square) in weights.iter_mut().zip(gradients).zip(means).zip(squares) {
            *weight = step(*weight, gradient, mean, square);
        }
    }

    pub(super) fn reborrow(&mut self) -> WeightSlices<'_> {
        WeightSlices { weights: self.weights, means: self.means, squares: self.squares }
    }

    /// Splits the slices at `count`.
    pub(super) fn split_at(self, count: usize) -> (Self, Self) {
        let (weights, other_weights) = self.weights.split_at_mut(count);
        let (means, other_means) = self.means.split_at_mut(count);
        let (squares, other_squares) = self.squares.split_at_mut(count);
        let others = Self { weights: other_weights, means: other_means, squares: other_squares };
        (Self { weights, means, squares }, others)
    }

    /// Splits the slices into chunks of `count`; the last may be shorter.
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

/// The update rule of a training run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum UpdateRule {
    /// Adam with decoupled weight decay
    #[default]
    #[cfg_attr(feature = "clap", value(name = "adamw"))]
    AdamW,
    /// `AdamW` with rectified first steps (`RAdam`), and with lookahead: every sixth step returns half of the way
    Ranger,
}

impl UpdateRule {
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Applies one optimiser step.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub(crate) fn update(
        self,
        weights: &mut [f32],
        gradient: WeightGradient<'_>,
        moments: &mut Moments,
        update: Update,
    ) {
        assert!(weights.len() == gradient.len() && weights.len() == moments.len(), "slices of different lengths");
        let (constants, chunk) = (self.constants(update), gradient.part_length(CHUNK));
        let chunks = WeightSlices::new(weights, moments).chunks(chunk).into_par_iter().enumerate();
        chunks.for_each_init(Vec::new, |buffer, (index, slices)| {
            let start = index * chunk;
            constants.advance_all(gradient.part(start..start + slices.len(), buffer), slices);
        });
    }

    pub(crate) fn constants(self, update: Update) -> StepConstants {
        let correction = |beta: f32| (1.0 - f64::from(beta).powf(update.step as f64)) as f32;
        let rate = update.rate / correction(BETA1);
        let scale = 1.0 / correction(BETA2).sqrt();
        let keep = 1.0 - update.rate * update.decay;
        let (is_scaled, rate) = match (self, rectification(BETA2, update.step)) {
            (Self::Ranger, Some(factor)) => (true, rate * factor),
            (Self::Ranger, None) => (false, rate),
            (Self::AdamW, _) => (true, rate),
        };
        StepConstants { is_scaled, rate, scale, keep, limit: update.limit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_steps_match_hand_computed_values() {
        let mut weights = [1.0, -1.0, 0.5];
        let mut moments = Moments::zeros(3);
        let update = Update { step: 1, rate: 0.1, decay: 0.01, limit: 1.98 };
        UpdateRule::AdamW.update(&mut weights, WeightGradient::rows(&[0.5, -2.0, 0.0]), &mut moments, update);
        // After one step, mean / root of the second moment is the sign of the gradient.
        for (weight, expected) in weights.iter().zip([0.999 - 0.1, -0.999 + 0.1, 0.4995]) {
            assert!((weight - expected).abs() < 1e-6, "{weights:?}");
        }
        UpdateRule::AdamW.update(
            &mut weights,
            WeightGradient::rows(&[0.5, 2.0, 0.0]),
            &mut moments,
            Update { step: 2, decay: 0.0, ..update },
        );
        // First moments: 0.095 / 0.19 and (-0.18 + 0.2) / 0.19; second moments both divided by 1 - 0.999².
        let second = -0.899 - 0.1 * (0.02 / 0.19) / 2.0;
        assert!((weights[0] - 0.799).abs() < 1e-5 && (weights[1] - second).abs() < 1e-5, "{weights:?}");
    }

    #[test]
    fn ranger_is_rectified_in_its_first_steps() {
        // The moving average has the lengths 1, 1.9995, ... 4.9960, 5.9942 in the first six steps; computed with 50 digits.
        assert_eq!((1..=5).map(|step| rectification(0.999, step)).collect::<Vec<_>>(), [None; 5]);
        let factor = |step| rectification(0.999, step).expect("long enough");
        assert!((factor(6) - 0.025_821).abs() < 1e-5, "{}", factor(6));
        assert!(factor(100) < factor(1_000) && (factor(100_000) - 1.0).abs() < 1e-3);
        let (mut weights, mut moments) = ([1.0], Moments::zeros(1));
        let update = Update { step: 1, rate: 0.1, decay: 0.01, limit: 1.98 };
        UpdateRule::Ranger.update(&mut weights, WeightGradient::rows(&[0.5]), &mut moments, update);
        assert!((weights[0] - (0.999_f32 - 0.1 * 0.5)).abs() < 1e-6, "{weights:?}");
    }

    #[test]
    fn weights_are_clipped_to_the_limit() {
        let mut weights = [1.97, -1.97];
        let mut moments = Moments::zeros(2);
        let update = Update { step: 1, rate: 0.5, decay: 0.0, limit: 1.98 };
        UpdateRule::AdamW.update(&mut weights, WeightGradient::rows(&[-1.0, 1.0]), &mut moments, update);
        assert!(weights.iter().all(|weight| (weight.abs() - 1.98).abs() < 1e-6), "{weights:?}");
    }

    #[test]
    fn a_weight_that_is_not_a_number_stays_so() {
        let (mut weights, mut moments) = ([1.0, 1.0], Moments::zeros(2));
        let update = Update { step: 1, rate: 0.5, decay: 0.0, limit: 1.98 };
        let gradients = [f32::NAN, 1.0];
        UpdateRule::AdamW.update(&mut weights, WeightGradient::rows(&gradients), &mut moments, update);
        assert!(weights[0].is_nan() && weights[1].is_finite(), "{weights:?}");
    }
}
