//! The first layer of a deeper network, forward and backward: sums of table rows, then activation and dropout.
//!
//! In the forward pass a task processes a run of positions; in the backward pass it owns the gradients of a block of
//! columns. Results do not depend on the number of threads. Independent of burn.

use rayon::prelude::*;

use super::dense_layer::LayerOps;
use super::lanes::{Columns, LANES, Lanes, blocks};
use super::scratch::ScratchPool;
use super::table::{Table, TableGradient, gather, pack, side_row, unpack};
use crate::batch::SparseBatch;

/// Positions per forward task.
const RUN: usize = 256;
/// Blocks per backward task with one king bucket: their gradients fit in a core's second-level cache.
const GROUP: usize = 4;
/// Positions whose gradients are read row by row before they are added block by block.
const STAGED: usize = 32;

/// Computes the layer's output rows `[positions][views * width]`. `layer_ops` is `None` for a linear model.
pub(crate) fn forward(
    table: &[f32],
    bias: &[f32],
    layer_ops: Option<LayerOps>,
    batch: &SparseBatch,
    pool: &ScratchPool,
) -> Vec<f32> {
    let mut rows = pool.floats(batch.len() * batch.views() * bias.len());
    match batch.views() {
        1 => forward_as::<1>(table, bias, layer_ops, batch, &mut rows),
        _ => forward_as::<2>(table, bias, layer_ops, batch, &mut rows),
    }
    rows
}

/// Computes the gradients of table and bias from the output rows and their gradients.
pub(crate) fn backward(
    width: usize,
    layer_ops: Option<LayerOps>,
    batch: &SparseBatch,
    rows: &[f32],
    gradients: &[f32],
) -> (Vec<f32>, Vec<f32>) {
    match batch.views() {
        1 => backward_as::<1>(width, layer_ops, batch, rows, gradients),
        _ => backward_as::<2>(width, layer_ops, batch, rows, gradients),
    }
}

/// A block's table and the initial values of the sums of its views.
struct Block {
    table: Table,
    bias: Lanes,
    with_side: Lanes,
}

impl Block {
    fn new(table: &[f32], bias: &[f32], block: usize) -> Self {
        let table = pack(table, bias.len(), Columns::Neighbours, block);
        let bias = Lanes::from_row(bias, block * LANES);
        let mut with_side = bias;
        with_side.add(side_row(&table));
        Self { table, bias, with_side }
    }
}

fn forward_as<const V: usize>(
    table: &[f32],
    bias: &[f32],
    layer_ops: Option<LayerOps>,
    batch: &SparseBatch,
    rows: &mut [f32],
) {
    let width = bias.len();
    let packed: Vec<Block> = (0..blocks(width)).into_par_iter().map(|block| Block::new(table, bias, block)).collect();
    rows.par_chunks_mut(RUN * V * width).enumerate().for_each(|(run, rows)| {
        for (index, block) in packed.iter().enumerate() {
            for (row, values) in rows.chunks_exact_mut(V * width).enumerate() {
                let row = run * RUN + row;
                let position = batch.position(row);
                let mut start = [&block.bias; V];
                if position.side_input {
                    start[0] = &block.with_side;
                }
                let sums = gather::<V>(&block.table, start, position.features);
                for (view, values) in values.chunks_exact_mut(width).enumerate() {
                    let drop = layer_ops.and_then(|layer_ops| layer_ops.drop).map(|drop| drop.row(row * V + view));
                    let activated =
                        layer_ops.map_or(sums[view], |layer_ops| layer_ops.apply_to(sums[view], drop, index));
                    activated.write_row(values, index * LANES);
                }
            }
        }
    });
}

fn backward_as<const V: usize>(
    width: usize,
    layer_ops: Option<LayerOps>,
    batch: &SparseBatch,
    rows: &[f32],
    gradients: &[f32],
) -> (Vec<f32>, Vec<f32>) {
    let mut parts = vec![TableGradient::zero(batch.inputs()); blocks(width)];
    let together = (GROUP / batch.inputs().sets()).max(1);
    parts.par_chunks_mut(together).enumerate().for_each(|(group, parts)| {
        let mut staged = vec![[[Lanes::ZERO; V]; STAGED]; parts.len()];
        let (rows, gradients) = (rows.chunks(STAGED * V * width), gradients.chunks(STAGED * V * width));
        for (stage, (rows, gradients)) in rows.zip(gradients).enumerate() {
            let (rows, gradients) = (rows.chunks_exact(width), gradients.chunks_exact(width));
            let count = rows.len() / V;
            for (row, (values, gradients)) in rows.zip(gradients).enumerate() {
                for (index, staged) in staged.iter_mut().enumerate() {
                    let start = (group * together + index) * LANES;
                    let upstream = Lanes::from_row(gradients, start);
                    staged[row / V][row % V] = match layer_ops {
                        Some(layer_ops) => layer_ops.backward_activation(&Lanes::from_row(values, start), upstream),
                        None => upstream,
                    };
                }
            }
            for (part, staged) in parts.iter_mut().zip(&staged) {
                for (row, through) in staged.iter().enumerate().take(count) {
                    let position = batch.position(stage * STAGED + row);
                    part.add::<V>(through, position.features, position.side_input);
                }
            }
        }
    });
    let parts: Vec<TableGradient> = parts.into_iter().map(TableGradient::finish).collect();
    unpack(&parts, width, Columns::Neighbours)
}
