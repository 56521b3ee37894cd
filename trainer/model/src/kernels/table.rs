//! One block of the first layer's table: packing, row sums and gradients.
//!
//! Reads a position's features; independent of activations and later layers.

// A call per row would cost more than the row; measured: these are not always inlined without the attribute.
#![allow(clippy::inline_always)]

use alfiere_nnue::Inputs;
use rayon::prelude::*;

use super::lanes::{Columns, Lanes};

/// One block of the first layer: a row of [`Lanes`] for each input, the side-to-move row last.
pub(crate) type Table = Vec<Lanes>;

/// Columns of block `block` of a row-major `[inputs][width]` matrix.
pub(crate) fn pack(weights: &[f32], width: usize, columns: Columns, block: usize) -> Table {
    weights.chunks_exact(width).map(|row| columns.read(row, block)).collect()
}

pub(crate) fn side_row(table: &[Lanes]) -> &Lanes {
    &table[table.len() - 1]
}

/// Sums the rows of `table` selected by `features`, for `V` views at once; `features` holds all views of each piece.
/// `start` is the initial value of each view's sum.
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

/// Gradients of one block: table and bias.
#[derive(Clone)]
pub(crate) struct TableGradient {
    pub(crate) table: Table,
    pub(crate) bias: Lanes,
    /// Gradient of the side-to-move row, kept separately while positions are added.
    pub(crate) side: Lanes,
}

impl TableGradient {
    pub(crate) fn zero(inputs: &Inputs) -> Self {
        Self { table: vec![Lanes::ZERO; inputs.count()], bias: Lanes::ZERO, side: Lanes::ZERO }
    }

    /// Adds the gradients of one position with respect to the sums of its views.
    #[inline(always)]
    pub(crate) fn add<const V: usize>(&mut self, gradients: &[Lanes; V], features: &[u16], side_input: bool) {
        for gradient in gradients {
            self.bias.add(gradient);
        }
        if side_input {
            self.side.add(&gradients[0]);
        }
        for (view, gradient) in gradients.iter().enumerate() {
            for piece in features.as_chunks::<V>().0 {
                self.table[usize::from(piece[view])].add(gradient);
            }
        }
    }

    /// Adds the side-to-move gradient to the table.
    pub(crate) fn finish(mut self) -> Self {
        let last = self.table.len() - 1;
        self.table[last].add(&self.side);
        self.side = Lanes::ZERO;
        self
    }

    /// Adds another gradient of the same block.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (row, addend) in self.table.iter_mut().zip(&other.table) {
            row.add(addend);
        }
        self.bias.add(&other.bias);
    }
}

/// Combines the blocks' gradients into the layout of the weights: `[inputs][width]` and `[width]`.
pub(crate) fn unpack(parts: &[TableGradient], width: usize, columns: Columns) -> (Vec<f32>, Vec<f32>) {
    let mut bias = vec![0.0; width];
    for (block, part) in parts.iter().enumerate() {
        columns.write(&part.bias, &mut bias, block);
    }
    let inputs = parts.first().map_or(0, |part| part.table.len());
    let mut table = vec![0.0; inputs * width];
    table.par_chunks_mut(width).with_min_len(64).enumerate().for_each(|(input, row)| {
        for (block, part) in parts.iter().enumerate() {
            columns.write(&part.table[input], row, block);
        }
    });
    (table, bias)
}
