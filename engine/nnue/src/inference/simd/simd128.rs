//! The kernels with 128-bit vectors of WebAssembly: a chunk is four of them.
//!
//! Only in programs compiled with the target feature, so that nothing here needs it named; a browser without it does not
//! load the program. There are no products of bytes that add up, so bytes are widened as they are loaded.
#![allow(unsafe_code, reason = "loads and stores")]
#![allow(clippy::needless_range_loop, reason = "`part` counts in several arrays at once")]
#![allow(clippy::wildcard_imports, reason = "a list of intrinsics would say what the code says")]

use core::arch::wasm32::*;

use super::accumulators::accumulator_kernels;
use super::groups::{LISTED_CHUNKS, LISTED_GROUPS, groups};
use super::{Column, DenseWeights};
use crate::inference::chunks::{Either, I8x64, I16x32, I32x16, U8x64, WeightChunk, sixteen};
use crate::shape::quantisation::{
    ACCUMULATOR_SCALE, CLIPPED_SHIFT, DENSE_ROOT_BITS, DENSE_SQUARE_FACTOR, DENSE_SQUARE_SHIFT, SQUARED_SHIFT,
    dense_sum_scale,
};

type Vector = v128;
type Sums = v128;
const PARTS: usize = 4;
/// Browsers have 16 registers on most processors.
const TILE: usize = 2;

macro_rules! load {
    ($name:ident, $chunk:ty, $quarter:ty) => {
        #[inline]
        fn $name(chunk: &$chunk, part: usize) -> v128 {
            let quarter: &$quarter = &chunk.0.as_chunks().0[part];
            // SAFETY: the array is 16 bytes, and the reference says that it may be read; no alignment is assumed.
            unsafe { v128_load(quarter.as_ptr().cast()) }
        }
    };
}
load!(load_i16, I16x32, [i16; 8]);
load!(load_u8, U8x64, [u8; 16]);
load!(load_i32, I32x16, [i32; 4]);

/// 8 bytes with a sign as 16-bit numbers.
#[inline]
fn load_widened(bytes: &[i8; 8]) -> v128 {
    // SAFETY: the array is 8 bytes, and the reference says that it may be read; no alignment is assumed.
    unsafe { i16x8_load_extend_i8x8(bytes.as_ptr()) }
}

/// 8 weights of the first layer.
#[inline]
fn load_weights<W: WeightChunk>(chunk: &W, part: usize) -> v128 {
    match chunk.either() {
        Either::Narrow(chunk) => load_widened(&chunk.0.as_chunks().0[part]),
        Either::Wide(chunk) => load_i16(chunk, part),
    }
}

#[inline]
fn store_sixteen(target: &mut [u8; 16], value: v128) {
    // SAFETY: the array is 16 bytes, and the reference says that it may be written; no alignment is assumed.
    unsafe { v128_store(target.as_mut_ptr().cast(), value) };
}

macro_rules! store {
    ($name:ident, $chunk:ty, $quarter:ty) => {
        #[inline]
        fn $name(chunk: &mut $chunk, part: usize, value: v128) {
            let quarter: &mut $quarter = &mut chunk.0.as_chunks_mut().0[part];
            // SAFETY: the array is 16 bytes, and the reference says that it may be written; no alignment is assumed.
            unsafe { v128_store(quarter.as_mut_ptr().cast(), value) };
        }
    };
}
store!(store_i16, I16x32, [i16; 8]);
store!(store_i32, I32x16, [i32; 4]);

accumulator_kernels! {
    #[target_feature(enable = "simd128")]
    fn zero() -> Vector { i16x8_splat(0) }
    fn add(a: Vector, b: Vector) -> Vector { i16x8_add(a, b) }
    fn subtract(a: Vector, b: Vector) -> Vector { i16x8_sub(a, b) }
    fn multiply(a: Vector, b: Vector) -> Vector { i16x8_mul(a, b) }
    fn clip(value: Vector) -> Vector { i16x8_min(i16x8_max(value, zero()), i16x8_splat(ACCUMULATOR_SCALE as i16)) }
    fn zero_sums() -> Sums { i32x4_splat(0) }
    fn add_sums(a: Sums, b: Sums) -> Sums { i32x4_add(a, b) }
    /// The products of neighbours into one of four sums.
    fn add_products(sums: Sums, a: Vector, b: Vector) -> Sums { i32x4_add(sums, i32x4_dot_i16x8(a, b)) }
    fn sum_of_lanes(sums: Sums) -> i32 {
        let two = i32x4_add(sums, i32x4_shuffle::<2, 3, 0, 1>(sums, sums));
        i32x4_extract_lane::<0>(two).wrapping_add(i32x4_extract_lane::<1>(two))
    }
    fn scaled(value: Vector) -> Vector { u16x8_shr(value, CLIPPED_SHIFT) }
    /// The square is at most 65025, an unsigned 16-bit number.
    fn squared(value: Vector) -> Vector { u16x8_shr(multiply(value, value), SQUARED_SHIFT) }
    /// At most 65025, and 65281 with what rounds it: an unsigned 16-bit number.
    fn paired(first: Vector, second: Vector) -> Vector {
        let product = multiply(first, clip(second));
        u16x8_shr(add(product, i16x8_splat(1 << (SQUARED_SHIFT - 1))), SQUARED_SHIFT)
    }
}

#[inline]
fn store_bytes(target: &mut U8x64, part: usize, [low, high]: [Vector; 2]) {
    store_sixteen(&mut target.0.as_chunks_mut().0[part], u8x16_narrow_i16x8(low, high));
}

