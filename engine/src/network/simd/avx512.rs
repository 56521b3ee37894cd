//! The kernels with 512-bit vectors: a chunk is a register. Needs AVX-512 F, BW and VNNI.
#![allow(unsafe_code, reason = "loads, stores and entry into code for a processor feature")]
#![allow(clippy::wildcard_imports, reason = "a list of intrinsics would say what the code says")]

use core::arch::x86_64::*;

use super::DenseWeights;
use crate::network::chunks::{I8x64, I16x32, I32x16, U8x64};
use crate::network::quantisation::{ACCUMULATOR_SCALE, CLIPPED_SHIFT, FACTOR_SHIFT, SQUARED_SHIFT};
use crate::network::rows::{Either, WeightChunk};

/// Accumulator chunks that a refresh keeps in registers.
const TILE: usize = 8;

macro_rules! load {
    ($name:ident, $chunk:ty) => {
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn $name(chunk: &$chunk) -> __m512i {
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
fn load_weights<W: WeightChunk>(chunk: &W) -> __m512i {
    match chunk.either() {
        // SAFETY: a narrow chunk is 32 bytes on a 32-byte boundary, and the reference says that it may be read.
        Either::Narrow(chunk) => _mm512_cvtepi8_epi16(unsafe { _mm256_load_si256(std::ptr::from_ref(chunk).cast()) }),
        Either::Wide(chunk) => load_i16(chunk),
    }
}

macro_rules! store {
    ($name:ident, $chunk:ty) => {
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn $name(chunk: &mut $chunk, value: __m512i) {
            // SAFETY: a chunk is 64 bytes on a 64-byte boundary, and the reference says that it may be written.
            unsafe { _mm512_store_si512(std::ptr::from_mut(chunk).cast(), value) }
        }
    };
}
store!(store_i16, I16x32);
store!(store_i32, I32x16);

#[target_feature(enable = "avx512f,avx512bw")]
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
        let mut sum = load_i16(&source[index]);
        for row in added {
            sum = _mm512_add_epi16(sum, load_weights(&row[index]));
        }
        for row in removed {
            sum = _mm512_sub_epi16(sum, load_weights(&row[index]));
        }
        store_i16(&mut target[index], sum);
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
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

#[target_feature(enable = "avx512f,avx512bw")]
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
    let mut sums = [_mm512_setzero_si512(); N];
    for (sum, source) in sums.iter_mut().zip(&source[start..][..N]) {
        *sum = load_i16(source);
    }
    for &feature in added {
        let row = &weights[usize::from(feature) * length + start..][..N];
        for (sum, row) in sums.iter_mut().zip(row) {
            *sum = _mm512_add_epi16(*sum, load_weights(row));
        }
    }
    for &feature in removed {
        let row = &weights[usize::from(feature) * length + start..][..N];
        for (sum, row) in sums.iter_mut().zip(row) {
            *sum = _mm512_sub_epi16(*sum, load_weights(row));
        }
    }
    for (target, sum) in target[start..][..N].iter_mut().zip(sums) {
        store_i16(target, sum);
    }
}

/// `clip(accumulator + column, 0, 255)`.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn clipped(accumulator: &I16x32, column: &I16x32) -> __m512i {
    let sum = _mm512_add_epi16(load_i16(accumulator), load_i16(column));
    let floor = _mm512_max_epi16(sum, _mm512_setzero_si512());
    _mm512_min_epi16(floor, _mm512_set1_epi16(ACCUMULATOR_SCALE as i16))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn clipped_dot(accumulator: &[I16x32], column: &[I16x32], weights: &[I16x32]) -> i32 {
    let mut sums = [_mm512_setzero_si512(); 2];
    for (index, ((accumulator, column), weights)) in accumulator.iter().zip(column).zip(weights).enumerate() {
        let value = clipped(accumulator, column);
        sums[index & 1] = _mm512_dpwssd_epi32(sums[index & 1], value, load_i16(weights));
    }
    _mm512_reduce_add_epi32(_mm512_add_epi32(sums[0], sums[1]))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn squared_dot(accumulator: &[I16x32], column: &[I16x32], weights: &[I16x32]) -> i32 {
    let mut sums = [_mm512_setzero_si512(); 2];
    for (index, ((accumulator, column), weights)) in accumulator.iter().zip(column).zip(weights).enumerate() {
        let value = clipped(accumulator, column);
        let weighted = _mm512_mullo_epi16(value, load_i16(weights));
        sums[index & 1] = _mm512_dpwssd_epi32(sums[index & 1], weighted, value);
    }
    _mm512_reduce_add_epi32(_mm512_add_epi32(sums[0], sums[1]))
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn activate_clipped(accumulator: &[I16x32], column: &[I16x32], target: &mut [U8x64]) {
    for ((target, accumulator), column) in
        target.iter_mut().zip(accumulator.as_chunks::<2>().0).zip(column.as_chunks::<2>().0)
    {
        let low = _mm512_srli_epi16::<CLIPPED_SHIFT>(clipped(&accumulator[0], &column[0]));
        let high = _mm512_srli_epi16::<CLIPPED_SHIFT>(clipped(&accumulator[1], &column[1]));
        store_bytes(target, low, high);
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn activate_squared(accumulator: &[I16x32], column: &[I16x32], target: &mut [U8x64]) {
    for ((target, accumulator), column) in
        target.iter_mut().zip(accumulator.as_chunks::<2>().0).zip(column.as_chunks::<2>().0)
    {
        let low = clipped(&accumulator[0], &column[0]);
        let high = clipped(&accumulator[1], &column[1]);
        // The square is at most 65025, an unsigned 16-bit number.
        let low = _mm512_srli_epi16::<SQUARED_SHIFT>(_mm512_mullo_epi16(low, low));
        let high = _mm512_srli_epi16::<SQUARED_SHIFT>(_mm512_mullo_epi16(high, high));
        store_bytes(target, low, high);
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn activate_pairs(accumulator: &[I16x32], column: &[I16x32], target: &mut [U8x64]) {
    let half = 2 * target.len();
    let [(first, first_column), (second, second_column)] =
        [0, half].map(|start| (&accumulator[start..start + half], &column[start..start + half]));
    for (index, target) in target.iter_mut().enumerate() {
        let [low, high] = [2 * index, 2 * index + 1].map(|chunk| {
            let first = clipped(&first[chunk], &first_column[chunk]);
            let second = clipped(&second[chunk], &second_column[chunk]);
            _mm512_mulhrs_epi16(_mm512_slli_epi16::<FACTOR_SHIFT>(first), second)
        });
        store_bytes(target, low, high);
    }
}

/// The low bytes of 64 words.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn store_bytes(target: &mut U8x64, low: __m512i, high: __m512i) {
    let [first, second] = [_mm512_cvtepi16_epi8(low), _mm512_cvtepi16_epi8(high)];
    let bytes = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(first), second);
    // SAFETY: a chunk is 64 bytes on a 64-byte boundary, and the reference says that it may be written.
    unsafe { _mm512_store_si512(std::ptr::from_mut(target).cast(), bytes) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn dense(input: &[U8x64], layer: DenseWeights<'_>, target: &mut [I32x16]) {
    let blocks = target.len();
    let mut start = 0;
    while start < blocks {
        // Few blocks need several chains of sums, since a sum waits for the one before it; many blocks are chains enough.
        let step = match blocks - start {
            1 => dense_tile::<1, 4>(input, layer, target, start),
            2 | 3 => dense_tile::<2, 2>(input, layer, target, start),
            4..8 => dense_tile::<4, 1>(input, layer, target, start),
            _ => dense_tile::<8, 1>(input, layer, target, start),
        };
        start += step;
    }
}

/// `N` blocks of outputs from `start`; groups of four inputs go round `C` chains of sums. Groups of zeros are taken too:
/// to find out costs more than to multiply.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn dense_tile<const N: usize, const C: usize>(
    input: &[U8x64],
    layer: DenseWeights<'_>,
    target: &mut [I32x16],
    start: usize,
) -> usize {
    let blocks = target.len();
    let mut sums = [[_mm512_setzero_si512(); N]; C];
    for (sum, bias) in sums[0].iter_mut().zip(&layer.bias[start..][..N]) {
        *sum = load_i32(bias);
    }
    for (chunk, rows) in input.iter().zip(layer.weights.chunks_exact(16 * blocks)) {
        for (group, (four, row)) in chunk.0.as_chunks::<4>().0.iter().zip(rows.chunks_exact(blocks)).enumerate() {
            let four = _mm512_set1_epi32(i32::from_le_bytes(*four));
            for (sum, weights) in sums[group % C].iter_mut().zip(&row[start..][..N]) {
                *sum = _mm512_dpbusd_epi32(*sum, four, load_i8(weights));
            }
        }
    }
    for (block, target) in target[start..][..N].iter_mut().enumerate() {
        let mut sum = sums[0][block];
        for chain in &sums[1..] {
            sum = _mm512_add_epi32(sum, chain[block]);
        }
        store_i32(target, sum);
    }
    N
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn deep_dot(input: &[U8x64], weights: &[I16x32]) -> i32 {
    let mut sum = _mm512_setzero_si512();
    for (input, weights) in input.iter().zip(weights.as_chunks::<2>().0) {
        let bytes = load_u8(input);
        let low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes));
        let high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(bytes));
        sum = _mm512_dpwssd_epi32(sum, low, load_i16(&weights[0]));
        sum = _mm512_dpwssd_epi32(sum, high, load_i16(&weights[1]));
    }
    _mm512_reduce_add_epi32(sum)
}
