//! Blocks of columns: the unit in which the sparse kernels work.
//!
//! A row of 32 floats is two cache lines and two AVX-512 registers; 769 of them (98 KB) stay in a core's second-level
//! cache together with their gradients. Everything here is a plain loop over an array of known length, which the
//! compiler turns into vector code. Knows nothing of layers.

// A call for every row of 32 would cost more than the row; measured, these are not always inlined without it.
#![allow(clippy::inline_always)]

use alfiere::network::{INPUTS, SIDE_TO_MOVE_INPUT};
use rayon::prelude::*;

/// Columns in a block.
pub(crate) const LANES: usize = 32;

/// One row of a block.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub [f32; LANES]);

/// `a * b + c`, in one instruction where the processor has it; elsewhere a call would cost more than it saves.
#[inline(always)]
fn multiply_add(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(target_feature = "fma") { a.mul_add(b, c) } else { a * b + c }
}

impl Lanes {
    pub(crate) const ZERO: Self = Self([0.0; LANES]);

    #[inline(always)]
    pub(crate) fn add(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a += b;
        }
    }

    /// `self += factor * other`
    #[inline(always)]
    pub(crate) fn add_scaled(&mut self, factor: f32, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a = multiply_add(factor, *b, *a);
        }
    }

    #[inline(always)]
    pub(crate) fn clipped(mut self) -> Self {
        for a in &mut self.0 {
            *a = a.clamp(0.0, 1.0);
        }
        self
    }

    #[inline(always)]
    pub(crate) fn squared(mut self) -> Self {
        for a in &mut self.0 {
            *a *= *a;
        }
        self
    }

    #[inline(always)]
    pub(crate) fn times(mut self, other: &Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a *= b;
        }
        self
    }

    /// The sum of all lanes, always added in the same order.
    #[inline(always)]
    pub(crate) fn sum(&self) -> f32 {
        let mut half: [f32; LANES / 2] = std::array::from_fn(|lane| self.0[lane] + self.0[lane + LANES / 2]);
        let mut width = LANES / 4;
        while width > 0 {
            for lane in 0..width {
                half[lane] += half[lane + width];
            }
            width /= 2;
        }
        half[0]
    }

    /// Columns `start..` of a row, with zeros where the row ends.
    #[inline(always)]
    pub(crate) fn from_row(row: &[f32], start: usize) -> Self {
        let mut lanes = Self::ZERO;
        let part = &row[start..row.len().min(start + LANES)];
        lanes.0[..part.len()].copy_from_slice(part);
        lanes
    }

    /// Writes the columns `start..` of a row, as many as it has.
    #[inline(always)]
    pub(crate) fn write_row(&self, row: &mut [f32], start: usize) {
        let end = row.len().min(start + LANES);
        let part = &mut row[start..end];
        part.copy_from_slice(&self.0[..part.len()]);
    }
}

/// How an activation acts on values that are clipped to [0, 1] already.
pub(crate) trait Curve: Copy + Send + Sync {
    /// The activation of a clipped value.
    fn value(self, clipped: Lanes) -> Lanes;
    /// `upstream` times the derivative, from the clipped value.
    fn gradient(self, clipped: &Lanes, upstream: Lanes) -> Lanes;
}

/// Clipped `ReLU`.
#[derive(Clone, Copy)]
pub(crate) struct Clipped;
/// Squared clipped `ReLU`.
#[derive(Clone, Copy)]
pub(crate) struct SquaredClipped;

impl Curve for Clipped {
    #[inline(always)]
    fn value(self, clipped: Lanes) -> Lanes {
        clipped
    }

    #[inline(always)]
    fn gradient(self, clipped: &Lanes, mut upstream: Lanes) -> Lanes {
        for (gradient, &value) in upstream.0.iter_mut().zip(&clipped.0) {
            *gradient = if value > 0.0 && value < 1.0 { *gradient } else { 0.0 };
        }
        upstream
    }
}

impl Curve for SquaredClipped {
    #[inline(always)]
    fn value(self, clipped: Lanes) -> Lanes {
        clipped.squared()
    }

