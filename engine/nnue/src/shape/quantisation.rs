//! The numbers of the integer network: every scale, limit and rounding, in one place.
//!
//! A value `v` of the float network is the integer `round(v * scale)` here:
//!
//! | value | type | scale |
//! |---|---|---|
//! | accumulator and its bias | i16 | [`ACCUMULATOR_SCALE`] |
//! | weights of the accumulator | i16, i8 where all of them fit | [`ACCUMULATOR_SCALE`] |
//! | activation of a network with one hidden layer | i16, 0 to 255 | [`ACCUMULATOR_SCALE`] (squared on the fly) |
//! | activation of a deeper network | u8, 0 to 127 | [`ACTIVATION_SCALE`] |
//! | weights of the dense layers between | i8 | 2^n, n the largest of [`WEIGHT_BITS`] that fits |
//! | weights of the output layer | i16 | the same |
//! | weights of a linear model | i32 | 2^[`LINEAR_BITS`] |
//!
//! Biases have the scale of their layer's sums. Floats are rounded to the nearest integer, halves away from zero.

use std::ops::RangeInclusive;

use crate::shape::architecture::{Activation, Architecture};

/// Accumulator units per 1.0; also the clip of its activation.
pub const ACCUMULATOR_SCALE: i32 = 255;
/// Units per 1.0 of the u8 activations, and their greatest value: two products with i8 weights fit into 16 bits.
pub const ACTIVATION_SCALE: i32 = 127;
/// Shift from a clipped accumulator value (0 to 255) to a u8 activation.
pub const CLIPPED_SHIFT: u32 = 1;
/// Shift from its square, or the product of two (0 to 65025), to a u8 activation.
pub const SQUARED_SHIFT: u32 = 9;
/// Shift of one factor with which a product's upper half, rounded, is its activation: vectors have such an instruction, it
/// shifts by 15.
pub const FACTOR_SHIFT: u32 = 15 - SQUARED_SHIFT;
/// The scales that the weights of a layer behind the first may have, as powers of two; the quantiser takes for each
/// layer the largest with which every weight fits its type and no sum overflows.
pub const WEIGHT_BITS: RangeInclusive<u32> = 6..=12;
/// Weights and sums of a linear model have scale `2^16`.
pub const LINEAR_BITS: u32 = 16;
/// Parts of a centipawn in which a file gives its output scale.
pub const OUTPUT_SCALE_PARTS: u32 = 256;
/// The greatest output scale, in centipawns per output unit.
pub const MAX_OUTPUT_SCALE: f32 = 65536.0;

/// The squared dense activation sees its argument with this many bits more than a u8 activation has: 0 to 508.
pub const DENSE_ROOT_BITS: u32 = 2;
/// `508² * 129 / 2^18` is 127: the factor and the shift of the squared dense activation.
pub const DENSE_SQUARE_FACTOR: i32 = 129;
/// See [`DENSE_SQUARE_FACTOR`].
pub const DENSE_SQUARE_SHIFT: u32 = 18;

/// Greatest absolute weight and bias of the first layer that a trainer should allow: with it no accumulator overflows,
/// whatever the position (34 terms of `3.75 * 255`). The quantiser accepts more where it can prove that it is safe.
pub const ACCUMULATOR_LIMIT: f32 = 3.75;
/// Greatest absolute weight of a first layer with 8-bit weights, which halves the memory read for each move. Trainers
/// should keep to it if there are layers after the accumulator and the architecture is not [`Architecture::wide`]. A
/// network of few rows hardly needs more: 2 of 1000 weights of a `dual [512,16,32]` trained without it were greater.
pub const NARROW_LIMIT: f32 = i8::MAX as f32 / ACCUMULATOR_SCALE as f32;
/// Scale `2^7` of an i8 layer fits all weights that a trainer should allow. Its rounding is half as coarse as that of the
/// `2^6` that fits weights up to 2; a trained `dual [512,16,32]` had 3 of its 16,896 weights beyond it.
const DENSE_BITS: u32 = 7;
/// Greatest absolute weight of an i8 layer.
pub const DENSE_LIMIT: f32 = i8::MAX as f32 / (1 << DENSE_BITS) as f32;
/// Greatest absolute weight of the output layer behind a squared accumulator: activation times weight must fit into 16 bits.
pub const SQUARED_OUTPUT_LIMIT: f32 = 127.0 / 64.0;
/// Greatest absolute weight of the other output layers.
pub const OUTPUT_LIMIT: f32 = 8.0;
/// Greatest absolute weight and bias of a linear model.
pub const LINEAR_LIMIT: f32 = 256.0;
/// Greatest absolute bias of all layers but the first.
pub const BIAS_LIMIT: f32 = 64.0;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayerKind {
    Linear,
    /// The inputs to the accumulator.
    Accumulator,
    /// u8 to u8, i8 weights.
    Dense,
    /// Output of a network with one hidden layer.
    ShallowOutput,
    /// Output of a deeper network.
    DeepOutput,
}

