//! The kernels with 512-bit vectors: a chunk is a register. Needs AVX-512 F, BW and VNNI.
//!
//! The accumulators are here, what follows them in `layers`.
#![allow(unsafe_code, reason = "loads, stores and entry into code for a processor feature")]
#![allow(clippy::modulo_one, reason = "a chunk has one part here, others have more")]
#![allow(clippy::wildcard_imports, reason = "a list of intrinsics would say what the code says")]

mod layers;

use core::arch::x86_64::*;

use super::Column;
use super::accumulators::accumulator_kernels;
use crate::inference::chunks::{Either, I8x64, I16x32, I32x16, U8x64, WeightChunk};
use crate::shape::quantisation::{ACCUMULATOR_SCALE, CLIPPED_SHIFT, FACTOR_SHIFT, SQUARED_SHIFT};

pub(super) use layers::{activate_twice, deep_dot, dense};

type Vector = __m512i;
type Sums = __m512i;
const PARTS: usize = 1;
const TILE: usize = 16;

macro_rules! load {
    ($name:ident, $chunk:ty) => {
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn $name(chunk: &$chunk, _part: usize) -> __m512i {
            // SAFETY: a chunk is 64 bytes on a 64-byte boundary, and the reference says that it may be read.
            unsafe { _mm512_load_si512(std::ptr::from_ref(chunk).cast()) }
        }
    };
}
load!(load_i16, I16x32);
load!(load_u8, U8x64);
load!(load_i8, I8x64);
load!(load_i32, I32x16);

/// 32 weights of the first layer.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn load_weights<W: WeightChunk>(chunk: &W, part: usize) -> __m512i {
    match chunk.either() {
        // SAFETY: a narrow chunk is 32 bytes on a 32-byte boundary, and the reference says that it may be read.
        Either::Narrow(chunk) => _mm512_cvtepi8_epi16(unsafe { _mm256_load_si256(std::ptr::from_ref(chunk).cast()) }),
        Either::Wide(chunk) => load_i16(chunk, part),
    }
}

macro_rules! store {
    ($name:ident, $chunk:ty) => {
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn $name(chunk: &mut $chunk, _part: usize, value: __m512i) {
            // SAFETY: a chunk is 64 bytes on a 64-byte boundary, and the reference says that it may be written.
            unsafe { _mm512_store_si512(std::ptr::from_mut(chunk).cast(), value) }
        }
    };
}
store!(store_i16, I16x32);
store!(store_i32, I32x16);

accumulator_kernels! {
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    fn zero() -> Vector { _mm512_setzero_si512() }
    fn add(a: Vector, b: Vector) -> Vector { _mm512_add_epi16(a, b) }
    fn subtract(a: Vector, b: Vector) -> Vector { _mm512_sub_epi16(a, b) }
    fn multiply(a: Vector, b: Vector) -> Vector { _mm512_mullo_epi16(a, b) }
    fn clip(value: Vector) -> Vector { _mm512_min_epi16(_mm512_max_epi16(value, zero()), ceiling()) }
    fn ceiling() -> Vector { _mm512_set1_epi16(ACCUMULATOR_SCALE as i16) }
    fn zero_sums() -> Sums { _mm512_setzero_si512() }
    fn add_sums(a: Sums, b: Sums) -> Sums { _mm512_add_epi32(a, b) }
    fn add_products(sums: Sums, a: Vector, b: Vector) -> Sums { _mm512_dpwssd_epi32(sums, a, b) }
    fn sum_of_lanes(sums: Sums) -> i32 { _mm512_reduce_add_epi32(sums) }
    fn scaled(value: Vector) -> Vector { _mm512_srli_epi16::<CLIPPED_SHIFT>(value) }
    /// The square is at most 65025, an unsigned 16-bit number.
    fn squared(value: Vector) -> Vector { _mm512_srli_epi16::<SQUARED_SHIFT>(multiply(value, value)) }
    /// A second factor below zero makes a product below zero, which becomes zero when it is packed.
    fn paired(first: Vector, second: Vector) -> Vector {
        _mm512_mulhrs_epi16(_mm512_slli_epi16::<FACTOR_SHIFT>(first), _mm512_min_epi16(second, ceiling()))
    }
}

/// 64 words as bytes, those below zero as zero.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn store_bytes(target: &mut U8x64, _part: usize, words: [__m512i; 2]) {
    // The instruction packs within 128-bit lanes; the permutation brings the eighths back into order.
    let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    let bytes = _mm512_permutexvar_epi64(order, _mm512_packus_epi16(words[0], words[1]));
    // SAFETY: a chunk is 64 bytes on a 64-byte boundary, and the reference says that it may be written.
    unsafe { _mm512_store_si512(std::ptr::from_mut(target).cast(), bytes) }
}
