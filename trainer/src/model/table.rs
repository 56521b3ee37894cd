//! One block of the first layer's table: how it is cut out, what its rows add up to, and its gradient.
//!
//! Knows which inputs a position has, and nothing of activations and later layers.

// A call for every row would cost more than the row; measured, these are not always inlined without it.
#![allow(clippy::inline_always)]

use alfiere_nnue::Inputs;
use rayon::prelude::*;

use super::lanes::{Columns, Lanes};

/// One block of the first layer: a row of [`Lanes`] for each input, the side to move's last.
pub(crate) type Table = Vec<Lanes>;

/// Columns of block `block` of a row-major `[inputs][width]` matrix.
pub(crate) fn pack(weights: &[f32], width: usize, columns: Columns, block: usize) -> Table {
    weights.chunks_exact(width).map(|row| columns.read(row, block)).collect()
}

/// What the side to move adds.
pub(crate) fn side_row(table: &[Lanes]) -> &Lanes {
    &table[table.len() - 1]
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
    pub(crate) side: Lanes,
}

impl TableGradient {
    pub(crate) fn zero(inputs: Inputs) -> Self {
        Self { table: vec![Lanes::ZERO; inputs.count()], bias: Lanes::ZERO, side: Lanes::ZERO }
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
        let last = self.table.len() - 1;
        self.table[last].add(&self.side);
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

/// The blocks' gradients in the shape of the weights: `[inputs][width]` and `[width]`.
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
