//! A fused kernel for clipped networks with one hidden layer, forward and backward, one block of columns at a time.
//!
//! A task processes one block for a run of positions: its part of the first layer's table fits a core's cache, no two
//! tasks write the same data, and sums have a fixed order, so results do not depend on the number of threads.
//! Independent of burn; [`super::operation`] wraps it as a burn operation.

use alfiere_nnue::Activation;
use rayon::prelude::*;

use super::lanes::{ActivationFunction, Clipped, Columns, LANES, Lanes, SquaredClipped, blocks};
use super::scratch::Scratch;
use super::table::{TableGradient, gather, pack, side_row, unpack};
use crate::batch::SparseBatch;

/// Target number of tasks. Narrow networks have few blocks, so their positions are split too.
const TASKS: usize = 8;

/// The weights, in the layout of [`crate::FloatLayer`].
#[derive(Clone, Copy)]
pub(crate) struct Weights<'a> {
    /// `[inputs][width]`
    pub(crate) table: &'a [f32],
    /// `[width]`
    pub(crate) bias: &'a [f32],
    /// `[views * width][buckets]`
    pub(crate) output: &'a [f32],
    /// `[buckets]`
    pub(crate) output_bias: &'a [f32],
}

/// Gradients, in the layout of [`Weights`].
pub(crate) struct Gradients {
    pub(crate) table: Vec<f32>,
    pub(crate) bias: Vec<f32>,
    pub(crate) output: Vec<f32>,
    pub(crate) output_bias: Vec<f32>,
}

impl Weights<'_> {
    fn width(&self) -> usize {
        self.bias.len()
    }

    fn buckets(&self) -> usize {
        self.output_bias.len()
    }

    /// Output weights of a block, `[bucket][view]`.
    fn pack_output<const V: usize>(&self, block: usize) -> Vec<[Lanes; V]> {
        let (width, buckets) = (self.width(), self.buckets());
        let columns = block * LANES..width.min((block + 1) * LANES);
        let mut packed = vec![[Lanes::ZERO; V]; buckets];
        for (bucket, views) in packed.iter_mut().enumerate() {
            for (view, lanes) in views.iter_mut().enumerate() {
                for column in columns.clone() {
                    let weight = self.output[(view * width + column) * buckets + bucket];
                    lanes.set(column - columns.start, weight);
                }
            }
        }
        packed
    }
}

/// Number of positions per run; depends only on the numbers of positions and blocks.
fn run_length(positions: usize, blocks: usize) -> usize {
    positions.div_ceil((TASKS / blocks).max(1)).max(1)
}

/// Computes the outputs of all positions; the hidden activations are left in `hidden` for [`backward`].
pub(crate) fn forward(
    weights: Weights<'_>,
    activation: Activation,
    batch: &SparseBatch,
    hidden: &mut Scratch,
) -> Vec<f32> {
    match (activation, batch.views()) {
        (Activation::SquaredClippedRelu, 1) => forward_as::<1, _>(weights, SquaredClipped, batch, hidden),
        (Activation::SquaredClippedRelu, _) => forward_as::<2, _>(weights, SquaredClipped, batch, hidden),
        (_, 1) => forward_as::<1, _>(weights, Clipped, batch, hidden),
        (_, _) => forward_as::<2, _>(weights, Clipped, batch, hidden),
    }
}

/// Computes the gradients of the weights from those of the outputs.
pub(crate) fn backward(
    weights: Weights<'_>,
    activation: Activation,
    batch: &SparseBatch,
    hidden: &Scratch,
    outputs: &[f32],
) -> Gradients {
    match (activation, batch.views()) {
        (Activation::SquaredClippedRelu, 1) => backward_as::<1, _>(weights, SquaredClipped, batch, hidden, outputs),
        (Activation::SquaredClippedRelu, _) => backward_as::<2, _>(weights, SquaredClipped, batch, hidden, outputs),
        (_, 1) => backward_as::<1, _>(weights, Clipped, batch, hidden, outputs),
        (_, _) => backward_as::<2, _>(weights, Clipped, batch, hidden, outputs),
    }
}

