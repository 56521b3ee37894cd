//! The layers behind the accumulators with 256-bit vectors.
#![allow(unsafe_code, reason = "stores that need no alignment")]
#![allow(clippy::wildcard_imports, reason = "a list of intrinsics would say what the code says")]
#![allow(clippy::needless_range_loop, reason = "`half` counts in several arrays at once")]

use core::arch::x86_64::*;

use super::{load_i8, load_i16, load_i32, load_u8, store_i32, sum_of_lanes};
use crate::inference::chunks::{I8x64, I16x32, I32x16, U8x64, sixteen};
use crate::inference::simd::DenseWeights;
use crate::inference::simd::groups::{LISTED_CHUNKS, LISTED_GROUPS, groups};
use crate::shape::quantisation::{DENSE_ROOT_BITS, DENSE_SQUARE_FACTOR, DENSE_SQUARE_SHIFT, dense_sum_scale};

#[target_feature(enable = "avx2")]
pub(in crate::inference::simd) fn dense(input: &[U8x64], layer: DenseWeights<'_>, target: &mut [I32x16]) {
    if let ([input], Ok(target)) = (input, <&mut [I32x16; 2]>::try_from(&mut *target)) {
        return dense_chunk(input, layer, target);
    }
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

/// The same for `N` blocks of outputs.
#[target_feature(enable = "avx2")]
#[inline]
fn add_group<const N: usize>(sums: &mut [[__m256i; 2]; N], four: [u8; 4], weights: &[I8x64; N]) {
    for (sums, weights) in sums.iter_mut().zip(weights) {
        add_products(sums, four, weights);
    }
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
    // A sum waits for the one before it: two chains.
    let mut sums = [[[_mm256_setzero_si256(); 2]; N]; 2];
    let (pairs, rest) = list.as_chunks::<2>();
    for pair in pairs {
        for (chain, &group) in sums.iter_mut().zip(pair) {
            add_group(chain, input[usize::from(group)], &weights[usize::from(group)]);
        }
    }
    for &group in rest {
        add_group(&mut sums[0], input[usize::from(group)], &weights[usize::from(group)]);
    }
    for (block, target) in target.iter_mut().enumerate() {
        for half in 0..2 {
            let sum = _mm256_add_epi32(sums[0][block][half], sums[1][block][half]);
            store_i32(target, half, _mm256_add_epi32(load_i32(target, half), sum));
        }
    }
}

/// All `N` blocks of outputs from one chunk, a later layer's input: too few groups for a list to pay.
#[target_feature(enable = "avx2")]
#[inline]
fn dense_chunk<const N: usize>(input: &U8x64, layer: DenseWeights<'_>, target: &mut [I32x16; N]) {
    let weights: &[[I8x64; N]; 16] = layer.weights.as_chunks().0.try_into().expect("weights of every group");
    let mut sums = [[_mm256_setzero_si256(); 2]; N];
    for (&four, weights) in input.0.as_chunks::<4>().0.iter().zip(weights) {
        add_group(&mut sums, four, weights);
    }
    for ((target, bias), sums) in target.iter_mut().zip(layer.bias).zip(sums) {
        for half in 0..2 {
            store_i32(target, half, _mm256_add_epi32(load_i32(bias, half), sums[half]));
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
pub(in crate::inference::simd) fn activate_twice(bits: u32, sums: &[I32x16], target: &mut [U8x64]) {
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
pub(in crate::inference::simd) fn deep_dot(input: &[U8x64], weights: &[I16x32]) -> i32 {
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

/// A sum clipped to the integer range of 0 to 1.
#[target_feature(enable = "avx2")]
#[inline]
fn clipped_sum(sum: __m256i, bits: u32) -> __m256i {
    let floor = _mm256_max_epi32(sum, _mm256_setzero_si256());
    _mm256_min_epi32(floor, _mm256_set1_epi32(dense_sum_scale(bits)))
}

#[target_feature(enable = "avx2")]
#[inline]
fn clipped_activation(sum: __m256i, bits: u32) -> __m256i {
    let rounded = _mm256_add_epi32(clipped_sum(sum, bits), _mm256_set1_epi32(1 << (bits - 1)));
    _mm256_srl_epi32(rounded, _mm_cvtsi32_si128(bits as i32))
}

#[target_feature(enable = "avx2")]
#[inline]
fn squared_activation(sum: __m256i, bits: u32) -> __m256i {
    let root = _mm256_srl_epi32(clipped_sum(sum, bits), _mm_cvtsi32_si128((bits - DENSE_ROOT_BITS) as i32));
    let square = _mm256_mullo_epi32(_mm256_mullo_epi32(root, root), _mm256_set1_epi32(DENSE_SQUARE_FACTOR));
    let rounded = _mm256_add_epi32(square, _mm256_set1_epi32(1 << (DENSE_SQUARE_SHIFT - 1)));
    _mm256_srli_epi32::<{ DENSE_SQUARE_SHIFT as i32 }>(rounded)
}
