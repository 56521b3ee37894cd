//! A fused kernel for the first layer of a deeper network and its product with a narrow second layer.
//!
//! Like [`super::fused`], it works on one block of columns at a time: accumulator values go into the product while they
//! are in registers, and the wide matrix of all accumulators is never multiplied as a whole. Sums have a fixed order,
//! so results do not depend on the number of threads. Independent of burn.

use alfiere_nnue::Activation;
use rayon::prelude::*;

use super::batch::SparseBatch;
use super::lanes::{ActivationFunction, Clipped, Columns, LANES, Lanes, SquaredClipped, blocks};
use super::scratch::Scratch;
use super::table::{TableGradient, gather, pack, side_row, unpack};

/// Maximum width of the second layer for this kernel: one row of lanes.
pub(crate) const MAX_WIDTH: usize = LANES;
/// Positions multiplied at once.
const TILE: usize = 4;
/// Positions whose second-layer gradients are added at once.
const GROUP: usize = 8;

/// The weights, in the layout of [`alfiere_nnue::FloatLayer`].
#[derive(Clone, Copy)]
pub(crate) struct Weights<'a> {
    /// `[inputs][width]`
    pub(crate) table: &'a [f32],
    /// `[width]`
    pub(crate) bias: &'a [f32],
    /// `[views * width][stacks][outputs]`, half the number of rows for a pairwise first layer; at most [`MAX_WIDTH`]
    /// outputs.
    pub(crate) second: &'a [f32],
    /// Width of the second layer, per stack.
    pub(crate) outputs: usize,
    /// Number of second layers: one for all positions, or one per output bucket.
    pub(crate) stacks: usize,
}

/// Gradients, in the layout of [`Weights`].
pub(crate) struct Gradients {
    pub(crate) table: Vec<f32>,
    pub(crate) bias: Vec<f32>,
    pub(crate) second: Vec<f32>,
}

/// Calls a generic function with the number of views and the activation as type parameters.
macro_rules! dispatch {
    ($function:ident, $views:expr, $activation:expr, $weights:expr, $($argument:expr),*) => {
        match ($views, $activation) {
            (1, Activation::ClippedRelu) => $function::<1, _>(Clipped, $weights, $($argument),*),
            (1, Activation::SquaredClippedRelu) => $function::<1, _>(SquaredClipped, $weights, $($argument),*),
            (_, Activation::ClippedRelu) => $function::<2, _>(Clipped, $weights, $($argument),*),
            (_, Activation::SquaredClippedRelu) => $function::<2, _>(SquaredClipped, $weights, $($argument),*),
        }
    };
}

/// Computes the second layer's sums without bias, `[positions][outputs]`. The accumulators are left in `hidden`;
/// `partial` is temporary storage.
pub(crate) fn forward(
    weights: Weights<'_>,
    activation: Activation,
    batch: &SparseBatch,
    hidden: &mut Scratch,
    partial: &mut Scratch,
) -> Vec<f32> {
    dispatch!(forward_as, batch.views(), activation, weights, batch, hidden, partial)
}

/// Computes the gradients of the weights from those of the sums.
pub(crate) fn backward(
    weights: Weights<'_>,
    activation: Activation,
    batch: &SparseBatch,
    hidden: &Scratch,
    sums: &[f32],
) -> Gradients {
    dispatch!(backward_as, batch.views(), activation, weights, batch, hidden, sums)
}

impl Weights<'_> {
    /// The rows of a stack's second layer that belong to a block, `[view][lane]`, padded with zeros.
    fn rows<const V: usize>(&self, block: usize, stack: usize) -> [[Lanes; LANES]; V] {
        let lanes = self.lanes(block);
        std::array::from_fn(|view| {
            let row = |lane| {
                let start = self.start(view, block, lane, stack);
                Lanes::from_row(&self.second[start..start + self.outputs], 0)
            };
            std::array::from_fn(|lane| if lane < lanes { row(lane) } else { Lanes::ZERO })
        })
    }

    /// The transpose of [`Self::rows`]: `[view][output]`.
    fn columns<const V: usize>(&self, block: usize, stack: usize) -> [Vec<Lanes>; V] {
        let mut packed: [Vec<Lanes>; V] = std::array::from_fn(|_| vec![Lanes::ZERO; self.outputs]);
        for (view, columns) in packed.iter_mut().enumerate() {
            for (output, column) in columns.iter_mut().enumerate() {
                for lane in 0..self.lanes(block) {
                    column.set(lane, self.second[self.start(view, block, lane, stack) + output]);
                }
            }
        }
        packed
    }

    /// Number of first-layer outputs in a block.
    fn lanes(&self, block: usize) -> usize {
        LANES.min(self.bias.len() - block * LANES)
    }

    /// Index in `second` of the weights of one of these outputs.
    fn start(&self, view: usize, block: usize, lane: usize, stack: usize) -> usize {
        let value = view * self.bias.len() + block * LANES + lane;
        (value * self.stacks + stack) * self.outputs
    }
}

