//! The layers behind the accumulators with 512-bit vectors.
#![allow(unsafe_code, reason = "stores that need no alignment")]
#![allow(clippy::wildcard_imports, reason = "a list of intrinsics would say what the code says")]
#![allow(clippy::needless_range_loop, reason = "`chain` counts in several arrays at once")]

use core::arch::x86_64::*;

use super::{load_i8, load_i16, load_i32, load_u8, store_i32};
use crate::inference::chunks::{I8x64, I16x32, I32x16, U8x64, sixteen};
use crate::inference::simd::DenseWeights;
use crate::inference::simd::groups::{LISTED_CHUNKS, LISTED_GROUPS, groups};
use crate::shape::quantisation::{DENSE_ROOT_BITS, DENSE_SQUARE_FACTOR, DENSE_SQUARE_SHIFT, dense_sum_scale};

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
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
            // Few blocks need several chains of sums, since a sum waits for the one before it; many are chains enough.
            start += match blocks - start {
                1 => dense_tile::<1, 4>(list, input, weights, target, start),
                2 | 3 => dense_tile::<2, 2>(list, input, weights, target, start),
                4..8 => dense_tile::<4, 1>(list, input, weights, target, start),
                _ => dense_tile::<8, 1>(list, input, weights, target, start),
            };
        }
    }
}

/// Writes the numbers of the groups of four inputs that are not all zero; returns their count.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn list_nonzero(input: &[U8x64], list: &mut [u8; LISTED_GROUPS]) -> usize {
    let mut count = 0;
    let mut numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for chunk in input {
        let groups = load_u8(chunk, 0);
        let nonzero = _mm512_test_epi32_mask(groups, groups);
        let room = (&mut list[count..][..16]).try_into().expect("16 numbers");
        store_sixteen(room, _mm512_maskz_compress_epi32(nonzero, numbers));
        count += nonzero.count_ones() as usize;
        numbers = _mm512_add_epi32(numbers, _mm512_set1_epi32(16));
    }
    count
}

/// `sum + input * weights` of four inputs and sixteen outputs.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn add_products(sum: __m512i, four: [u8; 4], weights: &I8x64) -> __m512i {
    _mm512_dpbusd_epi32(sum, _mm512_set1_epi32(i32::from_le_bytes(four)), load_i8(weights, 0))
}

/// The same for `N` blocks of outputs.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn add_group<const N: usize>(sums: &mut [__m512i; N], four: [u8; 4], weights: &[I8x64; N]) {
    for (sum, weights) in sums.iter_mut().zip(weights) {
        *sum = add_products(*sum, four, weights);
    }
}

/// All `N` blocks of outputs from as many inputs as a list can hold.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn dense_listed<const N: usize>(
    list: &[u8],
    input: &[[u8; 4]; LISTED_GROUPS],
    weights: &[I8x64],
    target: &mut [I32x16; N],
) {
    let weights: &[[I8x64; N]; LISTED_GROUPS] = weights.as_chunks().0.try_into().expect("weights of every group");
    // A sum waits for the one before it: four chains.
    let mut sums = [[_mm512_setzero_si512(); N]; 4];
    let (quads, rest) = list.as_chunks::<4>();
    for quad in quads {
        for (chain, &group) in sums.iter_mut().zip(quad) {
            add_group(chain, input[usize::from(group)], &weights[usize::from(group)]);
        }
    }
    for (chain, &group) in sums.iter_mut().zip(rest) {
        add_group(chain, input[usize::from(group)], &weights[usize::from(group)]);
    }
    for (block, target) in target.iter_mut().enumerate() {
        let sum = _mm512_add_epi32(load_i32(target, 0), sum_of_chains(&sums, block));
        store_i32(target, 0, sum);
    }
}

/// All `N` blocks of outputs from one chunk, a later layer's input: too few groups for a list to pay.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn dense_chunk<const N: usize>(input: &U8x64, layer: DenseWeights<'_>, target: &mut [I32x16; N]) {
    let weights: &[[I8x64; N]; 16] = layer.weights.as_chunks().0.try_into().expect("weights of every group");
    let mut sums = [[_mm512_setzero_si512(); N]; 4];
    for (fours, weights) in input.0.as_chunks::<4>().0.as_chunks::<4>().0.iter().zip(weights.as_chunks::<4>().0) {
        for chain in 0..4 {
            add_group(&mut sums[chain], fours[chain], &weights[chain]);
        }
    }
    for (block, (target, bias)) in target.iter_mut().zip(layer.bias).enumerate() {
        store_i32(target, 0, _mm512_add_epi32(load_i32(bias, 0), sum_of_chains(&sums, block)));
    }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn sum_of_chains<const N: usize>(sums: &[[__m512i; N]; 4], block: usize) -> __m512i {
    let [a, b, c, d] = sums.each_ref().map(|chain| chain[block]);
    _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d))
}

