//! The kernels of a training step, in `CubeCL`: one source for every graphics API.
//!
//! No kernel uses atomic operations, and every sum has a fixed order: the same seed on the same card gives the same network.
#![allow(
    clippy::collapsible_if,
    reason = "what is decided when a kernel is compiled is not mixed with what a unit decides"
)]
#![allow(clippy::manual_clamp, reason = "`CubeCL` has these two on every graphics API")]

pub(super) mod dense;
pub(super) mod first_layer;
pub(super) mod output;
pub(super) mod update;

use cubecl::prelude::*;

/// What becomes of the sums of a hidden layer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Finish {
    /// Nothing: the outputs of a linear model.
    Linear,
    Clipped,
    SquaredClipped,
    /// Products of the clipped halves of each accumulator.
    Pairs,
    /// Clipped sums, followed by their clipped squares.
    WithSquares,
}

/// Dropout of one layer in one step; the masks are those of [`LayerDropout`](crate::random::LayerDropout).
#[derive(CubeType, CubeLaunch, Clone, Copy)]
pub(super) struct Drop {
    /// The layer's seed, low and high half.
    pub(super) low: u32,
    pub(super) high: u32,
    /// A neuron whose 16-bit number is smaller is dropped.
    pub(super) threshold: u32,
    /// Factor of the others.
    pub(super) kept: f32,
}

/// Number `index` of a list of 16-bit numbers, two in a word.
#[cube]
pub(super) fn half_word(words: &[u32], index: usize) -> usize {
    let shift = (index % 2) as u32 * 16;
    ((words[index / 2] >> shift) & 0xFFFF) as usize
}

#[cube]
pub(super) fn clipped(sum: f32) -> f32 {
    sum.max(0.0).min(1.0)
}

/// The derivative of the clipped value.
#[cube]
pub(super) fn clipped_slope(sum: f32) -> f32 {
    select(sum > 0.0 && sum < 1.0, 1.0, 0.0)
}

/// A 64-bit number: not every graphics API has them.
#[derive(CubeType, Clone, Copy)]
struct Wide {
    low: u32,
    high: u32,
}

/// The low 64 bits of a product.
#[cube]
fn times(number: Wide, #[comptime] factor: u64) -> Wide {
    let low = comptime!(factor as u32);
    let high = comptime!((factor >> 32) as u32);
    Wide { low: number.low * low, high: number.low.mul_hi(low) + number.low * high + number.high * low }
}

#[cube]
fn plus(number: Wide, other: Wide) -> Wide {
    let low = number.low + other.low;
    Wide { low, high: number.high + other.high + select(low < other.low, 1, 0) }
}

/// `number ^ number >> shift`, with a shift of less than 32 bits.
#[cube]
fn folded(number: Wide, #[comptime] shift: u32) -> Wide {
    let rest = comptime!(32 - shift);
    let shifted = number.low >> shift | number.high << rest;
    Wide { low: number.low ^ shifted, high: number.high ^ number.high >> shift }
}

/// What dropout multiplies a neuron by, as [`RowDropout`](crate::random::RowDropout) does.
#[cube]
pub(super) fn drop_factor(drop: &Drop, row: usize, column: usize) -> f32 {
    let seed = Wide { low: drop.low, high: drop.high };
    let row = times(Wide { low: row as u32, high: 0u32 }, 0xD1B5_4A32_D192_ED03u64);
    // SplitMix64.
    let keys = plus(plus(seed, row), Wide { low: 0x7F4A_7C15u32, high: 0x9E37_79B9u32 });
    let keys = times(folded(keys, 30u32), 0xBF58_476D_1CE4_E5B9u64);
    let keys = folded(times(folded(keys, 27u32), 0x94D0_49BB_1331_11EBu64), 31u32);
    let bits = column as u32 ^ keys.low;
    let bits = (bits ^ bits >> 16) * 0x7FEB_352Du32 + keys.high;
    let bits = (bits ^ bits >> 15) * 0x846C_A68Bu32;
    select(bits >> 16 < drop.threshold, 0.0, drop.kept)
}