pub(super) fn dense(input: &[U8x64], layer: DenseWeights<'_>, target: &mut [I32x16]) {
    target.copy_from_slice(layer.bias);
    let blocks = target.len();
    let rows = layer.weights.chunks(16 * LISTED_CHUNKS * blocks);
    for (input, rows) in input.chunks(LISTED_CHUNKS).zip(rows) {
        let mut list = [0; LISTED_GROUPS + 4];
        let listed = list_groups(input, &mut list);
        let input = groups(input);
        for (block, target) in target.iter_mut().enumerate() {
            let mut sums = [i32x4_splat(0); 8];
            for &group in &list[..listed] {
                let group = usize::from(group);
                // The last chunk of inputs may be used in part only.
                if let Some(weights) = rows.get(group * blocks + block) {
                    add_group(&mut sums, input[group], weights);
                }
            }
            for part in 0..4 {
                let sum = i32x4_add(load_i32(target, part), total(&sums, part));
                store_i32(target, part, sum);
            }
        }
    }
}

/// For four bits the numbers of those that are set, a byte each, the lowest first.
const SET_BITS: [u32; 16] = {
    let mut table = [0; 16];
    let mut bits = 0;
    while bits < 16 {
        let (mut bit, mut found) = (0, 0);
        while bit < 4 {
            if bits >> bit & 1 == 1 {
                table[bits] |= bit << (8 * found);
                found += 1;
            }
            bit += 1;
        }
        bits += 1;
    }
    table
};

/// Lists the nonzero groups of four inputs and returns their count. Branch-free, because the branch would be
/// mispredicted half the time; it may write past the count.
#[inline]
fn list_groups(input: &[U8x64], list: &mut [u8; LISTED_GROUPS + 4]) -> usize {
    let mut listed = 0;
    let mut first = 0_u32;
    for chunk in input {
        for part in 0..4 {
            let is_zero = i32x4_eq(load_u8(chunk, part), i32x4_splat(0));
            let found = !i32x4_bitmask(is_zero) & 0xF;
            let numbers = first.wrapping_mul(0x01010101).wrapping_add(SET_BITS[usize::from(found)]);
            list[listed.min(LISTED_GROUPS)..][..4].copy_from_slice(&numbers.to_le_bytes());
            listed += found.count_ones() as usize;
            first += 4;
        }
    }
    listed
}

/// `sums + input * weights` of four inputs and sixteen outputs. Outputs have two sums each: of the products with the first two
/// inputs, and with the others.
#[inline]
fn add_group(sums: &mut [v128; 8], input: [u8; 4], weights: &I8x64) {
    let input = u16x8_extend_low_u8x16(i32x4_splat(i32::from_le_bytes(input)));
    for (sum, weights) in sums.iter_mut().zip(weights.0.as_chunks().0) {
        *sum = add_products(*sum, load_widened(weights), input);
    }
}

/// The sums of four outputs.
#[inline]
fn total(sums: &[v128; 8], part: usize) -> v128 {
    let [low, high] = [sums[2 * part], sums[2 * part + 1]];
    i32x4_add(i32x4_shuffle::<0, 2, 4, 6>(low, high), i32x4_shuffle::<1, 3, 5, 7>(low, high))
}

pub(super) fn activate_twice(bits: u32, sums: &[I32x16], target: &mut [U8x64]) {
    let blocks = sums.len();
    for (block, sums) in sums.iter().enumerate() {
        let sums = [0, 1, 2, 3].map(|part| load_i32(sums, part));
        store_sixteen(sixteen(target, block), narrow(sums.map(|sum| clipped_activation(sum, bits))));
        store_sixteen(
            sixteen(target, blocks + block),
            narrow(sums.map(|sum| squared_activation(i32x4_abs(sum), bits))),
        );
    }
}

/// Sixteen numbers of 0 to 127 as bytes.
#[inline]
fn narrow([a, b, c, d]: [v128; 4]) -> v128 {
    u8x16_narrow_i16x8(i16x8_narrow_i32x4(a, b), i16x8_narrow_i32x4(c, d))
}

pub(super) fn deep_dot(input: &[U8x64], weights: &[I16x32]) -> i32 {
    let mut sums = [i32x4_splat(0); 4];
    for (input, weights) in input.iter().zip(weights.as_chunks::<2>().0) {
        for part in 0..4 {
            let bytes = load_u8(input, part);
            let [low, high] = [u16x8_extend_low_u8x16(bytes), u16x8_extend_high_u8x16(bytes)];
            let weights = &weights[part / 2];
            sums[part] = add_products(sums[part], low, load_i16(weights, part % 2 * 2));
            sums[part] = add_products(sums[part], high, load_i16(weights, part % 2 * 2 + 1));
        }
    }
    sum_of_chains(sums)
}

/// A sum clipped to the integer range of 0 to 1.
#[inline]
fn clipped_sum(sum: v128, bits: u32) -> v128 {
    i32x4_min(i32x4_max(sum, i32x4_splat(0)), i32x4_splat(dense_sum_scale(bits)))
}

#[inline]
fn clipped_activation(sum: v128, bits: u32) -> v128 {
    i32x4_shr(i32x4_add(clipped_sum(sum, bits), i32x4_splat(1 << (bits - 1))), bits)
}

#[inline]
fn squared_activation(sum: v128, bits: u32) -> v128 {
    let root = i32x4_shr(clipped_sum(sum, bits), bits - DENSE_ROOT_BITS);
    let square = i32x4_mul(i32x4_mul(root, root), i32x4_splat(DENSE_SQUARE_FACTOR));
    i32x4_shr(i32x4_add(square, i32x4_splat(1 << (DENSE_SQUARE_SHIFT - 1))), DENSE_SQUARE_SHIFT)
}
