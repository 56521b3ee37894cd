//! Random numbers that do not depend on how many threads draw them.
//!
//! A number is a hash of a seed and a counter, so that any thread can draw any of them. Starting weights and shuffles
//! come from a stream cipher seeded with a number of the run.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use wide::{f32x16, u32x16};

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

    /// The draw for one row of the layer's values.
    #[inline]
    pub(crate) fn row(self, row: usize) -> RowDrop {
        let keys = mix(self.seed.wrapping_add((row as u64).wrapping_mul(0xD1B5_4A32_D192_ED03)));
        RowDrop { keys: [keys as u32, (keys >> 32) as u32], threshold: self.threshold, kept: self.kept }
    }
}

/// Neurons left out for one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowDrop {
    keys: [u32; 2],
    threshold: u16,
    kept: f32,
}

impl RowDrop {
    /// What the columns `first..first + 16` are multiplied by.
    #[inline]
    pub(crate) fn factors(self, first: usize) -> f32x16 {
        // A bijection of 32 bits that spreads them well (found by C. Wellons), with a key before and one within.
        let mut bits = (u32x16::splat(first as u32) + u32x16::new(std::array::from_fn(|lane| lane as u32)))
            ^ u32x16::splat(self.keys[0]);
        bits = (bits ^ bits >> 16) * u32x16::splat(0x7FEB_352D) + u32x16::splat(self.keys[1]);
        bits = (bits ^ bits >> 15) * u32x16::splat(0x846C_A68B);
        let drawn: u32x16 = bits >> 16;
        drawn.simd_lt(u32x16::splat(u32::from(self.threshold))).select(f32x16::ZERO, f32x16::splat(self.kept))
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
        let row = |row: usize| (0..1024).step_by(16).flat_map(move |first| drop.row(row).factors(first).to_array());
        let factors: Vec<f32> = (0..100).flat_map(row).collect();
        let dropped = factors.iter().filter(|&&factor| factor == 0.0).count() as f64;
        assert!((dropped / factors.len() as f64 - 0.2).abs() < 0.01, "{dropped}");
        assert!(factors.iter().all(|&factor| factor == 0.0 || (factor - 1.25).abs() < 1e-4));
        // Neither a row nor a column is like its neighbour, and another layer's draw is another one.
        let agree =
            |others: Vec<f32>| factors.iter().zip(others).filter(|(a, b)| (**a - *b).abs() < 1e-6).count() as f64;
        for others in [
            (1..101).flat_map(row).collect(),
            factors[1..].to_vec(),
            (0..100).flat_map(|row| Drop::new(0.2, 4).row(row).factors(0).to_array().repeat(64)).collect::<Vec<f32>>(),
        ] {
            let share = agree(others) / factors.len() as f64;
            assert!((share - (0.64 + 0.04)).abs() < 0.02, "{share}");
        }
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
