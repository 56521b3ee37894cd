//! The kernels with 256-bit vectors: a chunk is two registers.
#![allow(unsafe_code, reason = "loads, stores and entry into code for a processor feature")]
#![allow(clippy::needless_range_loop, reason = "`half` counts in several arrays at once")]
#![allow(clippy::wildcard_imports, reason = "a list of intrinsics would say what the code says")]

use core::arch::x86_64::*;

use super::DenseWeights;
use crate::network::chunks::{I8x64, I16x32, I32x16, U8x64};
use crate::network::quantisation::{ACCUMULATOR_SCALE, CLIPPED_SHIFT, FACTOR_SHIFT, SQUARED_SHIFT};
use crate::network::rows::{Either, WeightChunk};

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
    target: &mut [I16x32],
    source: &[I16x32],
    weights: &[W],
    added: &[u16],
    removed: &[u16],
) {
    let length = target.len();
    let mut start = 0;
    while start + TILE <= length {
        refresh_tile::<W, TILE>(target, source, weights, added, removed, start);
        start += TILE;
    }
    while start < length {
        refresh_tile::<W, 1>(target, source, weights, added, removed, start);
        start += 1;
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn refresh_tile<W: WeightChunk, const N: usize>(
    target: &mut [I16x32],
    source: &[I16x32],
    weights: &[W],
    added: &[u16],
    removed: &[u16],
    start: usize,
) {
    let length = target.len();
    let mut sums = [[_mm256_setzero_si256(); 2]; N];
    for (sums, source) in sums.iter_mut().zip(&source[start..][..N]) {
        *sums = [load_i16(source, 0), load_i16(source, 1)];
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
    for (target, sums) in target[start..][..N].iter_mut().zip(sums) {
        store_i16(target, 0, sums[0]);
        store_i16(target, 1, sums[1]);
    }
}

/// `clip(accumulator + column, 0, 255)` of one half.
#[target_feature(enable = "avx2")]
#[inline]
fn clipped(accumulator: &I16x32, column: &I16x32, half: usize) -> __m256i {
    let sum = _mm256_add_epi16(load_i16(accumulator, half), load_i16(column, half));
    let floor = _mm256_max_epi16(sum, _mm256_setzero_si256());
    _mm256_min_epi16(floor, _mm256_set1_epi16(ACCUMULATOR_SCALE as i16))
}

#[target_feature(enable = "avx2")]
pub(super) fn clipped_dot(accumulator: &[I16x32], column: &[I16x32], weights: &[I16x32]) -> i32 {
    let mut sums = [_mm256_setzero_si256(); 2];
    for ((accumulator, column), weights) in accumulator.iter().zip(column).zip(weights) {
        for half in 0..2 {
            let products = _mm256_madd_epi16(clipped(accumulator, column, half), load_i16(weights, half));
            sums[half] = _mm256_add_epi32(sums[half], products);
        }
    }
    sum_of_lanes(_mm256_add_epi32(sums[0], sums[1]))
}

#[target_feature(enable = "avx2")]
pub(super) fn squared_dot(accumulator: &[I16x32], column: &[I16x32], weights: &[I16x32]) -> i32 {
    let mut sums = [_mm256_setzero_si256(); 2];
    for ((accumulator, column), weights) in accumulator.iter().zip(column).zip(weights) {
        for half in 0..2 {
            let value = clipped(accumulator, column, half);
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
pub(super) fn activate_clipped(accumulator: &[I16x32], column: &[I16x32], target: &mut [U8x64]) {
    for ((target, accumulator), column) in
        target.iter_mut().zip(accumulator.as_chunks::<2>().0).zip(column.as_chunks::<2>().0)
    {
        for half in 0..2 {
            let words = [0, 1].map(|part| clipped(&accumulator[half], &column[half], part));
            let words = words.map(|words| _mm256_srli_epi16::<{ CLIPPED_SHIFT as i32 }>(words));
            store_u8(target, half, pack(words));
        }
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn activate_squared(accumulator: &[I16x32], column: &[I16x32], target: &mut [U8x64]) {
    for ((target, accumulator), column) in
        target.iter_mut().zip(accumulator.as_chunks::<2>().0).zip(column.as_chunks::<2>().0)
    {
        for half in 0..2 {
            let words = [0, 1].map(|part| clipped(&accumulator[half], &column[half], part));
            // The square is at most 65025, an unsigned 16-bit number.
            let words =
                words.map(|words| _mm256_srli_epi16::<{ SQUARED_SHIFT as i32 }>(_mm256_mullo_epi16(words, words)));
            store_u8(target, half, pack(words));
        }
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn activate_pairs(accumulator: &[I16x32], column: &[I16x32], target: &mut [U8x64]) {
    let half = 2 * target.len();
    let [(first, first_column), (second, second_column)] =
        [0, half].map(|start| (&accumulator[start..start + half], &column[start..start + half]));
    for (index, target) in target.iter_mut().enumerate() {
        for chunk in 0..2 {
            let words = [0, 1].map(|part| {
                let first = clipped(&first[2 * index + chunk], &first_column[2 * index + chunk], part);
                let second = clipped(&second[2 * index + chunk], &second_column[2 * index + chunk], part);
                _mm256_mulhrs_epi16(_mm256_slli_epi16::<{ FACTOR_SHIFT as i32 }>(first), second)
            });
            store_u8(target, chunk, pack(words));
        }
    }
}

/// 32 words of at most 127 as bytes, in order.
#[target_feature(enable = "avx2")]
#[inline]
fn pack(words: [__m256i; 2]) -> __m256i {
    // The instruction packs within 128-bit lanes; the permutation brings the quarters back into order.
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(words[0], words[1]))
}

#[target_feature(enable = "avx2")]
pub(super) fn dense(input: &[U8x64], layer: DenseWeights<'_>, target: &mut [I32x16]) {
    let blocks = target.len();
    let mut start = 0;
    while start < blocks {
        let step = match blocks - start {
            1 => dense_tile::<1, 2>(input, layer, target, start),
            2 | 3 => dense_tile::<2, 1>(input, layer, target, start),
            _ => dense_tile::<4, 1>(input, layer, target, start),
        };
        start += step;
    }
}

/// `N` blocks of outputs from `start`; input chunks go round `C` chains of sums. Groups of four zeros are skipped.
#[target_feature(enable = "avx2")]
#[inline]
fn dense_tile<const N: usize, const C: usize>(
    input: &[U8x64],
    layer: DenseWeights<'_>,
    target: &mut [I32x16],
    start: usize,
) -> usize {
    let blocks = target.len();
    let mut sums = [[[_mm256_setzero_si256(); 2]; N]; C];
    for (sums, bias) in sums[0].iter_mut().zip(&layer.bias[start..][..N]) {
        *sums = [load_i32(bias, 0), load_i32(bias, 1)];
    }
    let ones = _mm256_set1_epi16(1);
    let mut chunks = input.iter().zip(layer.weights.chunks_exact(16 * blocks));
    'all: loop {
        for chain in &mut sums {
            let Some((chunk, rows)) = chunks.next() else { break 'all };
            let groups = chunk.0.as_chunks::<4>().0;
            let mut nonzero = nonzero_groups(load_u8(chunk, 0)) | nonzero_groups(load_u8(chunk, 1)) << 8;
            while nonzero != 0 {
                let group = nonzero.trailing_zeros() as usize & 15;
                nonzero &= nonzero - 1;
                let four = _mm256_set1_epi32(i32::from_le_bytes(groups[group]));
                let row = &rows[group * blocks + start..][..N];
                for (sums, weights) in chain.iter_mut().zip(row) {
                    for half in 0..2 {
                        // Inputs are at most 127, so that a sum of two products fits into 16 bits.
                        let pairs = _mm256_maddubs_epi16(four, load_i8(weights, half));
                        sums[half] = _mm256_add_epi32(sums[half], _mm256_madd_epi16(pairs, ones));
                    }
                }
            }
        }
    }
    for (block, target) in target[start..][..N].iter_mut().enumerate() {
        for half in 0..2 {
            let mut sum = sums[0][block][half];
            for chain in &sums[1..] {
                sum = _mm256_add_epi32(sum, chain[block][half]);
            }
            store_i32(target, half, sum);
        }
    }
    N
}

/// Which of eight groups of four bytes (each at most 127) are not all zero.
#[target_feature(enable = "avx2")]
#[inline]
fn nonzero_groups(bytes: __m256i) -> u32 {
    let positive = _mm256_cmpgt_epi32(bytes, _mm256_setzero_si256());
    _mm256_movemask_ps(_mm256_castsi256_ps(positive)) as u32
}

#[target_feature(enable = "avx2")]
pub(super) fn deep_dot(input: &[U8x64], weights: &[I16x32]) -> i32 {
    let mut sum = _mm256_setzero_si256();
    for (input, weights) in input.iter().zip(weights.as_chunks::<2>().0) {
        for half in 0..2 {
            let bytes = load_u8(input, half);
            let low = _mm256_cvtepu8_epi16(_mm256_castsi256_si128(bytes));
            let high = _mm256_cvtepu8_epi16(_mm256_extracti128_si256::<1>(bytes));
            sum = _mm256_add_epi32(sum, _mm256_madd_epi16(low, load_i16(&weights[half], 0)));
            sum = _mm256_add_epi32(sum, _mm256_madd_epi16(high, load_i16(&weights[half], 1)));
        }
    }
    sum_of_lanes(sum)
}
