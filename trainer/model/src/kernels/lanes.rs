//! Blocks of columns, the unit of work of the sparse kernels.
//!
//! A row of a block is [`VECTORS`] vectors of 16 floats; the 769 rows of plain inputs and their gradients fit in a
//! core's second-level cache. The vectors are those of the `wide` crate: without it the compiler splits arrays of
//! floats into smaller vectors and recombines them. Independent of layers.

// A call per row would cost more than the row; measured: these are not always inlined without the attribute.
#![allow(clippy::inline_always)]

use alfiere_nnue::quantisation::ACCUMULATOR_SCALE;
use wide::f32x16;

use crate::random::RowDropout;

/// Floats per vector.
pub(super) const VECTOR: usize = 16;
/// Vectors per row: two, so that both neurons of a pair are in the same block.
const VECTORS: usize = 2;
/// Columns per block.
pub(crate) const LANES: usize = VECTOR * VECTORS;

/// One row of a block.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub(super) [f32x16; VECTORS]);

/// `a * b + c` for each lane, fused where the processor has the instruction, and in WebAssembly.
#[inline(always)]
pub(crate) fn multiply_add_vectors(a: f32x16, b: f32x16, c: f32x16) -> f32x16 {
    #[cfg(not(target_family = "wasm"))]
    return a.mul_add(b, c);
    #[cfg(target_family = "wasm")]
    return super::wasm::multiply_add(a, b, c);
}

impl Lanes {
    pub(crate) const ZERO: Self = Self([f32x16::ZERO; VECTORS]);

    /// The lanes times `scale`, rounded to the nearest integers, halves away from zero. A NaN is 0.
    #[inline(always)]
    pub(crate) fn rounded(self, scale: f32) -> [i32; LANES] {
        // The largest number below one half: added to a number below one half, it does not reach one.
        let below_half = f32x16::splat(0.5_f32.next_down());
        let rounded = self.0.map(|vector| {
            let scaled = vector * f32x16::splat(scale);
            (scaled + below_half.copysign(scaled)).trunc_int().to_array()
        });
        std::array::from_fn(|lane| rounded[lane / VECTOR][lane % VECTOR])
    }

    #[inline(always)]
    pub(crate) fn at(&self, lane: usize) -> f32 {
        self.0[lane / VECTOR].as_array()[lane % VECTOR]
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, value: f32) {
        self.0[lane / VECTOR].as_mut_array()[lane % VECTOR] = value;
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, other: &Self) {
        for (a, &b) in self.0.iter_mut().zip(&other.0) {
            *a += b;
        }
    }

    #[inline(always)]
    pub(crate) fn plus(mut self, other: &Self) -> Self {
        self.add(other);
        self
    }

