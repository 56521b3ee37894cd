//! Accumulators of the first layer: sums of weight rows, updated incrementally.

use wide::{i8x32, i16x32, i32x8};

/// Vectors kept in registers while rows are added to them.
const BLOCK: usize = 16;

/// 16-bit weights of an input and its PSQT value for each stack.
#[derive(Clone, Debug)]
pub(super) struct WideRow {
    pub(super) weights: [i16x32; VECTORS],
    pub(super) material: i32x8,
}

/// 8-bit weights of an input and its PSQT values, stored together because they are always read together.
#[derive(Clone, Debug)]
pub(super) struct NarrowRow {
    pub(super) weights: [i8x32; VECTORS],
    pub(super) material: i32x8,
}

/// A row that an accumulator can add or subtract.
pub(super) trait Row {
    /// The weights of `LANES` neurons.
    fn weights(&self, vector: usize) -> i16x32;

    /// PSQT value for each stack.
    fn material(&self) -> i32x8;
}

impl Row for WideRow {
    #[inline]
    fn weights(&self, vector: usize) -> i16x32 {
        self.weights[vector]
    }

    #[inline]
    fn material(&self) -> i32x8 {
        self.material
    }
}

impl Row for NarrowRow {
    #[inline]
    fn weights(&self, vector: usize) -> i16x32 {
        i16x32::from_i8x32(self.weights[vector])
    }

    #[inline]
    fn material(&self) -> i32x8 {
        self.material
    }
}

impl WideRow {
    pub(super) const ZERO: Self = Self { weights: [i16x32::ZERO; VECTORS], material: i32x8::ZERO };

    /// Creates a row from the weights of all neurons.
    pub(super) fn new(weights: &[i16]) -> Self {
        Self { weights: vectors(weights), ..Self::ZERO }
    }
}

impl NarrowRow {
    pub(super) const ZERO: Self = Self { weights: [i8x32::ZERO; VECTORS], material: i32x8::ZERO };

    /// Creates a row from the weight bytes of all neurons.
    pub(super) fn new(bytes: &[u8]) -> Self {
        let mut row = Self::ZERO;
        for (vector, chunk) in row.weights.iter_mut().zip(bytes.as_chunks::<LANES>().0) {
            *vector = i8x32::new(chunk.map(u8::cast_signed));
        }
        row
    }
}

/// Packs the numbers of all neurons into vectors.
pub(super) fn vectors(numbers: &[i16]) -> [i16x32; VECTORS] {
    let mut vectors = [i16x32::ZERO; VECTORS];
    for (vector, &chunk) in vectors.iter_mut().zip(numbers.as_chunks::<LANES>().0) {
        *vector = i16x32::new(chunk);
    }
    vectors
}

/// Sum over the active inputs of one view.
#[derive(Clone, Debug)]
pub(super) struct Accumulator {
    pub(super) sums: [i16x32; VECTORS],
    pub(super) material: i32x8,
}

impl Accumulator {
    /// Creates an accumulator without active inputs.
    pub(super) fn new(bias: &[i16x32; VECTORS]) -> Self {
        Self { sums: *bias, material: i32x8::ZERO }
    }

    /// Adds and subtracts rows.
    pub(super) fn update<R: Row>(&mut self, rows: &[R], added: &[u16], removed: &[u16]) {
        for (index, sums) in self.sums.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
            let mut block = *sums;
            for &input in added {
                let row = &rows[usize::from(input)];
                for (offset, sum) in block.iter_mut().enumerate() {
                    *sum += row.weights(index * BLOCK + offset);
                }
            }
            for &input in removed {
                let row = &rows[usize::from(input)];
                for (offset, sum) in block.iter_mut().enumerate() {
                    *sum -= row.weights(index * BLOCK + offset);
                }
            }
            *sums = block;
        }
        for &input in added {
            self.material += rows[usize::from(input)].material();
        }
        for &input in removed {
            self.material -= rows[usize::from(input)].material();
        }
    }
}

/// Neurons per view.
pub(super) const WIDTH: usize = 1024;
/// 16-bit numbers per vector.
pub(super) const LANES: usize = 32;
/// Vectors per accumulator.
pub(super) const VECTORS: usize = WIDTH / LANES;