impl LayerKind {
    pub fn of(architecture: &Architecture, layer: usize) -> Self {
        match (architecture.hidden.len(), layer) {
            (0, _) => Self::Linear,
            (_, 0) => Self::Accumulator,
            (hidden, layer) if layer < hidden => Self::Dense,
            (1, _) => Self::ShallowOutput,
            _ => Self::DeepOutput,
        }
    }
}

/// The greatest absolute weight a trainer should allow in a layer (counted from 0): it should clip to this after each
/// step, and the quantiser will then find every weight representable.
pub fn weight_limit(architecture: &Architecture, layer: usize) -> f32 {
    match (LayerKind::of(architecture, layer), architecture.activation) {
        (LayerKind::Linear, _) => LINEAR_LIMIT,
        (_, activation) if !activation.has_integers() => LINEAR_LIMIT,
        (LayerKind::Accumulator, _) if architecture.hidden.len() > 1 && !architecture.wide => NARROW_LIMIT,
        (LayerKind::Accumulator, _) => ACCUMULATOR_LIMIT,
        (LayerKind::Dense, _) => DENSE_LIMIT,
        (LayerKind::ShallowOutput, Activation::SquaredClippedRelu) => SQUARED_OUTPUT_LIMIT,
        (LayerKind::ShallowOutput | LayerKind::DeepOutput, _) => OUTPUT_LIMIT,
    }
}

/// The step of which the weights of a layer (counted from 0) should be multiples, so that the integer network
/// represents them exactly: the step of an i8 layer. `None` where rounding is negligible. The biases of an accumulator
/// have the same step as its weights.
pub fn weight_step(architecture: &Architecture, layer: usize) -> Option<f32> {
    if !architecture.activation.has_integers() {
        return None;
    }
    match LayerKind::of(architecture, layer) {
        LayerKind::Accumulator if architecture.hidden.len() > 1 || architecture.pairwise => {
            Some(1.0 / ACCUMULATOR_SCALE as f32)
        }
        LayerKind::Dense => Some(1.0 / (1 << DENSE_BITS) as f32),
        _ => None,
    }
}

/// The greatest absolute bias a trainer should allow in a layer (counted from 0).
pub fn bias_limit(architecture: &Architecture, layer: usize) -> f32 {
    match LayerKind::of(architecture, layer) {
        LayerKind::Linear => LINEAR_LIMIT,
        LayerKind::Accumulator => ACCUMULATOR_LIMIT,
        LayerKind::Dense | LayerKind::ShallowOutput | LayerKind::DeepOutput => BIAS_LIMIT,
    }
}

/// Integer sum of a dense layer that stands for 1.0, with weights of scale `2^weight_bits`.
#[inline]
pub const fn dense_sum_scale(weight_bits: u32) -> i32 {
    ACTIVATION_SCALE << weight_bits
}

/// Integer sum of the output layer that stands for 1.0, with output weights of scale `2^weight_bits` (without meaning
/// for a linear model).
pub fn output_sum_scale(architecture: &Architecture, weight_bits: u32) -> i64 {
    let one = match (architecture.hidden.len(), architecture.activation) {
        (0, _) => return 1 << LINEAR_BITS,
        (1, Activation::SquaredClippedRelu) => i64::from(ACCUMULATOR_SCALE * ACCUMULATOR_SCALE),
        (1, _) => i64::from(ACCUMULATOR_SCALE),
        _ => i64::from(ACTIVATION_SCALE),
    };
    one << weight_bits
}

/// A clipped accumulator value (0 to 255) as the u8 activation of a deeper network.
#[inline]
pub const fn accumulator_activation(activation: Activation, clipped: i32) -> u8 {
    match activation {
        Activation::SquaredClippedRelu => ((clipped * clipped) >> SQUARED_SHIFT) as u8,
        _ => (clipped >> CLIPPED_SHIFT) as u8,
    }
}

/// The product of two clipped accumulator values (0 to 255 each) as the u8 activation of a deeper network, to the nearest.
#[inline]
pub const fn pair_activation(first: i32, second: i32) -> u8 {
    ((first * second + (1 << (SQUARED_SHIFT - 1))) >> SQUARED_SHIFT) as u8
}

/// The sum of a dense layer with weights of scale `2^weight_bits` as its u8 activation.
#[inline]
pub fn dense_activation(activation: Activation, sum: i32, weight_bits: u32) -> u8 {
    let clipped = sum.clamp(0, dense_sum_scale(weight_bits));
    match activation {
        Activation::SquaredClippedRelu => {
            let root = clipped >> (weight_bits - DENSE_ROOT_BITS);
            ((root * root * DENSE_SQUARE_FACTOR + (1 << (DENSE_SQUARE_SHIFT - 1))) >> DENSE_SQUARE_SHIFT) as u8
        }
        _ => ((clipped + (1 << (weight_bits - 1))) >> weight_bits) as u8,
    }
}