    /// `self += factor * other`
    #[inline(always)]
    pub(crate) fn add_scaled(&mut self, factor: f32, other: &Self) {
        let factor = f32x16::splat(factor);
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a = multiply_add_vectors(factor, *b, *a);
        }
    }

    /// `self += a * b`
    #[inline(always)]
    pub(crate) fn add_product(&mut self, a: &Self, b: &Self) {
        for (sum, (a, b)) in self.0.iter_mut().zip(a.0.iter().zip(&b.0)) {
            *sum = multiply_add_vectors(*a, *b, *sum);
        }
    }

    #[inline(always)]
    pub(crate) fn scaled(self, factor: f32) -> Self {
        Self(self.0.map(|a| a * f32x16::splat(factor)))
    }

    /// Clips to [0, 1]. NaN is kept: the min and max instructions return their second operand for NaN.
    #[inline(always)]
    pub(crate) fn clipped(self) -> Self {
        Self(self.0.map(|a| f32x16::ONE.fast_min(f32x16::ZERO.fast_max(a))))
    }

    /// At least 0. NaN is kept.
    #[inline(always)]
    pub(crate) fn positive(self) -> Self {
        Self(self.0.map(|a| f32x16::ZERO.fast_max(a)))
    }

    /// Hyperbolic tangents, each by the mathematical library of the program: for experiments, not for speed.
    #[inline(never)]
    pub(crate) fn tanh(self) -> Self {
        Self(self.0.map(|a| f32x16::new(a.to_array().map(f32::tanh))))
    }

    #[inline(always)]
    pub(crate) fn squared(self) -> Self {
        Self(self.0.map(|a| a * a))
    }

    /// This value where `0 < value < top`, else 0.
    #[inline(always)]
    pub(crate) fn where_inside(mut self, value: &Self, top: f32) -> Self {
        for (a, value) in self.0.iter_mut().zip(&value.0) {
            let is_inside = value.simd_gt(f32x16::ZERO) & value.simd_lt(f32x16::splat(top));
            *a = is_inside.select(*a, f32x16::ZERO);
        }
        self
    }

    /// Applies dropout to columns `start..` of a row.
    #[inline(always)]
    pub(crate) fn dropped(mut self, drop: RowDropout, start: usize) -> Self {
        for (vector, values) in self.0.iter_mut().enumerate() {
            *values *= drop.factors(start + vector * VECTOR);
        }
        self
    }

    /// Element-wise square root.
    #[inline(always)]
    pub(crate) fn root(self) -> Self {
        Self(self.0.map(f32x16::sqrt))
    }

    #[inline(always)]
    pub(crate) fn times(mut self, other: &Self) -> Self {
        for (a, &b) in self.0.iter_mut().zip(&other.0) {
            *a *= b;
        }
        self
    }

    /// The sum of all lanes, in a fixed order.
    #[inline(always)]
    pub(crate) fn sum(&self) -> f32 {
        let [first, rest @ ..] = &self.0;
        let sum = rest.iter().fold(*first, |sum, &vector| sum + vector);
        // The instruction's order; `wide` has another one elsewhere.
        if cfg!(target_feature = "avx512f") { sum.reduce_add() } else { halved(sum.to_array()) }
    }

    /// Loads columns `start..` of a row, padded with zeros at the end of the row.
    #[inline(always)]
    pub(crate) fn from_row(row: &[f32], start: usize) -> Self {
        Self(std::array::from_fn(|vector| vector_at(row, start + vector * VECTOR)))
    }

    /// Stores to columns `start..` of a row, up to its end.
    #[inline(always)]
    pub(crate) fn write_row(&self, row: &mut [f32], start: usize) {
        write_vectors(&self.0, &mut row[start..]);
    }
}

/// The sum of a vector: its second half is added to the first, and likewise the halves of what remains.
#[inline(always)]
fn halved(mut lanes: [f32; VECTOR]) -> f32 {
    let mut half = VECTOR / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
        half /= 2;
    }
    lanes[0]
}

/// Stores the vectors, truncated to the length of `row`.
#[inline(always)]
pub(super) fn write_vectors(vectors: &[f32x16], row: &mut [f32]) {
    for (part, vector) in row.chunks_mut(VECTOR).zip(vectors) {
        match part.first_chunk_mut() {
            Some(whole) => *whole = vector.to_array(),
            None => part.copy_from_slice(&vector.as_array()[..part.len()]),
        }
    }
}

/// Loads columns `start..` of a row as a vector, padded with zeros at the end of the row.
#[inline(always)]
pub(super) fn vector_at(row: &[f32], start: usize) -> f32x16 {
    let part = row.get(start..).unwrap_or_default();
    part.first_chunk().map_or_else(|| padded(part), |whole| f32x16::new(*whole))
}

/// Loads the last part of a row, shorter than a vector, padded with zeros.
#[inline(never)]
fn padded(part: &[f32]) -> f32x16 {
    let mut vector = f32x16::ZERO;
    vector.as_mut_array()[..part.len()].copy_from_slice(part);
    vector
}

/// Which columns of a row form a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Columns {
    Neighbours,
    /// Equal numbers of columns from the first and the second half of the row, so that both neurons of a pair are in
    /// the same block.
    Halves,
}

impl Columns {
    /// Loads a block's columns of a row, padded with zeros at the end of the row or of its half.
    #[inline(always)]
    pub(crate) fn read(self, row: &[f32], block: usize) -> Lanes {
        match self {
            Self::Neighbours => Lanes::from_row(row, block * LANES),
            Self::Halves => {
                let (first, second) = row.split_at(row.len() / 2);
                Lanes([first, second].map(|half| vector_at(half, block * VECTOR)))
            }
        }
    }

