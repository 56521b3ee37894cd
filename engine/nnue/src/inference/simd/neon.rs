//! The kernels with 128-bit vectors of 64-bit ARM: a chunk is four registers. Every such processor has them.
#![allow(unsafe_code, reason = "loads, stores and entry into code for a processor feature")]
#![allow(clippy::needless_range_loop, reason = "`part` counts in several arrays at once")]
#![allow(clippy::wildcard_imports, reason = "a list of intrinsics would say what the code says")]

use core::arch::aarch64::*;

use super::accumulators::accumulator_kernels;
use super::{Column, DenseWeights};
use crate::inference::chunks::{Either, I8x64, I16x32, I32x16, U8x64, WeightChunk, sixteen};
use crate::shape::quantisation::{
    ACCUMULATOR_SCALE, CLIPPED_SHIFT, DENSE_ROOT_BITS, DENSE_SQUARE_FACTOR, DENSE_SQUARE_SHIFT, FACTOR_SHIFT,
    SQUARED_SHIFT, dense_sum_scale,
};

type Vector = int16x8_t;
type Sums = int32x4_t;
const PARTS: usize = 4;
const TILE: usize = 4;

macro_rules! load {
    ($name:ident, $chunk:ty, $quarter:ty, $vector:ty, $intrinsic:ident) => {
        #[target_feature(enable = "neon")]
        #[inline]
        fn $name(chunk: &$chunk, part: usize) -> $vector {
            let quarter: &$quarter = &chunk.0.as_chunks().0[part];
            // SAFETY: the array is 16 bytes, and the reference says that it may be read; no alignment is assumed.
            unsafe { $intrinsic(quarter.as_ptr()) }
        }
    };
}
load!(load_i16, I16x32, [i16; 8], int16x8_t, vld1q_s16);
load!(load_u8, U8x64, [u8; 16], uint8x16_t, vld1q_u8);
load!(load_i8, I8x64, [i8; 16], int8x16_t, vld1q_s8);
load!(load_i32, I32x16, [i32; 4], int32x4_t, vld1q_s32);

/// 8 weights of the first layer.
#[target_feature(enable = "neon")]
#[inline]
fn load_weights<W: WeightChunk>(chunk: &W, part: usize) -> int16x8_t {
    match chunk.either() {
        Either::Narrow(chunk) => {
            let quarter: &[i8; 8] = &chunk.0.as_chunks().0[part];
            // SAFETY: the array is 8 bytes, and the reference says that it may be read; no alignment is assumed.
            vmovl_s8(unsafe { vld1_s8(quarter.as_ptr()) })
        }
        Either::Wide(chunk) => load_i16(chunk, part),
    }
}

macro_rules! store {
    ($name:ident, $chunk:ty, $quarter:ty, $vector:ty, $intrinsic:ident) => {
        #[target_feature(enable = "neon")]
        #[inline]
        fn $name(chunk: &mut $chunk, part: usize, value: $vector) {
            let quarter: &mut $quarter = &mut chunk.0.as_chunks_mut().0[part];
            // SAFETY: the array is 16 bytes, and the reference says that it may be written; no alignment is assumed.
            unsafe { $intrinsic(quarter.as_mut_ptr(), value) }
        }
    };
}
store!(store_i16, I16x32, [i16; 8], int16x8_t, vst1q_s16);
store!(store_u8, U8x64, [u8; 16], uint8x16_t, vst1q_u8);
store!(store_i32, I32x16, [i32; 4], int32x4_t, vst1q_s32);

accumulator_kernels! {
    #[target_feature(enable = "neon")]
    fn zero() -> Vector { vdupq_n_s16(0) }
    fn add(a: Vector, b: Vector) -> Vector { vaddq_s16(a, b) }
    fn subtract(a: Vector, b: Vector) -> Vector { vsubq_s16(a, b) }
    fn multiply(a: Vector, b: Vector) -> Vector { vmulq_s16(a, b) }
    fn clip(value: Vector) -> Vector { vminq_s16(vmaxq_s16(value, zero()), vdupq_n_s16(ACCUMULATOR_SCALE as i16)) }
    fn zero_sums() -> Sums { vdupq_n_s32(0) }
    fn add_sums(a: Sums, b: Sums) -> Sums { vaddq_s32(a, b) }
    /// The products of both halves into one vector of four sums.
    fn add_products(sums: Sums, a: Vector, b: Vector) -> Sums {
        vmlal_high_s16(vmlal_s16(sums, vget_low_s16(a), vget_low_s16(b)), a, b)
    }
    fn sum_of_lanes(sums: Sums) -> i32 { vaddvq_s32(sums) }
    fn scaled(value: Vector) -> Vector { vshrq_n_s16::<{ CLIPPED_SHIFT as i32 }>(value) }
    /// The square is at most 65025, an unsigned 16-bit number.
    fn squared(value: Vector) -> Vector {
        let square = vreinterpretq_u16_s16(multiply(value, value));
        vreinterpretq_s16_u16(vshrq_n_u16::<{ SQUARED_SHIFT as i32 }>(square))
    }
    fn paired(first: Vector, second: Vector) -> Vector {
        vqrdmulhq_s16(vshlq_n_s16::<{ FACTOR_SHIFT as i32 }>(first), clip(second))
    }
}

#[target_feature(enable = "neon")]
#[inline]
fn store_bytes(target: &mut U8x64, part: usize, words: [Vector; 2]) {
    let [low, high] = words.map(|words| vmovn_u16(vreinterpretq_u16_s16(words)));
    store_u8(target, part, vcombine_u8(low, high));
}

