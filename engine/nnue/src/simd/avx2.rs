//! The kernels with 256-bit vectors: a chunk is two registers.
//!
//! Longer than other files because it is one implementation of one trait, each method a twin of the scalar one.
#![allow(unsafe_code, reason = "loads, stores and entry into code for a processor feature")]
#![allow(clippy::needless_range_loop, reason = "`half` counts in several arrays at once")]
#![allow(clippy::wildcard_imports, reason = "a list of intrinsics would say what the code says")]

use core::arch::x86_64::*;

use super::column::Column;
use super::groups::{LISTED_CHUNKS, LISTED_GROUPS, groups};
use super::{DenseWeights, LastLayers};
use crate::chunks::{I8x64, I16x32, I32x16, U8x64, sixteen};
use crate::quantisation::{
    ACCUMULATOR_SCALE, CLIPPED_SHIFT, DENSE_ROOT_BITS, DENSE_SQUARE_FACTOR, DENSE_SQUARE_SHIFT, FACTOR_SHIFT,
    SQUARED_SHIFT, dense_sum_scale,
};
use crate::rows::{Either, WeightChunk};

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

/// `accumulator + column` of one half of a chunk.
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

#[target_feature(enable = "avx2")]
pub(super) fn dense(input: &[U8x64], layer: DenseWeights<'_>, target: &mut [I32x16]) {
    let blocks = target.len();
    target.copy_from_slice(layer.bias);
    for (input, weights) in input.chunks(LISTED_CHUNKS).zip(layer.weights.chunks(LISTED_GROUPS * blocks)) {
        let mut list = [0; LISTED_GROUPS];
        let count = list_nonzero(input, &mut list);
        let (list, input) = (&list[..count], groups(input));
        if let Ok(input) = input.try_into() {
            if let Ok(target) = target.try_into() {
                dense_listed::<1>(list, input, weights, target);
                continue;
            }
            if let Ok(target) = target.try_into() {
                dense_listed::<2>(list, input, weights, target);
                continue;
            }
        }
        let mut start = 0;
        while start < blocks {
            start += match blocks - start {
                1 => dense_tile::<1>(list, input, weights, target, start),
                2 | 3 => dense_tile::<2>(list, input, weights, target, start),
                _ => dense_tile::<4>(list, input, weights, target, start),
            };
        }
    }
}

/// The numbers of the bits that are set in the index, a byte each from the lowest; zeros behind them.
static SET_BITS: [u64; 256] = {
    let mut table = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if mask >> bit & 1 == 1 {
                table[mask] |= bit << (8 * count);
                count += 1;
            }
            bit += 1;
        }
        mask += 1;
    }
    table
};

/// Writes the numbers of the groups of four inputs that are not all zero; returns their count.
#[target_feature(enable = "avx2")]
#[inline]
fn list_nonzero(input: &[U8x64], list: &mut [u8; LISTED_GROUPS]) -> usize {
    let mut count = 0;
    // The number of the first group, in each byte.
    let mut first = 0_u64;
    for chunk in input {
        for half in 0..2 {
            // Inputs are at most 127, so that none looks like a sign.
            let positive = _mm256_cmpgt_epi32(load_u8(chunk, half), _mm256_setzero_si256());
            let nonzero = _mm256_movemask_ps(_mm256_castsi256_ps(positive)) as u8;
            let numbers = SET_BITS[usize::from(nonzero)] + first;
            list[count..][..8].copy_from_slice(&numbers.to_le_bytes());
            count += nonzero.count_ones() as usize;
            first = first.wrapping_add(0x0808_0808_0808_0808);
        }
    }
    count
}

/// `sums + input * weights` of four inputs and sixteen outputs.
#[target_feature(enable = "avx2")]
#[inline]
fn add_products(sums: &mut [__m256i; 2], four: [u8; 4], weights: &I8x64) {
    let four = _mm256_set1_epi32(i32::from_le_bytes(four));
    for half in 0..2 {
        sums[half] = _mm256_add_epi32(sums[half], products(four, load_i8(weights, half)));
    }
}

/// Sums of four products each; inputs are at most 127, so that a sum of two products fits into 16 bits.
#[target_feature(enable = "avx2")]
#[inline]
fn products(inputs: __m256i, weights: __m256i) -> __m256i {
    _mm256_madd_epi16(_mm256_maddubs_epi16(inputs, weights), _mm256_set1_epi16(1))
}

/// All `N` blocks of outputs from as many inputs as a list can hold.
#[target_feature(enable = "avx2")]
#[inline]
fn dense_listed<const N: usize>(
    list: &[u8],
    input: &[[u8; 4]; LISTED_GROUPS],
    weights: &[I8x64],
    target: &mut [I32x16; N],
) {
    let weights: &[[I8x64; N]; LISTED_GROUPS] = weights.as_chunks().0.try_into().expect("weights of every group");
    let mut sums = [[_mm256_setzero_si256(); 2]; N];
    let (quads, rest) = list.as_chunks::<4>();
    for &group in quads.iter().flatten().chain(rest) {
        for (sums, weights) in sums.iter_mut().zip(&weights[usize::from(group)]) {
            add_products(sums, input[usize::from(group)], weights);
        }
    }
    for (sums, target) in sums.iter().zip(target) {
        for half in 0..2 {
            store_i32(target, half, _mm256_add_epi32(load_i32(target, half), sums[half]));
        }
    }
}

