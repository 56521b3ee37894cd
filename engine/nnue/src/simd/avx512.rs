//! The kernels with 512-bit vectors: a chunk is a register. Needs AVX-512 F, BW and VNNI.
//!
//! The accumulators are here, what follows them in `layers`.
#![allow(unsafe_code, reason = "loads, stores and entry into code for a processor feature")]
#![allow(clippy::wildcard_imports, reason = "a list of intrinsics would say what the code says")]

mod layers;

use core::arch::x86_64::*;

use super::Column;
use crate::chunks::{Either, I8x64, I16x32, I32x16, U8x64, WeightChunk};
use crate::quantisation::{ACCUMULATOR_SCALE, CLIPPED_SHIFT, FACTOR_SHIFT, SQUARED_SHIFT};

pub(super) use layers::{activate_twice, deep_dot, dense, last_layers_clipped, last_layers_squared};

/// Accumulator chunks that a refresh keeps in registers.
const TILE: usize = 16;

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

#[target_feature(enable = "avx512f,avx512bw")]
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
    let mut sums = [_mm512_setzero_si512(); N];
    for (sum, before) in sums.iter_mut().zip(&accumulator[start..][..N]) {
        *sum = load_i16(before);
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
    for target in [accumulator, copy] {
        for (target, sum) in target[start..][..N].iter_mut().zip(&sums) {
            store_i16(target, *sum);
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn sum<C: Column>(accumulator: &[I16x32], column: C, chunk: usize) -> __m512i {
    let value = load_i16(&accumulator[chunk]);
    match column.chunk(chunk) {
        Some(column) => _mm512_add_epi16(value, load_i16(column)),
        None => value,
    }
}

/// `clip(accumulator + column, 0, 255)` of one chunk.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn clipped<C: Column>(accumulator: &[I16x32], column: C, chunk: usize) -> __m512i {
    let floor = _mm512_max_epi16(sum(accumulator, column, chunk), _mm512_setzero_si512());
    _mm512_min_epi16(floor, _mm512_set1_epi16(ACCUMULATOR_SCALE as i16))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn clipped_dot<C: Column>(accumulator: &[I16x32], column: C, weights: &[I16x32]) -> i32 {
    let (accumulator, column) = (&accumulator[..weights.len()], column.part(0..weights.len()));
    let mut sums = [_mm512_setzero_si512(); 2];
    for (index, weights) in weights.iter().enumerate() {
        let value = clipped(accumulator, column, index);
        sums[index & 1] = _mm512_dpwssd_epi32(sums[index & 1], value, load_i16(weights));
    }
    _mm512_reduce_add_epi32(_mm512_add_epi32(sums[0], sums[1]))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn squared_dot<C: Column>(accumulator: &[I16x32], column: C, weights: &[I16x32]) -> i32 {
    let (accumulator, column) = (&accumulator[..weights.len()], column.part(0..weights.len()));
    let mut sums = [_mm512_setzero_si512(); 2];
    for (index, weights) in weights.iter().enumerate() {
        let value = clipped(accumulator, column, index);
        let weighted = _mm512_mullo_epi16(value, load_i16(weights));
        sums[index & 1] = _mm512_dpwssd_epi32(sums[index & 1], weighted, value);
    }
    _mm512_reduce_add_epi32(_mm512_add_epi32(sums[0], sums[1]))
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn activate_clipped<C: Column>(accumulator: &[I16x32], column: C, target: &mut [U8x64]) {
    let length = 2 * target.len();
    let (accumulator, column) = (&accumulator[..length], column.part(0..length));
    for (index, target) in target.iter_mut().enumerate() {
        let words = [2 * index, 2 * index + 1].map(|chunk| clipped(accumulator, column, chunk));
        store_bytes(target, words.map(|words| _mm512_srli_epi16::<CLIPPED_SHIFT>(words)));
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn activate_squared<C: Column>(accumulator: &[I16x32], column: C, target: &mut [U8x64]) {
    let length = 2 * target.len();
    let (accumulator, column) = (&accumulator[..length], column.part(0..length));
    for (index, target) in target.iter_mut().enumerate() {
        let words = [2 * index, 2 * index + 1].map(|chunk| clipped(accumulator, column, chunk));
        // The square is at most 65025, an unsigned 16-bit number.
        store_bytes(target, words.map(|words| _mm512_srli_epi16::<SQUARED_SHIFT>(_mm512_mullo_epi16(words, words))));
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn activate_pairs<C: Column>(accumulator: &[I16x32], column: C, target: &mut [U8x64]) {
    let half = 2 * target.len();
    let [first, second] = [0..half, half..2 * half].map(|part| (&accumulator[part.clone()], column.part(part)));
    let ceiling = _mm512_set1_epi16(ACCUMULATOR_SCALE as i16);
    for (index, target) in target.iter_mut().enumerate() {
        let products = [2 * index, 2 * index + 1].map(|chunk| {
            let first = clipped(first.0, first.1, chunk);
            // A factor below zero makes a product below zero, which becomes zero when it is packed.
            let second = _mm512_min_epi16(sum(second.0, second.1, chunk), ceiling);
            _mm512_mulhrs_epi16(_mm512_slli_epi16::<FACTOR_SHIFT>(first), second)
        });
        store_bytes(target, products);
    }
}

/// 64 words as bytes, those below zero as zero.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn store_bytes(target: &mut U8x64, words: [__m512i; 2]) {
    // The instruction packs within 128-bit lanes; the permutation brings the eighths back into order.
    let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    let bytes = _mm512_permutexvar_epi64(order, _mm512_packus_epi16(words[0], words[1]));
    // SAFETY: a chunk is 64 bytes on a 64-byte boundary, and the reference says that it may be written.
    unsafe { _mm512_store_si512(std::ptr::from_mut(target).cast(), bytes) }
}
