//! The first layer of a deeper network, forwards and backwards: sums of rows, then activation and dropout.
//!
//! Forwards a task takes a run of positions and writes their rows; backwards it takes a block of columns and owns that
//! part of the gradient. Either way the numbers are the same for every number of threads. Knows nothing of burn.

use alfiere::network::{Activation, SIDE_TO_MOVE_INPUT};
use rayon::prelude::*;

use super::batch::SparseBatch;
use super::dense_layer::Shaping;
use super::lanes::{LANES, Lanes, Table, TableGradient, blocks, gather, pack, unpack};

/// Positions that a task takes forwards.
const RUN: usize = 128;

/// The rows `[positions][views * width]` that the layer puts out. `shaping` is `None` for a linear model.
pub(crate) fn forward(table: &[f32], bias: &[f32], shaping: Option<Shaping>, batch: &SparseBatch) -> Vec<f32> {
    match batch.views() {
        1 => forward_as::<1>(table, bias, shaping, batch),
        _ => forward_as::<2>(table, bias, shaping, batch),
    }
}

/// The gradients of table and bias, given the rows put out and their gradients.
pub(crate) fn backward(
    width: usize,
    shaping: Option<Shaping>,
    batch: &SparseBatch,
    rows: &[f32],
    gradients: &[f32],
) -> (Vec<f32>, Vec<f32>) {
    match batch.views() {
        1 => backward_as::<1>(width, shaping, batch, rows, gradients),
        _ => backward_as::<2>(width, shaping, batch, rows, gradients),
    }
}

/// A block's table and what the sums of its views start from.
struct Block {
    table: Table,
    bias: Lanes,
    with_side: Lanes,
}

impl Block {
    fn new(table: &[f32], bias: &[f32], block: usize) -> Self {
        let table = pack(table, bias.len(), block);
        let bias = Lanes::from_row(bias, block * LANES);
        let mut with_side = bias;
        with_side.add(&table[SIDE_TO_MOVE_INPUT]);
        Self { table, bias, with_side }
    }
}

fn activate(shaping: Option<Shaping>, sums: Lanes) -> Lanes {
    match shaping.map(|shaping| shaping.activation) {
        None => sums,
        Some(Activation::ClippedRelu) => sums.clipped(),
        Some(Activation::SquaredClippedRelu) => sums.clipped().squared(),
    }
}

fn forward_as<const V: usize>(table: &[f32], bias: &[f32], shaping: Option<Shaping>, batch: &SparseBatch) -> Vec<f32> {
    let width = bias.len();
    let packed: Vec<Block> = (0..blocks(width)).into_par_iter().map(|block| Block::new(table, bias, block)).collect();
    let mut rows = vec![0.0; batch.len() * V * width];
    rows.par_chunks_mut(RUN * V * width).enumerate().for_each(|(run, rows)| {
        for (index, block) in packed.iter().enumerate() {
            for (row, values) in rows.chunks_exact_mut(V * width).enumerate() {
                let position = batch.position(run * RUN + row);
                let mut start = [&block.bias; V];
                if position.side_input {
                    start[0] = &block.with_side;
                }
                let sums = gather::<V>(&block.table, start, position.features);
                for (view, values) in values.chunks_exact_mut(width).enumerate() {
                    activate(shaping, sums[view]).write_row(values, index * LANES);
                }
            }
        }
        if let Some(drop) = shaping.and_then(|shaping| shaping.drop) {
            drop.apply(rows, run * RUN * V * width);
        }
    });
    rows
}

fn backward_as<const V: usize>(
    width: usize,
    shaping: Option<Shaping>,
    batch: &SparseBatch,
    rows: &[f32],
    gradients: &[f32],
) -> (Vec<f32>, Vec<f32>) {
    let parts: Vec<TableGradient> = (0..blocks(width))
        .into_par_iter()
        .map(|block| {
            let mut sum = TableGradient::zero();
            let (rows, gradients) = (rows.chunks_exact(V * width), gradients.chunks_exact(V * width));
            for (index, (row, gradient)) in rows.zip(gradients).enumerate() {
                let position = batch.position(index);
                let through: [Lanes; V] = std::array::from_fn(|view| {
                    let part = view * width..(view + 1) * width;
                    let upstream = Lanes::from_row(&gradient[part.clone()], block * LANES);
                    back_through(shaping, &row[part], block, upstream)
                });
                sum.add::<V>(&through, position.features, position.side_input);
            }
            sum.finish()
        })
        .collect();
    unpack(&parts, width)
}

/// The gradient before the activation, from what the layer put out and the gradient after it.
#[inline(always)]
#[allow(clippy::inline_always)] // A call for every row would take longer than the row.
fn back_through(shaping: Option<Shaping>, row: &[f32], block: usize, upstream: Lanes) -> Lanes {
    let Some(shaping) = shaping else { return upstream };
    shaping.slope_lanes(&Lanes::from_row(row, block * LANES), upstream)
}
