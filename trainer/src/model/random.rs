//! Random numbers that do not depend on how many threads draw them.
//!
//! A number is a hash of a seed and a counter, so that any thread can draw any of them. Starting weights and shuffles
//! come from a stream cipher seeded with a number of the run.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// What a random stream is for: streams of one seed differ by their purpose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Starting weights of a layer.
    Weights(u32),
    /// Order of the blocks in which an epoch reads its rows.
    Blocks(u32),
    /// Order of the rows in a window of an epoch.
    Shuffle {
        /// Which epoch.
        epoch: u32,
        /// Which of its windows; 0 when all rows are in memory.
        window: u32,
    },
    /// Which rows are mirrored in a window of an epoch.
    Mirror {
        /// Which epoch.
        epoch: u32,
        /// Which of its windows; 0 when all rows are in memory.
        window: u32,
    },
    /// Dropped neurons of a hidden layer in a step.
    Dropout {
        /// Which step, from the start of the training.
        step: u64,
        /// Which hidden layer.
        layer: u32,
    },
}

/// A number for a purpose, the same for the same seed on every machine.
pub fn derive(seed: u64, purpose: Purpose) -> u64 {
    let (kind, index) = match purpose {
        Purpose::Weights(layer) => (1, u64::from(layer)),
        Purpose::Shuffle { epoch, window } => (2, u64::from(window) << 32 | u64::from(epoch)),
        Purpose::Mirror { epoch, window } => (3, u64::from(window) << 32 | u64::from(epoch)),
        Purpose::Dropout { step, layer } => (4 + (u64::from(layer) << 8), step),
        Purpose::Blocks(epoch) => (5, u64::from(epoch)),
    };
    mix(mix(seed ^ mix(kind)) ^ index)
}

/// Spreads every bit of the input over the output; a bijection.
#[inline]
pub(crate) const fn mix(mut bits: u64) -> u64 {
    bits = bits.wrapping_add(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}

/// Numbers of a normal distribution with mean 0.
pub(crate) struct Normal {
    source: ChaCha8Rng,
    spare: Option<f64>,
}

impl Normal {
    pub(crate) fn new(seed: u64) -> Self {
        Self { source: ChaCha8Rng::seed_from_u64(seed), spare: None }
    }

    /// One with this standard deviation (Box and Muller's method).
    pub(crate) fn next(&mut self, deviation: f64) -> f32 {
        let standard = self.spare.take().unwrap_or_else(|| {
            let uniform = |bits: u64| ((bits >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
            let radius = (-2.0 * uniform(self.source.next_u64()).ln()).sqrt();
            let angle = std::f64::consts::TAU * uniform(self.source.next_u64());
            self.spare = Some(radius * angle.sin());
            radius * angle.cos()
        });
        (standard * deviation) as f32
    }
}

/// `0..count` in an order that the seed decides.
pub fn shuffled(count: u32, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count).collect();
    shuffle(&mut order, seed);
    order
}

/// Brings items into an order that the seed decides.
pub fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut source = ChaCha8Rng::seed_from_u64(seed);
    for last in (1..items.len()).rev() {
        // The high half of a product: uniform but for one part in 2³² of the range.
        let pick = (u128::from(source.next_u64()) * (last as u128 + 1)) >> 64;
        items.swap(last, pick as usize);
    }
}

/// Neurons left out of a layer in one step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Drop {
    seed: u64,
    threshold: u16,
    /// What the neurons that take part are multiplied by, so that the mean stays.
    pub(crate) kept: f32,
}

impl Drop {
    /// Neurons of a layer fall out with this probability (in steps of 1/65536); `seed` is the layer's and step's own.
    pub(crate) fn new(rate: f32, seed: u64) -> Self {
        let threshold = (rate * 65_536.0).min(65_535.0) as u16;
        Self { seed, threshold, kept: 1.0 / (1.0 - f32::from(threshold) / 65_536.0) }
    }

    /// Drops from a part of the layer's values that starts at place `first`, a multiple of 4.
    pub(crate) fn apply(self, values: &mut [f32], first: usize) {
        let first = first as u64 / 4;
        for (group, values) in values.chunks_mut(4).enumerate() {
            let bits = mix(self.seed.wrapping_add((first + group as u64).wrapping_mul(0xD1B5_4A32_D192_ED03)));
            for (lane, value) in values.iter_mut().enumerate() {
                let drawn = (bits >> (16 * lane)) as u16;
                *value *= if drawn < self.threshold { 0.0 } else { self.kept };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffle_is_a_permutation_that_the_seed_decides() {
        let order = shuffled(1000, 7);
        assert_eq!(order, shuffled(1000, 7));
        assert_ne!(order, shuffled(1000, 8));
        let mut sorted = order;
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..1000));
    }

    #[test]
    fn normal_numbers_have_the_deviation_asked_for() {
        let mut normal = Normal::new(1);
        let values: Vec<f64> = (0..20_000).map(|_| f64::from(normal.next(0.5))).collect();
        let mean = values.iter().sum::<f64>() / 20_000.0;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.02 && (variance.sqrt() - 0.5).abs() < 0.02, "{mean} {variance}");
    }

    #[test]
    fn the_share_asked_for_is_dropped_and_the_mean_stays() {
        let drop = Drop::new(0.2, 3);
        let mut values = vec![1.0; 100_001];
        drop.apply(&mut values, 0);
        let dropped = values.iter().filter(|&&value| value == 0.0).count();
        assert!((19_000..21_000).contains(&dropped), "{dropped}");
        assert!(values.iter().all(|&value| value == 0.0 || (value - 1.25).abs() < 1e-4));
        let mut part = vec![1.0; 500];
        drop.apply(&mut part, 2000);
        assert_eq!(part, values[2000..2500]);
    }

    #[test]
    fn purposes_have_different_streams() {
        let all = [
            Purpose::Weights(0),
            Purpose::Weights(1),
            Purpose::Blocks(0),
            Purpose::Shuffle { epoch: 0, window: 0 },
            Purpose::Shuffle { epoch: 0, window: 1 },
            Purpose::Mirror { epoch: 0, window: 0 },
            Purpose::Mirror { epoch: 0, window: 1 },
            Purpose::Dropout { step: 0, layer: 0 },
            Purpose::Dropout { step: 0, layer: 1 },
        ];
        let numbers: std::collections::HashSet<u64> = all.iter().map(|&purpose| derive(5, purpose)).collect();
        assert_eq!(numbers.len(), all.len());
    }
}