/// The clipped square `clip(x², 0, 1)` of a dense layer's sum with weights of scale `2^weight_bits` as a u8 activation. It
/// depends on the size of negative sums, too.
#[inline]
pub fn dense_square(sum: i32, weight_bits: u32) -> u8 {
    dense_activation(Activation::SquaredClippedRelu, sum.wrapping_abs(), weight_bits)
}

/// A dense layer's sum with weights of scale `2^from` at the scale of an output layer with weights of scale `2^to`.
#[inline]
pub const fn skipped_sum(sum: i32, from: u32, to: u32) -> i32 {
    if from <= to { sum << (to - from) } else { sum >> (from - to) }
}

/// The greatest output weight whose product with a clipped accumulator value fits into 16 bits.
pub const fn max_squared_weight() -> i64 {
    i16::MAX as i64 / ACCUMULATOR_SCALE as i64
}

/// An output sum in centipawns: `sum / sum_scale` output units of `scale_parts / 256` centipawns each, to the nearest
/// centipawn, halves away from zero.
#[inline]
pub const fn centipawns(sum: i32, sum_scale: i64, scale_parts: u32) -> i32 {
    let numerator = sum as i64 * scale_parts as i64;
    let denominator = sum_scale * OUTPUT_SCALE_PARTS as i64;
    let rounded = (numerator.abs() + denominator / 2) / denominator;
    let bounded = if rounded > i32::MAX as i64 { i32::MAX } else { rounded as i32 };
    if numerator < 0 { -bounded } else { bounded }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_the_greatest_activation() {
        for activation in [Activation::ClippedRelu, Activation::SquaredClippedRelu] {
            assert_eq!(accumulator_activation(activation, 255), 127);
            assert_eq!(accumulator_activation(activation, 0), 0);
            for bits in WEIGHT_BITS {
                assert_eq!(dense_activation(activation, dense_sum_scale(bits), bits), 127);
                assert_eq!(dense_activation(activation, i32::MAX, bits), 127);
                assert_eq!(dense_activation(activation, i32::MIN, bits), 0);
            }
        }
    }

    #[test]
    fn products_are_rounded() {
        for first in 0..=255 {
            for second in 0..=255 {
                let float = f64::from(first) / 255.0 * f64::from(second) / 255.0 * 127.0;
                let found = f64::from(pair_activation(first, second));
                assert!((found - float).abs() <= 0.51, "{first} {second}: {found}, {float}");
            }
        }
        assert_eq!(pair_activation(255, 255), 127);
    }

    #[test]
    fn activations_follow_the_float_functions() {
        for activation in [Activation::ClippedRelu, Activation::SquaredClippedRelu] {
            for clipped in 0..=255 {
                let float = activation.apply(clipped as f32 / 255.0) * 127.0;
                assert!((f32::from(accumulator_activation(activation, clipped)) - float).abs() <= 1.01);
            }
            for bits in WEIGHT_BITS {
                for sum in 0..=dense_sum_scale(bits) {
                    let float = activation.apply(sum as f32 / dense_sum_scale(bits) as f32) * 127.0;
                    assert!((f32::from(dense_activation(activation, sum, bits)) - float).abs() <= 1.01, "{sum}");
                }
            }
        }
    }

    #[test]
    fn squares_follow_the_float_function_on_both_sides() {
        for bits in WEIGHT_BITS {
            for sum in -2 * dense_sum_scale(bits)..=2 * dense_sum_scale(bits) {
                let float = (sum as f32 / dense_sum_scale(bits) as f32).powi(2).min(1.0) * 127.0;
                assert!((f32::from(dense_square(sum, bits)) - float).abs() <= 1.01, "{sum}");
            }
            assert_eq!([-i32::MAX, i32::MAX].map(|sum| dense_square(sum, bits)), [127; 2]);
        }
    }

    #[test]
    fn centipawns_round_to_nearest_away_from_zero() {
        let scale = 100 * OUTPUT_SCALE_PARTS;
        assert_eq!(centipawns(1, 200, scale), 1);
        assert_eq!(centipawns(-1, 200, scale), -1);
        assert_eq!(centipawns(1, 201, scale), 0);
        assert_eq!(centipawns(-3000, 1000, scale), -300);
        assert_eq!(centipawns(i32::MIN, 1, u32::MAX), -i32::MAX);
    }

    #[test]
    fn the_first_layers_limit_suffices() {
        let largest = (ACCUMULATOR_LIMIT * ACCUMULATOR_SCALE as f32).round();
        assert!(largest * 34.0 <= f32::from(i16::MAX));
    }
}