    #[inline(always)]
    fn gradient(self, clipped: &Lanes, mut upstream: Lanes) -> Lanes {
        for (gradient, &value) in upstream.0.iter_mut().zip(&clipped.0) {
            *gradient = if value < 1.0 { 2.0 * value * *gradient } else { 0.0 };
        }
        upstream
    }
}

/// One block of the first layer: 769 rows of [`Lanes`].
pub(crate) type Table = Vec<Lanes>;

/// Columns of block `block` of a row-major `[769][width]` matrix.
pub(crate) fn pack(weights: &[f32], width: usize, block: usize) -> Table {
    weights.chunks_exact(width).map(|row| Lanes::from_row(row, block * LANES)).collect()
}

/// How many blocks cover `width` columns.
pub(crate) const fn blocks(width: usize) -> usize {
    width.div_ceil(LANES)
}

/// Sums of the rows of `table` that `features` name, for `V` views at once; `features` holds view after view for
/// each piece. `start` is what each view's sum starts from.
#[inline(always)]
pub(crate) fn gather<const V: usize>(table: &[Lanes], start: [&Lanes; V], features: &[u16]) -> [Lanes; V] {
    let mut sums: [Lanes; V] = std::array::from_fn(|view| *start[view]);
    for piece in features.as_chunks::<V>().0 {
        for view in 0..V {
            sums[view].add(&table[usize::from(piece[view])]);
        }
    }
    sums
}

/// Adds each view's gradient to the rows that its features name.
#[inline(always)]
pub(crate) fn scatter<const V: usize>(table: &mut [Lanes], gradients: &[Lanes; V], features: &[u16]) {
    for (view, gradient) in gradients.iter().enumerate() {
        for piece in features.as_chunks::<V>().0 {
            table[usize::from(piece[view])].add(gradient);
        }
    }
}

/// Gradients of one block: of the table, and of the bias.
#[derive(Clone)]
pub(crate) struct TableGradient {
    pub(crate) table: Table,
    pub(crate) bias: Lanes,
    /// Of the side to move's row, kept apart while positions are added.
    side: Lanes,
}

impl TableGradient {
    pub(crate) fn zero() -> Self {
        Self { table: vec![Lanes::ZERO; INPUTS], bias: Lanes::ZERO, side: Lanes::ZERO }
    }

    /// Adds one position's gradients with respect to the sums of its views.
    #[inline(always)]
    pub(crate) fn add<const V: usize>(&mut self, gradients: &[Lanes; V], features: &[u16], side_input: bool) {
        for gradient in gradients {
            self.bias.add(gradient);
        }
        if side_input {
            self.side.add(&gradients[0]);
        }
        scatter(&mut self.table, gradients, features);
    }

    /// Moves the side to move's row to its place.
    pub(crate) fn finish(mut self) -> Self {
        self.table[SIDE_TO_MOVE_INPUT].add(&self.side);
        self.side = Lanes::ZERO;
        self
    }

    /// Adds the gradient of other positions.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (row, addend) in self.table.iter_mut().zip(&other.table) {
            row.add(addend);
        }
        self.bias.add(&other.bias);
    }
}

/// The blocks' gradients in the shape of the weights: `[769][width]` and `[width]`.
pub(crate) fn unpack(parts: &[TableGradient], width: usize) -> (Vec<f32>, Vec<f32>) {
    let mut bias = vec![0.0; width];
    for (block, part) in parts.iter().enumerate() {
        part.bias.write_row(&mut bias, block * LANES);
    }
    let mut table = vec![0.0; INPUTS * width];
    table.par_chunks_mut(width).with_min_len(64).enumerate().for_each(|(input, row)| {
        for (block, part) in parts.iter().enumerate() {
            part.table[input].write_row(row, block * LANES);
        }
    });
    (table, bias)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_cut_and_padded() {
        let row: Vec<f32> = (0..40).map(|value| value as f32).collect();
        let last = Lanes::from_row(&row, 32);
        assert_eq!(last.0[..9], [32.0, 33.0, 34.0, 35.0, 36.0, 37.0, 38.0, 39.0, 0.0]);
        let mut back = vec![0.0; 40];
        Lanes::from_row(&row, 0).write_row(&mut back, 0);
        last.write_row(&mut back, 32);
        assert_eq!(back, row);
        assert!((Lanes::from_row(&row, 0).sum() - 496.0).abs() < 1e-6);
    }
}