fn forward_as<const V: usize, C: ActivationFunction>(
    curve: C,
    weights: Weights<'_>,
    batch: &SparseBatch,
    hidden: &mut Scratch,
    partial: &mut Scratch,
) -> Vec<f32> {
    let (positions, count, outputs) = (batch.len(), blocks(weights.bias.len()), weights.outputs);
    if positions == 0 {
        return Vec::new();
    }
    let kept = hidden.get(count * positions * V);
    let partial = partial.get(count * positions);
    kept.par_chunks_mut(positions * V).zip(partial.par_chunks_mut(positions)).enumerate().for_each(
        |(block, (kept, partial))| {
            let table = pack(weights.table, weights.bias.len(), Columns::Neighbours, block);
            let bias = Lanes::from_row(weights.bias, block * LANES);
            let mut with_side = bias;
            with_side.add(side_row(&table));
            let kept = kept.as_chunks_mut::<V>().0;
            for (stack, own) in batch.stacks().iter().enumerate() {
                let rows = weights.rows::<V>(block, stack);
                let tiles = kept[own.clone()].chunks_mut(TILE).zip(partial[own.clone()].chunks_mut(TILE));
                for (first, (kept, partial)) in own.step_by(TILE).zip(tiles) {
                    let mut values = [[Lanes::ZERO; TILE]; V];
                    for (row, kept) in kept.iter_mut().enumerate() {
                        let position = batch.position(first + row);
                        let mut start = [&bias; V];
                        if position.side_input {
                            start[0] = &with_side;
                        }
                        let sums = gather::<V>(&table, start, position.features);
                        for view in 0..V {
                            kept[view] = sums[view].clipped();
                            values[view][row] = curve.value(kept[view]);
                        }
                    }
                    partial.copy_from_slice(&product(&values, &rows)[..partial.len()]);
                }
            }
        },
    );
    let mut sums = vec![0.0; positions * outputs];
    sums.par_chunks_mut(outputs).enumerate().with_min_len(256).for_each(|(position, sums)| {
        for part in partial[position..].iter().step_by(positions) {
            for (output, sum) in sums.iter_mut().enumerate() {
                *sum += part.at(output);
            }
        }
    });
    sums
}

/// One block's contribution to the second layer's sums for several positions at once: each row of weights is loaded
/// once for all of them, and their additions are independent.
#[inline]
fn product<const V: usize>(values: &[[Lanes; TILE]; V], rows: &[[Lanes; LANES]; V]) -> [Lanes; TILE] {
    let mut sums = [Lanes::ZERO; TILE];
    for (values, rows) in values.iter().zip(rows) {
        for (lane, row) in rows.iter().enumerate() {
            for position in 0..TILE {
                sums[position].add_scaled(values[position].at(lane), row);
            }
        }
    }
    sums
}

/// Gradients of one block.
struct BlockGradient<const V: usize> {
    table: TableGradient,
    /// `[stack][view][output]`
    second: Vec<[Vec<Lanes>; V]>,
}

fn backward_as<const V: usize, C: ActivationFunction>(
    curve: C,
    weights: Weights<'_>,
    batch: &SparseBatch,
    hidden: &Scratch,
    sums: &[f32],
) -> Gradients {
    let (positions, width) = (batch.len(), weights.bias.len());
    let kept = hidden.content();
    let parts: Vec<BlockGradient<V>> = (0..blocks(width))
        .into_par_iter()
        .map(|block| {
            let columns: Vec<_> = (0..weights.stacks).map(|stack| weights.columns::<V>(block, stack)).collect();
            let kept = &kept[block * positions * V..(block + 1) * positions * V];
            backward_block::<V, C>(curve, &columns, batch, kept, sums)
        })
        .collect();
    let mut second = vec![0.0; weights.second.len()];
    for (block, part) in parts.iter().enumerate() {
        for (stack, views) in part.second.iter().enumerate() {
            for (view, columns) in views.iter().enumerate() {
                for (output, lanes) in columns.iter().enumerate() {
                    for lane in 0..weights.lanes(block) {
                        second[weights.start(view, block, lane, stack) + output] = lanes.at(lane);
                    }
                }
            }
        }
    }
    let tables: Vec<TableGradient> = parts.into_iter().map(|part| part.table).collect();
    let (table, bias) = unpack(&tables, width, Columns::Neighbours);
    Gradients { table, bias, second }
}

fn backward_block<const V: usize, C: ActivationFunction>(
    curve: C,
    stacks: &[[Vec<Lanes>; V]],
    batch: &SparseBatch,
    kept: &[Lanes],
    sums: &[f32],
) -> BlockGradient<V> {
    let mut table = TableGradient::zero(batch.inputs());
    let kept = kept.as_chunks::<V>().0;
    let second = batch.stacks().iter().zip(stacks).map(|(own, columns)| {
        let outputs = columns[0].len();
        let mut second: [Vec<Lanes>; V] = std::array::from_fn(|_| vec![Lanes::ZERO; outputs]);
        let sums = &sums[own.start * outputs..own.end * outputs];
        let groups = kept[own.clone()].chunks(GROUP).zip(sums.chunks(GROUP * outputs));
        for (first, (kept, sums)) in own.step_by(GROUP).zip(groups) {
            let mut values = [[Lanes::ZERO; GROUP]; V];
            for (row, (kept, sums)) in kept.iter().zip(sums.chunks_exact(outputs)).enumerate() {
                let mut through = [Lanes::ZERO; V];
                for view in 0..V {
                    values[view][row] = curve.value(kept[view]);
                    through[view] = curve.gradient(&kept[view], combine(sums, &columns[view]));
                }
                let position = batch.position(first + row);
                table.add::<V>(&through, position.features, position.side_input);
            }
            for (values, second) in values.iter().zip(&mut second) {
                for (output, gradient) in second.iter_mut().enumerate() {
                    let mut sum = *gradient;
                    for (value, sums) in values.iter().zip(sums.chunks_exact(outputs)) {
                        sum.add_scaled(sums[output], value);
                    }
                    *gradient = sum;
                }
            }
        }
        second
    });
    let second = second.collect();
    BlockGradient { table: table.finish(), second }
}

/// The sum of `columns`, each multiplied by its factor.
#[inline]
fn combine(factors: &[f32], columns: &[Lanes]) -> Lanes {
    let mut sum = Lanes::ZERO;
    for (&factor, column) in factors.iter().zip(columns) {
        sum.add_scaled(factor, column);
    }
    sum
}
