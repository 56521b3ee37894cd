//! The fused multiply-add in WebAssembly, which has no instruction that rounds alike everywhere: the bits of processors that have one.

use std::arch::wasm32::{
    f32x4, f32x4_abs, f32x4_demote_f64x2_zero, f32x4_extract_lane, f32x4_le, f32x4_ne, f32x4_splat, f64x2_add,
    f64x2_mul, f64x2_promote_low_f32x4, i64x2_eq, i64x2_shuffle, i64x2_splat, v128, v128_and, v128_any_true, v128_or,
};

use wide::f32x16;

/// The bits of a double's fraction that a float does not have, and the middle of two floats.
const DROPPED: i64 = (1 << 29) - 1;
const MIDDLE: i64 = 1 << 28;

#[inline]
pub(super) fn multiply_add(a: f32x16, b: f32x16, c: f32x16) -> f32x16 {
    let (a, b, c) = (a.to_array(), b.to_array(), c.to_array());
    let mut result = [0.0; 16];
    for (((result, a), b), c) in
        result.as_chunks_mut::<4>().0.iter_mut().zip(a.as_chunks().0).zip(b.as_chunks().0).zip(c.as_chunks().0)
    {
        *result = in_doubles(*a, *b, *c).unwrap_or_else(|| one_by_one(*a, *b, *c));
    }
    f32x16::new(result)
}

/// Computes in doubles, where the product is exact and the sum is rounded. Rounding it again is right, unless the sum is in the
/// middle of two floats, or the floats are so small that they have fewer bits: then `None`.
#[inline(always)]
#[allow(clippy::inline_always)] // A call would cost more than the vector.
fn in_doubles(a: [f32; 4], b: [f32; 4], c: [f32; 4]) -> Option<[f32; 4]> {
    let [a, b, c] = [a, b, c].map(|[first, second, third, fourth]| f32x4(first, second, third, fourth));
    // Columns that do not exist, as in most of a narrow layer's vectors.
    if !v128_any_true(v128_or(b, c)) {
        return Some([0.0; 4]);
    }
    let sum = |[a, b, c]: [v128; 3]| f64x2_add(f64x2_mul(a, b), c);
    let low = sum([a, b, c].map(|vector| f64x2_promote_low_f32x4(vector)));
    let high = sum([a, b, c].map(|vector| f64x2_promote_low_f32x4(i64x2_shuffle::<1, 1>(vector, vector))));
    let result = i64x2_shuffle::<0, 2>(f32x4_demote_f64x2_zero(low), f32x4_demote_f64x2_zero(high));
    let is_middle = |sum| i64x2_eq(v128_and(sum, i64x2_splat(DROPPED)), i64x2_splat(MIDDLE));
    let is_small = f32x4_le(f32x4_abs(result), f32x4_splat(f32::MIN_POSITIVE));
    let is_small = v128_and(is_small, f32x4_ne(c, f32x4_splat(0.0)));
    let is_unsure = v128_or(v128_or(is_middle(low), is_middle(high)), is_small);
    (!v128_any_true(is_unsure)).then(|| {
        [
            f32x4_extract_lane::<0>(result),
            f32x4_extract_lane::<1>(result),
            f32x4_extract_lane::<2>(result),
            f32x4_extract_lane::<3>(result),
        ]
    })
}

#[cold]
fn one_by_one(a: [f32; 4], b: [f32; 4], c: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|lane| a[lane].mul_add(b[lane], c[lane]))
}