/// `N` blocks of outputs from `start`; listed groups go round `C` chains of sums.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn dense_tile<const N: usize, const C: usize>(
    list: &[u8],
    input: &[[u8; 4]],
    weights: &[I8x64],
    target: &mut [I32x16],
    start: usize,
) -> usize {
    let blocks = target.len();
    let mut sums = [[_mm512_setzero_si512(); N]; C];
    for part in list.chunks(C) {
        for (chain, &group) in sums.iter_mut().zip(part) {
            let group = usize::from(group);
            for (sum, weights) in chain.iter_mut().zip(&weights[group * blocks + start..][..N]) {
                *sum = add_products(*sum, input[group], weights);
            }
        }
    }
    for (block, target) in target[start..][..N].iter_mut().enumerate() {
        let sum = sums.iter().fold(load_i32(target, 0), |sum, chain| _mm512_add_epi32(sum, chain[block]));
        store_i32(target, 0, sum);
    }
    N
}

#[target_feature(enable = "avx512f")]
pub(in crate::inference::simd) fn activate_twice(bits: u32, sums: &[I32x16], target: &mut [U8x64]) {
    let blocks = sums.len();
    for (block, sums) in sums.iter().enumerate() {
        let sums = load_i32(sums, 0);
        store_sixteen(sixteen(target, block), clipped_activation(sums, bits));
        store_sixteen(sixteen(target, blocks + block), squared_activation(_mm512_abs_epi32(sums), bits));
    }
}

/// The lowest byte of each of 16 numbers.
#[target_feature(enable = "avx512f")]
#[inline]
fn store_sixteen(target: &mut [u8; 16], numbers: __m512i) {
    // SAFETY: the array is 16 bytes, and the reference says that it may be written; no alignment is assumed.
    unsafe { _mm_storeu_si128(target.as_mut_ptr().cast(), _mm512_cvtepi32_epi8(numbers)) };
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(in crate::inference::simd) fn deep_dot(input: &[U8x64], weights: &[I16x32]) -> i32 {
    let mut sum = _mm512_setzero_si512();
    for (input, weights) in input.iter().zip(weights.as_chunks::<2>().0) {
        let bytes = load_u8(input, 0);
        let low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes));
        let high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(bytes));
        sum = _mm512_dpwssd_epi32(sum, low, load_i16(&weights[0], 0));
        sum = _mm512_dpwssd_epi32(sum, high, load_i16(&weights[1], 0));
    }
    _mm512_reduce_add_epi32(sum)
}

/// A sum clipped to the integer range of 0 to 1.
#[target_feature(enable = "avx512f")]
#[inline]
fn clipped_sum(sum: __m512i, bits: u32) -> __m512i {
    let floor = _mm512_max_epi32(sum, _mm512_setzero_si512());
    _mm512_min_epi32(floor, _mm512_set1_epi32(dense_sum_scale(bits)))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn clipped_activation(sum: __m512i, bits: u32) -> __m512i {
    let rounded = _mm512_add_epi32(clipped_sum(sum, bits), _mm512_set1_epi32(1 << (bits - 1)));
    _mm512_srl_epi32(rounded, _mm_cvtsi32_si128(bits as i32))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn squared_activation(sum: __m512i, bits: u32) -> __m512i {
    let root = _mm512_srl_epi32(clipped_sum(sum, bits), _mm_cvtsi32_si128((bits - DENSE_ROOT_BITS) as i32));
    let square = _mm512_mullo_epi32(_mm512_mullo_epi32(root, root), _mm512_set1_epi32(DENSE_SQUARE_FACTOR));
    let rounded = _mm512_add_epi32(square, _mm512_set1_epi32(1 << (DENSE_SQUARE_SHIFT - 1)));
    _mm512_srli_epi32::<DENSE_SQUARE_SHIFT>(rounded)
}
