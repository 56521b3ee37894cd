//! Random numbers that do not depend on the number of threads.
//!
//! A number is a hash of a seed and a counter, so any thread can compute any of them. Initial weights use a stream cipher
//! seeded with a number of the run.

use alfiere_chess::random::mix;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use wide::{f32x16, u32x16};

/// The purpose of a random stream: streams of one seed differ by purpose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Initial weights of a layer.
    Weights(u32),
    /// Order in which an epoch reads its blocks.
    Blocks(u32),
    /// Order of the rows in a window of an epoch.
    Shuffle {
        epoch: u32,
        /// Number of the window; 0 if all rows are in memory.
        window: u32,
    },
    /// Which rows of a window are mirrored.
    Mirror {
        epoch: u32,
        /// Number of the window; 0 if all rows are in memory.
        window: u32,
    },
    /// Dropout of a hidden layer in a step.
    Dropout {
        /// Number of the step, from the start of training.
        step: u64,
        /// Index of the hidden layer.
        layer: u32,
    },
}

/// Derives a seed for a purpose; deterministic on every machine.
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

/// Generates normally distributed numbers with mean 0.
pub(crate) struct Normal {
    source: ChaCha8Rng,
    spare: Option<f64>,
}

impl Normal {
    pub(crate) fn new(seed: u64) -> Self {
        Self { source: ChaCha8Rng::seed_from_u64(seed), spare: None }
    }

    /// The next number with this standard deviation (Box-Muller transform).
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

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct LayerDropout {
    pub(crate) seed: u64,
    pub(crate) threshold: u16,
    /// Factor that the remaining neurons are multiplied by, so that the mean is unchanged.
    pub(crate) kept: f32,
}

impl LayerDropout {
    /// Drops neurons with probability `rate` (in steps of 1/65536); `seed` is unique to the layer and step.
    pub(crate) fn new(rate: f32, seed: u64) -> Self {
        let threshold = (rate * 65_536.0).min(65_535.0) as u16;
        Self { seed, threshold, kept: 1.0 / (1.0 - f32::from(threshold) / 65_536.0) }
    }

    #[inline]
    pub(crate) fn row(self, row: usize) -> RowDropout {
        let keys = mix(self.seed.wrapping_add((row as u64).wrapping_mul(0xD1B5_4A32_D192_ED03)));
        RowDropout { keys: [keys as u32, (keys >> 32) as u32], threshold: self.threshold, kept: self.kept }
    }
}

/// The dropout mask of one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowDropout {
    keys: [u32; 2],
    threshold: u16,
    kept: f32,
}

impl RowDropout {
    /// Factors of columns `first..first + 16`.
    #[inline]
    pub(crate) fn factors(self, first: usize) -> f32x16 {
        // A bijection of 32 bits with good mixing (constants by C. Wellons), with one key before and one within.
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
    fn normal_numbers_have_the_requested_deviation() {
        let mut normal = Normal::new(1);
        let values: Vec<f64> = (0..20_000).map(|_| f64::from(normal.next(0.5))).collect();
        let mean = values.iter().sum::<f64>() / 20_000.0;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.02 && (variance.sqrt() - 0.5).abs() < 0.02, "{mean} {variance}");
    }

    #[test]
    fn dropout_has_the_requested_rate_and_keeps_the_mean() {
        let drop = LayerDropout::new(0.2, 3);
        let row = |row: usize| (0..1024).step_by(16).flat_map(move |first| drop.row(row).factors(first).to_array());
        let factors: Vec<f32> = (0..100).flat_map(row).collect();
        let dropped = factors.iter().filter(|&&factor| factor == 0.0).count() as f64;
        assert!((dropped / factors.len() as f64 - 0.2).abs() < 0.01, "{dropped}");
        assert!(factors.iter().all(|&factor| factor == 0.0 || (factor - 1.25).abs() < 1e-4));
        // Rows and columns are uncorrelated with their neighbours, and different layers have different masks.
        let agree =
            |others: Vec<f32>| factors.iter().zip(others).filter(|(a, b)| (**a - *b).abs() < 1e-6).count() as f64;
        for others in [
            (1..101).flat_map(row).collect(),
            factors[1..].to_vec(),
            (0..100)
                .flat_map(|row| LayerDropout::new(0.2, 4).row(row).factors(0).to_array().repeat(64))
                .collect::<Vec<f32>>(),
        ] {
            let share = agree(others) / factors.len() as f64;
            assert!((share - (0.64 + 0.04)).abs() < 0.02, "{share}");
        }
    }

    #[test]
    fn different_purposes_have_different_streams() {
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