    /// Stores a block's columns of a row, up to its end.
    #[inline(always)]
    pub(crate) fn write(self, lanes: &Lanes, row: &mut [f32], block: usize) {
        match self {
            Self::Neighbours => lanes.write_row(row, block * LANES),
            Self::Halves => {
                let (first, second) = row.split_at_mut(row.len() / 2);
                for (half, vector) in [first, second].into_iter().zip(&lanes.0) {
                    write_vectors(std::slice::from_ref(vector), &mut half[block * VECTOR..]);
                }
            }
        }
    }
}

/// An activation function applied to values already clipped to [0, 1].
pub(crate) trait ActivationFunction: Copy + Send + Sync {
    fn value(self, clipped: Lanes) -> Lanes;
    /// `upstream` times the derivative, computed from the clipped value.
    fn gradient(self, clipped: &Lanes, upstream: Lanes) -> Lanes;
}

/// Clipped `ReLU`.
#[derive(Clone, Copy)]
pub(crate) struct Clipped;
/// Squared clipped `ReLU`.
#[derive(Clone, Copy)]
pub(crate) struct SquaredClipped;

impl ActivationFunction for Clipped {
    #[inline(always)]
    fn value(self, clipped: Lanes) -> Lanes {
        clipped
    }

    #[inline(always)]
    fn gradient(self, clipped: &Lanes, upstream: Lanes) -> Lanes {
        upstream.where_inside(clipped, 1.0)
    }
}

impl ActivationFunction for SquaredClipped {
    #[inline(always)]
    fn value(self, clipped: Lanes) -> Lanes {
        clipped.squared()
    }

    #[inline(always)]
    fn gradient(self, clipped: &Lanes, upstream: Lanes) -> Lanes {
        upstream.times(&clipped.scaled(2.0)).where_inside(clipped, 1.0)
    }
}

/// Number of blocks that cover `width` columns.
pub(crate) const fn blocks(width: usize) -> usize {
    width.div_ceil(LANES)
}

/// The neurons of a block in one view, clipped to 0..=255.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct ClippedRow(pub(super) [u8; LANES]);

impl ClippedRow {
    pub(super) const ZERO: Self = Self([0; LANES]);

    /// The neurons in [0, 1].
    #[inline(always)]
    pub(super) fn neurons(&self) -> Lanes {
        let vector = |first: usize| f32x16::new(std::array::from_fn(|lane| f32::from(self.0[first + lane])));
        Lanes([vector(0), vector(LANES / 2)]).scaled(1.0 / ACCUMULATOR_SCALE as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_neurons_of_a_pair_are_in_one_block() {
        let row: Vec<f32> = (0..100).map(|value| value as f32).collect();
        let columns = Columns::Halves;
        let mut back = vec![0.0; 100];
        for block in 0..4 {
            let lanes = columns.read(&row, block);
            for lane in 0..VECTOR {
                let (first, second) = (lanes.at(lane), lanes.at(lane + VECTOR));
                let place = block * VECTOR + lane;
                let expected = if place < 50 { (place as f32, 50.0 + place as f32) } else { (0.0, 0.0) };
                assert_eq!((first, second), expected, "block {block} lane {lane}");
            }
            columns.write(&lanes, &mut back, block);
        }
        assert_eq!(back, row);
    }

    #[test]
    fn rows_are_truncated_and_padded() {
        let row: Vec<f32> = (0..40).map(|value| value as f32).collect();
        let last = Lanes::from_row(&row, row.len() - 8);
        let found: Vec<f32> = (0..9).map(|lane| last.at(lane)).collect();
        assert_eq!(found, [32.0, 33.0, 34.0, 35.0, 36.0, 37.0, 38.0, 39.0, 0.0]);
        let mut back = vec![0.0; 40];
        for start in (0..40).step_by(LANES) {
            Lanes::from_row(&row, start).write_row(&mut back, start);
        }
        assert_eq!(back, row);
        assert!((0..LANES).all(|lane| (Lanes::from_row(&row, 3).at(lane) - (3 + lane) as f32).abs() < 1e-6));
        let lanes: [f32; VECTOR] = std::array::from_fn(|lane| 1.0 / (lane + 1) as f32);
        let sum = Lanes([f32x16::new(lanes), f32x16::ZERO]).sum();
        assert_eq!(sum.to_bits(), halved(lanes).to_bits(), "one order on all processors");
        let expected = (LANES * (LANES - 1) / 2) as f32;
        assert!((Lanes::from_row(&row, 0).sum() - expected).abs() < 1e-6);
    }
}
