//! The kernels with 256-bit vectors: a chunk is two registers. The accumulators are here, what follows them in `layers`.
#![allow(unsafe_code, reason = "loads, stores and entry into code for a processor feature")]
#![allow(clippy::needless_range_loop, reason = "`half` counts in several arrays at once")]
#![allow(clippy::wildcard_imports, reason = "a list of intrinsics would say what the code says")]

mod layers;

use core::arch::x86_64::*;

use super::Column;
use super::accumulators::accumulator_kernels;
use crate::inference::chunks::{Either, I8x64, I16x32, I32x16, U8x64, WeightChunk};
use crate::shape::quantisation::{ACCUMULATOR_SCALE, CLIPPED_SHIFT, FACTOR_SHIFT, SQUARED_SHIFT};

pub(super) use layers::{activate_twice, deep_dot, dense};

type Vector = __m256i;
type Sums = __m256i;
const PARTS: usize = 2;
const TILE: usize = 4;

macro_rules! load {
    ($name:ident, $chunk:ty, $half:ty) => {
        #[target_feature(enable = "avx2")]
        #[inline]
        fn $name(chunk: &$chunk, half: usize) -> __m256i {
            let half: &$half = &chunk.0.as_chunks().0[half];
            // SAFETY: the array is 32 bytes, and the reference says that it may be read; no alignment is assumed.
            unsafe { _mm256_loadu_si256(half.as_ptr().cast()) }
        }
    };
}
load!(load_i16, I16x32, [i16; 16]);
load!(load_u8, U8x64, [u8; 32]);
load!(load_i8, I8x64, [i8; 32]);
load!(load_i32, I32x16, [i32; 8]);

/// 16 weights of the first layer.
#[target_feature(enable = "avx2")]
#[inline]
fn load_weights<W: WeightChunk>(chunk: &W, half: usize) -> __m256i {
    match chunk.either() {
        Either::Narrow(chunk) => {
            let half: &[i8; 16] = &chunk.0.as_chunks().0[half];
            // SAFETY: the array is 16 bytes, and the reference says that it may be read; no alignment is assumed.
            _mm256_cvtepi8_epi16(unsafe { _mm_loadu_si128(half.as_ptr().cast()) })
        }
        Either::Wide(chunk) => load_i16(chunk, half),
    }
}

macro_rules! store {
    ($name:ident, $chunk:ty, $half:ty) => {
        #[target_feature(enable = "avx2")]
        #[inline]
        fn $name(chunk: &mut $chunk, half: usize, value: __m256i) {
            let half: &mut $half = &mut chunk.0.as_chunks_mut().0[half];
            // SAFETY: the array is 32 bytes, and the reference says that it may be written; no alignment is assumed.
            unsafe { _mm256_storeu_si256(half.as_mut_ptr().cast(), value) }
        }
    };
}
store!(store_i16, I16x32, [i16; 16]);
store!(store_u8, U8x64, [u8; 32]);
store!(store_i32, I32x16, [i32; 8]);

accumulator_kernels! {
    #[target_feature(enable = "avx2")]
    fn zero() -> Vector { _mm256_setzero_si256() }
    fn add(a: Vector, b: Vector) -> Vector { _mm256_add_epi16(a, b) }
    fn subtract(a: Vector, b: Vector) -> Vector { _mm256_sub_epi16(a, b) }
    fn multiply(a: Vector, b: Vector) -> Vector { _mm256_mullo_epi16(a, b) }
    fn clip(value: Vector) -> Vector { _mm256_min_epi16(_mm256_max_epi16(value, zero()), ceiling()) }
    fn ceiling() -> Vector { _mm256_set1_epi16(ACCUMULATOR_SCALE as i16) }
    fn zero_sums() -> Sums { _mm256_setzero_si256() }
    fn add_sums(a: Sums, b: Sums) -> Sums { _mm256_add_epi32(a, b) }
    fn add_products(sums: Sums, a: Vector, b: Vector) -> Sums { add_sums(sums, _mm256_madd_epi16(a, b)) }
    fn sum_of_lanes(sums: Sums) -> i32 {
        let four = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
        let one = _mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
        _mm_cvtsi128_si32(one)
    }
    fn scaled(value: Vector) -> Vector { _mm256_srli_epi16::<{ CLIPPED_SHIFT as i32 }>(value) }
    /// The square is at most 65025, an unsigned 16-bit number.
    fn squared(value: Vector) -> Vector { _mm256_srli_epi16::<{ SQUARED_SHIFT as i32 }>(multiply(value, value)) }
    /// A second factor below zero makes a product below zero, which becomes zero when it is packed.
    fn paired(first: Vector, second: Vector) -> Vector {
        let first = _mm256_slli_epi16::<{ FACTOR_SHIFT as i32 }>(first);
        _mm256_mulhrs_epi16(first, _mm256_min_epi16(second, ceiling()))
    }
}

/// Packs words of at most 127 as bytes, in order; those below zero as zero.
#[target_feature(enable = "avx2")]
#[inline]
fn store_bytes(target: &mut U8x64, half: usize, words: [Vector; 2]) {
    // The instruction packs within 128-bit lanes; the permutation brings the quarters back into order.
    let bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(words[0], words[1]));
    store_u8(target, half, bytes);
}
