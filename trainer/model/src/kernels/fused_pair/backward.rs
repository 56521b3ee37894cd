//! The backward pass: from the gradients of the second layer's sums to those of the weights.

use rayon::prelude::*;
use wide::f32x16;

use super::super::lanes::{ClippedRow, LANES, Lanes, multiply_add_vectors};
use super::super::scratch::ScratchPool;
use super::block::{Neurons, SecondWeights};
use super::weights::{GROUP, Gradients, Weights};
use crate::batch::{SparseBatch, TILE, Tile};

/// Gradients of one stack's second layer for a block: `[view][vector][output]`, one vector of inputs each.
type SecondGradient<const V: usize, const N: usize> = [[Vec<f32x16>; N]; V];

/// A block's row of the table or of its gradient.
type Row = [f32; LANES];

/// The gradients of a block beside those of the table.
struct BlockGradient<const V: usize, const N: usize> {
    bias: Lanes,
    /// One for each stack.
    second: Vec<SecondGradient<V, N>>,
}

pub(super) fn backward<const V: usize, const N: usize, K: Neurons<N>>(
    kind: K,
    weights: Weights<'_>,
    batch: &SparseBatch,
    hidden: &[ClippedRow],
    sums: &[f32],
    pool: &ScratchPool,
) -> Gradients {
    let inputs = batch.inputs().count();
    let mut table = pool.floats(weights.blocks() * inputs * LANES);
    let parts: Vec<BlockGradient<V, N>> = table
        .par_chunks_mut(inputs * LANES)
        .enumerate()
        .map(|(block, table)| {
            table.fill(0.0);
            backward_block(kind, weights, block, batch, hidden, sums, table.as_chunks_mut().0)
        })
        .collect();
    let mut bias = vec![0.0; weights.bias.len()];
    let mut second = vec![0.0; weights.second.len()];
    for (block, part) in parts.iter().enumerate() {
        weights.columns.write(&part.bias, &mut bias, block);
        for (stack, views) in part.second.iter().enumerate() {
            for (view, vectors) in views.iter().enumerate() {
                for (vector, columns) in vectors.iter().enumerate() {
                    for (output, column) in columns.iter().enumerate() {
                        for (lane, &value) in column.as_array().iter().enumerate() {
                            if let Some(start) = weights.start(view, block * N + vector, lane, stack) {
                                second[start + output] = value;
                            }
                        }
                    }
                }
            }
        }
    }
    Gradients { table, bias, second }
}

fn backward_block<const V: usize, const N: usize, K: Neurons<N>>(
    kind: K,
    weights: Weights<'_>,
    block: usize,
    batch: &SparseBatch,
    hidden: &[ClippedRow],
    sums: &[f32],
    table: &mut [Row],
) -> BlockGradient<V, N> {
    let (positions, outputs) = (batch.len(), weights.outputs);
    let hidden = hidden[block * positions * V..][..positions * V].as_chunks::<V>().0;
    let stacks: Vec<SecondWeights<V, N>> =
        (0..weights.stacks).map(|stack| SecondWeights::new(weights, block, stack)).collect();
    let zeros = || std::array::from_fn(|_| std::array::from_fn(|_| vec![f32x16::ZERO; outputs]));
    let mut second: Vec<SecondGradient<V, N>> = stacks.iter().map(|_| zeros()).collect();
    let (mut bias, mut side) = (Lanes::ZERO, Lanes::ZERO);
    let mut through = [[Lanes::ZERO; V]; TILE];
    for (number, first) in (0..positions).step_by(TILE).enumerate() {
        let end = (first + TILE).min(positions);
        let (kept, sums) = (&hidden[first..end], &sums[first * outputs..end * outputs]);
        let stacks = stacks.iter().zip(&mut second).zip(batch.stacks().within(first..end));
        for ((weights, second), own) in stacks {
            let sums = &sums[own.start * outputs..own.end * outputs];
            accumulate_gradients(kind, weights, &kept[own.clone()], sums, &mut through[own], second);
        }
        for (position, views) in (first..end).zip(&through) {
            for gradient in views {
                bias.add(gradient);
            }
            if batch.position(position).side_input {
                side.add(&views[0]);
            }
        }
        add_tile(table, &batch.tiles()[number], through.as_flattened());
    }
    if let Some(last) = table.last_mut() {
        side.plus(&Lanes::from_row(last, 0)).write_row(last, 0);
    }
    BlockGradient { bias, second }
}

