//! The kernels with 256-bit vectors: a chunk is two registers. The accumulators are here, what follows them in `layers`.
#![allow(unsafe_code, reason = "loads, stores and entry into code for a processor feature")]
#![allow(clippy::needless_range_loop, reason = "`half` counts in several arrays at once")]
#![allow(clippy::wildcard_imports, reason = "a list of intrinsics would say what the code says")]

mod layers;

use core::arch::x86_64::*;

use super::Column;
use crate::chunks::{Either, I8x64, I16x32, I32x16, U8x64, WeightChunk};
use crate::quantisation::{ACCUMULATOR_SCALE, CLIPPED_SHIFT, FACTOR_SHIFT, SQUARED_SHIFT};

pub(super) use layers::{activate_twice, deep_dot, dense, last_layers_clipped, last_layers_squared};

/// Accumulator chunks that a refresh keeps in registers.
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

#[target_feature(enable = "avx2")]
pub(super) fn update<W: WeightChunk, const A: usize, const R: usize>(
    target: &mut [I16x32],
    source: &[I16x32],
    added: [&[W]; A],
    removed: [&[W]; R],
) {
    let length = target.len();
    let source = &source[..length];
    let added = added.map(|row| &row[..length]);
    let removed = removed.map(|row| &row[..length]);
    for index in 0..length {
        for half in 0..2 {
            let mut sum = load_i16(&source[index], half);
            for row in added {
                sum = _mm256_add_epi16(sum, load_weights(&row[index], half));
            }
            for row in removed {
                sum = _mm256_sub_epi16(sum, load_weights(&row[index], half));
            }
            store_i16(&mut target[index], half, sum);
        }
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn refresh<W: WeightChunk>(
    accumulator: &mut [I16x32],
    copy: &mut [I16x32],
    weights: &[W],
    added: &[u16],
    removed: &[u16],
) {
    let length = accumulator.len();
    let mut start = 0;
    while start + TILE <= length {
        refresh_tile::<W, TILE>(accumulator, copy, weights, added, removed, start);
        start += TILE;
    }
    while start < length {
        refresh_tile::<W, 1>(accumulator, copy, weights, added, removed, start);
        start += 1;
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn refresh_tile<W: WeightChunk, const N: usize>(
    accumulator: &mut [I16x32],
    copy: &mut [I16x32],
    weights: &[W],
    added: &[u16],
    removed: &[u16],
    start: usize,
) {
    let length = accumulator.len();
    let mut sums = [[_mm256_setzero_si256(); 2]; N];
    for (sums, before) in sums.iter_mut().zip(&accumulator[start..][..N]) {
        *sums = [load_i16(before, 0), load_i16(before, 1)];
    }
    for &feature in added {
        let row = &weights[usize::from(feature) * length + start..][..N];
        for (sums, row) in sums.iter_mut().zip(row) {
            sums[0] = _mm256_add_epi16(sums[0], load_weights(row, 0));
            sums[1] = _mm256_add_epi16(sums[1], load_weights(row, 1));
        }
    }
    for &feature in removed {
        let row = &weights[usize::from(feature) * length + start..][..N];
        for (sums, row) in sums.iter_mut().zip(row) {
            sums[0] = _mm256_sub_epi16(sums[0], load_weights(row, 0));
            sums[1] = _mm256_sub_epi16(sums[1], load_weights(row, 1));
        }
    }
    for target in [accumulator, copy] {
        for (target, sums) in target[start..][..N].iter_mut().zip(&sums) {
            store_i16(target, 0, sums[0]);
            store_i16(target, 1, sums[1]);
        }
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn sum<C: Column>(accumulator: &[I16x32], column: C, chunk: usize, half: usize) -> __m256i {
    let value = load_i16(&accumulator[chunk], half);
    match column.chunk(chunk) {
        Some(column) => _mm256_add_epi16(value, load_i16(column, half)),
        None => value,
    }
}

/// `clip(accumulator + column, 0, 255)` of one half of a chunk.
#[target_feature(enable = "avx2")]
#[inline]
fn clipped<C: Column>(accumulator: &[I16x32], column: C, chunk: usize, half: usize) -> __m256i {
    let floor = _mm256_max_epi16(sum(accumulator, column, chunk, half), _mm256_setzero_si256());
    _mm256_min_epi16(floor, _mm256_set1_epi16(ACCUMULATOR_SCALE as i16))
}

#[target_feature(enable = "avx2")]
pub(super) fn clipped_dot<C: Column>(accumulator: &[I16x32], column: C, weights: &[I16x32]) -> i32 {
    let (accumulator, column) = (&accumulator[..weights.len()], column.part(0..weights.len()));
    let mut sums = [_mm256_setzero_si256(); 2];
    for (index, weights) in weights.iter().enumerate() {
        for half in 0..2 {
            let products = _mm256_madd_epi16(clipped(accumulator, column, index, half), load_i16(weights, half));
            sums[half] = _mm256_add_epi32(sums[half], products);
        }
    }
    sum_of_lanes(_mm256_add_epi32(sums[0], sums[1]))
}

#[target_feature(enable = "avx2")]
pub(super) fn squared_dot<C: Column>(accumulator: &[I16x32], column: C, weights: &[I16x32]) -> i32 {
    let (accumulator, column) = (&accumulator[..weights.len()], column.part(0..weights.len()));
    let mut sums = [_mm256_setzero_si256(); 2];
    for (index, weights) in weights.iter().enumerate() {
        for half in 0..2 {
            let value = clipped(accumulator, column, index, half);
            let weighted = _mm256_mullo_epi16(value, load_i16(weights, half));
            sums[half] = _mm256_add_epi32(sums[half], _mm256_madd_epi16(weighted, value));
        }
    }
    sum_of_lanes(_mm256_add_epi32(sums[0], sums[1]))
}

#[target_feature(enable = "avx2")]
#[inline]
fn sum_of_lanes(sums: __m256i) -> i32 {
    let four = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    let one = _mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
    _mm_cvtsi128_si32(one)
}

#[target_feature(enable = "avx2")]
pub(super) fn activate_clipped<C: Column>(accumulator: &[I16x32], column: C, target: &mut [U8x64]) {
    let length = 2 * target.len();
    let (accumulator, column) = (&accumulator[..length], column.part(0..length));
    for (index, target) in target.iter_mut().enumerate() {
        for half in 0..2 {
            let words = [0, 1].map(|part| clipped(accumulator, column, 2 * index + half, part));
            let words = words.map(|words| _mm256_srli_epi16::<{ CLIPPED_SHIFT as i32 }>(words));
            store_u8(target, half, pack(words));
        }
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn activate_squared<C: Column>(accumulator: &[I16x32], column: C, target: &mut [U8x64]) {
    let length = 2 * target.len();
    let (accumulator, column) = (&accumulator[..length], column.part(0..length));
    for (index, target) in target.iter_mut().enumerate() {
        for half in 0..2 {
            let words = [0, 1].map(|part| clipped(accumulator, column, 2 * index + half, part));
            // The square is at most 65025, an unsigned 16-bit number.
            let words =
                words.map(|words| _mm256_srli_epi16::<{ SQUARED_SHIFT as i32 }>(_mm256_mullo_epi16(words, words)));
            store_u8(target, half, pack(words));
        }
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn activate_pairs<C: Column>(accumulator: &[I16x32], column: C, target: &mut [U8x64]) {
    let half = 2 * target.len();
    let [first, second] = [0..half, half..2 * half].map(|part| (&accumulator[part.clone()], column.part(part)));
    let ceiling = _mm256_set1_epi16(ACCUMULATOR_SCALE as i16);
    for (index, target) in target.iter_mut().enumerate() {
        for chunk in 0..2 {
            let products = [0, 1].map(|part| {
                let first = clipped(first.0, first.1, 2 * index + chunk, part);
                // A factor below zero makes a product below zero, which becomes zero when it is packed.
                let second = _mm256_min_epi16(sum(second.0, second.1, 2 * index + chunk, part), ceiling);
                _mm256_mulhrs_epi16(_mm256_slli_epi16::<{ FACTOR_SHIFT as i32 }>(first), second)
            });
            store_u8(target, chunk, pack(products));
        }
    }
}

/// 32 words of at most 127 as bytes, in order; those below zero as zero.
#[target_feature(enable = "avx2")]
#[inline]
fn pack(words: [__m256i; 2]) -> __m256i {
    // The instruction packs within 128-bit lanes; the permutation brings the quarters back into order.
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(words[0], words[1]))
}