fn forward_as<const V: usize, C: ActivationFunction>(
    weights: Weights<'_>,
    curve: C,
    batch: &SparseBatch,
    hidden: &mut Scratch,
) -> Vec<f32> {
    let (positions, count) = (batch.len(), blocks(weights.width()));
    if positions == 0 {
        return Vec::new();
    }
    let run = run_length(positions, count);
    let kept = hidden.get(count * positions * V);
    let mut partial = vec![0.0; count * positions];
    kept.par_chunks_mut(positions * V).zip(partial.par_chunks_mut(positions)).enumerate().for_each(
        |(block, (kept, partial))| {
            let table = pack(weights.table, weights.width(), Columns::Neighbours, block);
            let bias = Lanes::from_row(weights.bias, block * LANES);
            let mut with_side = bias;
            with_side.add(side_row(&table));
            let output = weights.pack_output::<V>(block);
            kept.par_chunks_mut(run * V).zip(partial.par_chunks_mut(run)).enumerate().for_each(
                |(index, (kept, partial))| {
                    for (row, (kept, partial)) in kept.as_chunks_mut::<V>().0.iter_mut().zip(partial).enumerate() {
                        let position = batch.position(index * run + row);
                        let mut start = [&bias; V];
                        if position.side_input {
                            start[0] = &with_side;
                        }
                        let sums = gather::<V>(&table, start, position.features);
                        let output = &output[position.bucket];
                        let mut total = Lanes::ZERO;
                        for view in 0..V {
                            kept[view] = sums[view].clipped();
                            total.add_product(&curve.value(kept[view]), &output[view]);
                        }
                        *partial = total.sum();
                    }
                },
            );
        },
    );
    (0..positions)
        .map(|position| {
            let blocks = partial[position..].iter().step_by(positions);
            weights.output_bias[batch.bucket(position)] + blocks.sum::<f32>()
        })
        .collect()
}

struct BlockGradient<const V: usize> {
    table: TableGradient,
    output: Vec<[Lanes; V]>,
}

fn backward_as<const V: usize, C: ActivationFunction>(
    weights: Weights<'_>,
    curve: C,
    batch: &SparseBatch,
    hidden: &Scratch,
    outputs: &[f32],
) -> Gradients {
    let (positions, count) = (batch.len(), blocks(weights.width()));
    let run = run_length(positions, count);
    let kept = hidden.content();
    let parts: Vec<BlockGradient<V>> = (0..count)
        .into_par_iter()
        .map(|block| {
            let output = weights.pack_output::<V>(block);
            let kept = &kept[block * positions * V..(block + 1) * positions * V];
            let runs: Vec<BlockGradient<V>> = kept
                .par_chunks(run * V)
                .enumerate()
                .map(|(index, kept)| backward_run(&output, curve, batch, kept, index * run, outputs))
                .collect();
            merge(runs, batch)
        })
        .collect();
    assemble(weights, batch, outputs, parts)
}

/// Processes one block for one run of positions starting at `first`.
fn backward_run<const V: usize, C: ActivationFunction>(
    output: &[[Lanes; V]],
    curve: C,
    batch: &SparseBatch,
    kept: &[Lanes],
    first: usize,
    outputs: &[f32],
) -> BlockGradient<V> {
    let mut table = TableGradient::zero(batch.inputs());
    let mut output_gradient = vec![[Lanes::ZERO; V]; output.len()];
    for (row, kept) in kept.as_chunks::<V>().0.iter().enumerate() {
        let position = batch.position(first + row);
        let upstream = outputs[first + row];
        let (weights, gradient) = (&output[position.bucket], &mut output_gradient[position.bucket]);
        let mut sums = [Lanes::ZERO; V];
        for view in 0..V {
            gradient[view].add_scaled(upstream, &curve.value(kept[view]));
            sums[view] = curve.gradient(&kept[view], weights[view].scaled(upstream));
        }
        table.add::<V>(&sums, position.features, position.side_input);
    }
    BlockGradient { table: table.finish(), output: output_gradient }
}

/// Sums the runs of a block in order.
fn merge<const V: usize>(runs: Vec<BlockGradient<V>>, batch: &SparseBatch) -> BlockGradient<V> {
    let mut runs = runs.into_iter();
    let none = || BlockGradient { table: TableGradient::zero(batch.inputs()).finish(), output: Vec::new() };
    let mut sum = runs.next().unwrap_or_else(none);
    for run in runs {
        sum.table.merge(&run.table);
        for (views, addends) in sum.output.iter_mut().zip(&run.output) {
            for (lanes, addend) in views.iter_mut().zip(addends) {
                lanes.add(addend);
            }
        }
    }
    sum
}

/// Combines the blocks' gradients into the layout of the weights.
fn assemble<const V: usize>(
    weights: Weights<'_>,
    batch: &SparseBatch,
    outputs: &[f32],
    parts: Vec<BlockGradient<V>>,
) -> Gradients {
    let (width, buckets) = (weights.width(), weights.buckets());
    let (tables, heads): (Vec<TableGradient>, Vec<_>) = parts.into_iter().map(|part| (part.table, part.output)).unzip();
    let (table, bias) = unpack(&tables, width, Columns::Neighbours);
    let mut gradients =
        Gradients { table, bias, output: vec![0.0; weights.output.len()], output_bias: vec![0.0; buckets] };
    for (block, head) in heads.iter().enumerate() {
        let columns = block * LANES..width.min((block + 1) * LANES);
        for (bucket, views) in head.iter().enumerate() {
            for (view, lanes) in views.iter().enumerate() {
                for column in columns.clone() {
                    gradients.output[(view * width + column) * buckets + bucket] = lanes.at(column - columns.start);
                }
            }
        }
    }
    for (position, &output) in outputs.iter().enumerate() {
        gradients.output_bias[batch.bucket(position)] += output;
    }
    gradients
}