/// Computes the gradients of the accumulators of some positions, and of the second layer's weights.
fn accumulate_gradients<const V: usize, const N: usize, K: Neurons<N>>(
    kind: K,
    weights: &SecondWeights<V, N>,
    kept: &[[ClippedRow; V]],
    sums: &[f32],
    through: &mut [[Lanes; V]],
    second: &mut SecondGradient<V, N>,
) {
    let outputs = weights.by_output[0][0].len();
    let groups = kept.chunks(GROUP).zip(through.chunks_mut(GROUP)).zip(sums.chunks(GROUP * outputs));
    for ((kept, through), sums) in groups {
        // Missing rows have values of 0.
        let mut rows: [&[f32]; GROUP] = [sums; GROUP];
        for (row, sums) in rows.iter_mut().zip(sums.chunks_exact(outputs)) {
            *row = sums;
        }
        for view in 0..V {
            let mut values = [[f32x16::ZERO; N]; GROUP];
            for (values, kept) in values.iter_mut().zip(kept) {
                *values = kind.values(kept[view].neurons());
            }
            let mut upstream = [[f32x16::ZERO; N]; GROUP];
            for vector in 0..N {
                let values = values.map(|values| values[vector]);
                let mut own = [f32x16::ZERO; GROUP];
                let columns = weights.by_output[view][vector].iter().zip(&mut second[view][vector]);
                for (output, (&weight, gradient)) in columns.enumerate() {
                    let mut sum = *gradient;
                    for row in 0..GROUP {
                        let factor = f32x16::splat(rows[row][output]);
                        own[row] = multiply_add_vectors(factor, weight, own[row]);
                        sum = multiply_add_vectors(factor, values[row], sum);
                    }
                    *gradient = sum;
                }
                for (upstream, own) in upstream.iter_mut().zip(own) {
                    upstream[vector] = own;
                }
            }
            for ((through, kept), upstream) in through.iter_mut().zip(kept).zip(upstream) {
                through[view] = kind.gradients(kept[view].neurons(), upstream);
            }
        }
    }
}

/// Adds the gradients of a tile's accumulators to the rows of its features.
fn add_tile(table: &mut [Row], tile: &Tile, gradients: &[Lanes]) {
    assert!(gradients.len() <= 2 * TILE);
    let (mut features, mut places) = (tile.features.as_slice(), tile.rows.as_slice());
    for &(count, own) in &tile.runs {
        let (run, others) = features.split_at(usize::from(own));
        features = others;
        let (own, others) = places.split_at(usize::from(count) * run.len());
        places = others;
        for (&feature, own) in run.iter().zip(own.chunks_exact(usize::from(count))) {
            let row = &mut table[usize::from(feature)];
            add_rows(Lanes::from_row(row, 0), gradients, own).write_row(row, 0);
        }
    }
}

/// Adds the rows at `places` to a sum, four at a time, to shorten the dependency chain.
#[inline(always)]
#[allow(clippy::inline_always)] // A call per feature would cost more than its rows.
fn add_rows(mut sum: Lanes, rows: &[Lanes], places: &[u8]) -> Lanes {
    let (fours, rest) = places.as_chunks::<4>();
    for four in fours {
        let [a, b, c, d] = four.map(|place| rows[usize::from(place)]);
        sum.add(&a.plus(&b).plus(&c.plus(&d)));
    }
    for &place in rest {
        sum.add(&rows[usize::from(place)]);
    }
    sum
}