/// `N` blocks of outputs from `start`.
#[target_feature(enable = "avx2")]
#[inline]
fn dense_tile<const N: usize>(
    list: &[u8],
    input: &[[u8; 4]],
    weights: &[I8x64],
    target: &mut [I32x16],
    start: usize,
) -> usize {
    let blocks = target.len();
    let target = &mut target[start..][..N];
    let mut sums = [[_mm256_setzero_si256(); 2]; N];
    for (sums, target) in sums.iter_mut().zip(&*target) {
        *sums = [load_i32(target, 0), load_i32(target, 1)];
    }
    for &group in list {
        let group = usize::from(group);
        for (sums, weights) in sums.iter_mut().zip(&weights[group * blocks + start..][..N]) {
            add_products(sums, input[group], weights);
        }
    }
    for (sums, target) in sums.iter().zip(target) {
        store_i32(target, 0, sums[0]);
        store_i32(target, 1, sums[1]);
    }
    N
}

#[target_feature(enable = "avx2")]
pub(super) fn activate_twice(bits: u32, sums: &[I32x16], target: &mut [U8x64]) {
    let blocks = sums.len();
    for (block, sums) in sums.iter().enumerate() {
        let sums = [load_i32(sums, 0), load_i32(sums, 1)];
        store_sixteen(sixteen(target, block), sums.map(|sum| clipped_activation(sum, bits)));
        store_sixteen(sixteen(target, blocks + block), sums.map(|sum| squared_activation(_mm256_abs_epi32(sum), bits)));
    }
}

/// Sixteen numbers of 0 to 127 as bytes.
#[target_feature(enable = "avx2")]
#[inline]
fn store_sixteen(target: &mut [u8; 16], [low, high]: [__m256i; 2]) {
    // Packed within 128-bit lanes, as in `pack`.
    let words = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(low, high));
    let bytes = _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256::<1>(words));
    // SAFETY: the array is 16 bytes, and the reference says that it may be written; no alignment is assumed.
    unsafe { _mm_storeu_si128(target.as_mut_ptr().cast(), bytes) };
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

#[target_feature(enable = "avx2")]
pub(super) fn last_layers_clipped(sums: &I32x16, layers: &LastLayers) -> i32 {
    last_layers(sums, layers, |sum, bits| clipped_activation(sum, bits))
}

#[target_feature(enable = "avx2")]
pub(super) fn last_layers_squared(sums: &I32x16, layers: &LastLayers) -> i32 {
    last_layers(sums, layers, |sum, bits| squared_activation(sum, bits))
}

#[target_feature(enable = "avx2")]
#[inline]
fn last_layers(sums: &I32x16, layers: &LastLayers, activate: impl Fn(__m256i, u32) -> __m256i) -> i32 {
    let [low, high] = [0, 1].map(|half| activate(load_i32(sums, half), layers.bits[0]));
    let words = _mm256_packs_epi32(low, high);
    let bytes = _mm256_packus_epi16(words, words);
    // Packed within 128-bit lanes: groups 0 and 2 of four lie in the lower lane, 1 and 3 in the upper one.
    let fours = [0, 4, 1, 5].map(|place| _mm256_permutevar8x32_epi32(bytes, _mm256_set1_epi32(place)));
    let mut total = _mm256_setzero_si256();
    for block in 0..2 {
        for half in 0..2 {
            let mut sum = load_i32(&layers.bias[block], half);
            for (&four, weights) in fours.iter().zip(&layers.weights) {
                sum = _mm256_add_epi32(sum, products(four, load_i8(&weights[block], half)));
            }
            // The upper words of the activations are zero, so that the weights' do not matter.
            let weights: &[i16; 8] = &layers.output.0.as_chunks().0[2 * block + half];
            // SAFETY: the array is 16 bytes, and the reference says that it may be read; no alignment is assumed.
            let weights = _mm256_cvtepi16_epi32(unsafe { _mm_loadu_si128(weights.as_ptr().cast()) });
            total = _mm256_add_epi32(total, _mm256_madd_epi16(activate(sum, layers.bits[1]), weights));
        }
    }
    sum_of_lanes(total)
}

/// A sum clipped to what stands for 0 to 1.
#[target_feature(enable = "avx2")]
#[inline]
fn clipped_sum(sum: __m256i, bits: u32) -> __m256i {
    let floor = _mm256_max_epi32(sum, _mm256_setzero_si256());
    _mm256_min_epi32(floor, _mm256_set1_epi32(dense_sum_scale(bits)))
}

/// The clipped activation of 8 sums.
#[target_feature(enable = "avx2")]
#[inline]
fn clipped_activation(sum: __m256i, bits: u32) -> __m256i {
    let rounded = _mm256_add_epi32(clipped_sum(sum, bits), _mm256_set1_epi32(1 << (bits - 1)));
    _mm256_srl_epi32(rounded, _mm_cvtsi32_si128(bits as i32))
}

/// The squared activation of 8 sums.
#[target_feature(enable = "avx2")]
#[inline]
fn squared_activation(sum: __m256i, bits: u32) -> __m256i {
    let root = _mm256_srl_epi32(clipped_sum(sum, bits), _mm_cvtsi32_si128((bits - DENSE_ROOT_BITS) as i32));
    let square = _mm256_mullo_epi32(_mm256_mullo_epi32(root, root), _mm256_set1_epi32(DENSE_SQUARE_FACTOR));
    let rounded = _mm256_add_epi32(square, _mm256_set1_epi32(1 << (DENSE_SQUARE_SHIFT - 1)));
    _mm256_srli_epi32::<{ DENSE_SQUARE_SHIFT as i32 }>(rounded)
}