#[target_feature(enable = "neon")]
pub(super) fn dense(input: &[U8x64], layer: DenseWeights<'_>, target: &mut [I32x16]) {
    let blocks = target.len();
    let mut start = 0;
    while start < blocks {
        start += if blocks - start == 1 {
            dense_tile::<1>(input, layer, target, start)
        } else {
            dense_tile::<2>(input, layer, target, start)
        };
    }
}

/// `N` blocks of outputs from `start`. Groups of four zeros are skipped.
#[target_feature(enable = "neon")]
#[inline]
fn dense_tile<const N: usize>(input: &[U8x64], layer: DenseWeights<'_>, target: &mut [I32x16], start: usize) -> usize {
    let blocks = target.len();
    let mut sums = [[zero_sums(); 4]; N];
    for (sums, bias) in sums.iter_mut().zip(&layer.bias[start..][..N]) {
        for part in 0..4 {
            sums[part] = load_i32(bias, part);
        }
    }
    let groups = input.iter().flat_map(|chunk| chunk.0.as_chunks::<4>().0);
    for (group, row) in groups.zip(layer.weights.chunks_exact(blocks)) {
        let four = i32::from_le_bytes(*group);
        if four == 0 {
            continue;
        }
        for (sums, weights) in sums.iter_mut().zip(&row[start..][..N]) {
            add_group(sums, four, weights);
        }
    }
    for (sums, target) in sums.iter().zip(&mut target[start..][..N]) {
        for part in 0..4 {
            store_i32(target, part, sums[part]);
        }
    }
    N
}

/// `sums + input * weights` of four inputs and sixteen outputs.
#[target_feature(enable = "neon")]
#[inline]
fn add_group(sums: &mut [Sums; 4], four: i32, weights: &I8x64) {
    // At most 127 each, so that they are the same numbers with a sign.
    let four = vreinterpretq_s8_s32(vdupq_n_s32(four));
    for part in 0..4 {
        let weights = load_i8(weights, part);
        let low = vmull_s8(vget_low_s8(four), vget_low_s8(weights));
        let high = vmull_high_s8(four, weights);
        // Two products of at most 127 * 128 fit into 16 bits.
        sums[part] = vpadalq_s16(sums[part], vpaddq_s16(low, high));
    }
}

#[target_feature(enable = "neon")]
pub(super) fn activate_twice(bits: u32, sums: &[I32x16], target: &mut [U8x64]) {
    let blocks = sums.len();
    for (block, sums) in sums.iter().enumerate() {
        let sums = [0, 1, 2, 3].map(|part| load_i32(sums, part));
        store_sixteen(sixteen(target, block), sums.map(|sum| clipped_activation(sum, bits)));
        store_sixteen(sixteen(target, blocks + block), sums.map(|sum| squared_activation(vabsq_s32(sum), bits)));
    }
}

/// Sixteen numbers of 0 to 127 as bytes.
#[target_feature(enable = "neon")]
#[inline]
fn store_sixteen(target: &mut [u8; 16], numbers: [Sums; 4]) {
    let [a, b, c, d] = numbers.map(|four| vreinterpret_u16_s16(vmovn_s32(four)));
    let bytes = vcombine_u8(vmovn_u16(vcombine_u16(a, b)), vmovn_u16(vcombine_u16(c, d)));
    // SAFETY: the array is 16 bytes, and the reference says that it may be written; no alignment is assumed.
    unsafe { vst1q_u8(target.as_mut_ptr(), bytes) };
}

#[target_feature(enable = "neon")]
pub(super) fn deep_dot(input: &[U8x64], weights: &[I16x32]) -> i32 {
    let mut sums = [zero_sums(); 4];
    for (input, weights) in input.iter().zip(weights.as_chunks::<2>().0) {
        for part in 0..4 {
            let bytes = load_u8(input, part);
            let low = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(bytes)));
            let high = vreinterpretq_s16_u16(vmovl_high_u8(bytes));
            let weights = &weights[part / 2];
            sums[part] = add_products(sums[part], low, load_i16(weights, part % 2 * 2));
            sums[part] = add_products(sums[part], high, load_i16(weights, part % 2 * 2 + 1));
        }
    }
    sum_of_chains(sums)
}

/// A sum clipped to the integer range of 0 to 1.
#[target_feature(enable = "neon")]
#[inline]
fn clipped_sum(sum: int32x4_t, bits: u32) -> int32x4_t {
    vminq_s32(vmaxq_s32(sum, vdupq_n_s32(0)), vdupq_n_s32(dense_sum_scale(bits)))
}

#[target_feature(enable = "neon")]
#[inline]
fn clipped_activation(sum: int32x4_t, bits: u32) -> int32x4_t {
    let rounded = vaddq_s32(clipped_sum(sum, bits), vdupq_n_s32(1 << (bits - 1)));
    vshlq_s32(rounded, vdupq_n_s32(-(bits as i32)))
}

#[target_feature(enable = "neon")]
#[inline]
fn squared_activation(sum: int32x4_t, bits: u32) -> int32x4_t {
    let root = vshlq_s32(clipped_sum(sum, bits), vdupq_n_s32(-((bits - DENSE_ROOT_BITS) as i32)));
    let square = vmulq_s32(vmulq_s32(root, root), vdupq_n_s32(DENSE_SQUARE_FACTOR));
    vshrq_n_s32::<{ DENSE_SQUARE_SHIFT as i32 }>(vaddq_s32(square, vdupq_n_s32(1 << (DENSE_SQUARE_SHIFT - 1))))
}
