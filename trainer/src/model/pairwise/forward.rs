//! The forward pass: from features to the second layer's sums.

use std::ops::Range;

use rayon::prelude::*;
use wide::f32x16;

use super::super::batch::SparseBatch;
use super::super::fused_pair::Weights;
use super::super::scratch::Scratch;
use super::block::{ByteTable, ClippedRow, SecondWeights};
use super::{CHUNK, PAIRS, SCALE, chunk_start};

/// Positions multiplied at once.
const GROUP: usize = 8;
/// Scales the product of two clipped neurons, each 0 to 255, to [0, 1].
const PRODUCT_UNIT: f32 = 1.0 / (SCALE * SCALE);

/// Computes the second layer's sums without bias, `[positions][outputs]`; the clipped accumulators are left in
/// `hidden`.
pub(crate) fn forward(weights: Weights<'_>, batch: &SparseBatch, hidden: &mut Scratch) -> Vec<f32> {
    match batch.views() {
        1 => forward_as::<1>(weights, batch, hidden),
        _ => forward_as::<2>(weights, batch, hidden),
    }
}

fn forward_as<const V: usize>(weights: Weights<'_>, batch: &SparseBatch, hidden: &mut Scratch) -> Vec<f32> {
    let (positions, outputs) = (batch.len(), weights.outputs);
    let blocks = blocks(weights);
    let pairs = weights.bias.len() / 2;
    let tables: Vec<(ByteTable, Vec<SecondWeights<V>>)> = (0..blocks)
        .into_par_iter()
        .map(|block| {
            let second = |stack| {
                SecondWeights::new(block, pairs, outputs, |view, pair, output| {
                    weights.second[((view * pairs + pair) * weights.stacks + stack) * outputs + output] * PRODUCT_UNIT
                })
            };
            (ByteTable::new(weights.table, weights.bias, block), (0..weights.stacks).map(second).collect())
        })
        .collect();
    let hidden = hidden.get_clipped(positions * blocks * V);
    let mut sums = vec![0.0; positions * outputs];
    let chunks = hidden.par_chunks_mut(CHUNK * blocks * V).zip(sums.par_chunks_mut(CHUNK * outputs));
    chunks.enumerate().for_each(|(chunk, (hidden, sums))| {
        let first = chunk * CHUNK;
        let end = (first + CHUNK).min(positions);
        let mut totals = vec![[f32x16::ZERO; 2]; end - first];
        for (block, (table, second)) in tables.iter().enumerate() {
            let start = (chunk_start(chunk, block, blocks, positions) - chunk_start(chunk, 0, blocks, positions)) * V;
            let hidden = &mut hidden[start..][..(end - first) * V];
            for (row, kept) in hidden.as_chunks_mut::<V>().0.iter_mut().enumerate() {
                let position = batch.position(first + row);
                *kept = table.accumulate(position.features, position.side_input);
            }
            for (stack, own) in batch.stacks().iter().enumerate() {
                let own = own.start.max(first)..own.end.min(end);
                if own.is_empty() {
                    continue;
                }
                let own = own.start - first..own.end - first;
                if outputs <= PAIRS {
                    multiply::<V, 1>(hidden, &second[stack], own, &mut totals);
                } else {
                    multiply::<V, 2>(hidden, &second[stack], own, &mut totals);
                }
            }
        }
        for (sums, totals) in sums.chunks_exact_mut(outputs).zip(&totals) {
            for (sums, total) in sums.chunks_mut(PAIRS).zip(totals) {
                sums.copy_from_slice(&total.as_array()[..sums.len()]);
            }
        }
    });
    sums
}

/// Number of blocks that cover the accumulator.
pub(super) fn blocks(weights: Weights<'_>) -> usize {
    (weights.bias.len() / 2).div_ceil(PAIRS)
}

/// Adds a block's contribution to the sums of the positions `own`, with `W` vectors of outputs.
fn multiply<const V: usize, const W: usize>(
    hidden: &[ClippedRow],
    second: &SecondWeights<V>,
    own: Range<usize>,
    totals: &mut [[f32x16; 2]],
) {
    let rows = hidden.as_chunks::<V>().0;
    for (rows, totals) in rows[own.clone()].chunks(GROUP).zip(totals[own].chunks_mut(GROUP)) {
        let mut values = [[[0.0_f32; PAIRS]; V]; GROUP];
        for (values, row) in values.iter_mut().zip(rows) {
            for (values, row) in values.iter_mut().zip(row) {
                let [first, second] = row.halves();
                *values = (first * second).to_array();
            }
        }
        let mut sums = [[f32x16::ZERO; W]; GROUP];
        for view in 0..V {
            for lane in 0..PAIRS {
                let weights = &second.by_pair[view][lane];
                for (sums, values) in sums.iter_mut().zip(&values) {
                    let value = f32x16::splat(values[view][lane]);
                    for (sum, &weight) in sums.iter_mut().zip(weights) {
                        *sum = value.mul_add(weight, *sum);
                    }
                }
            }
        }
        for (totals, sums) in totals.iter_mut().zip(sums) {
            for (total, sum) in totals.iter_mut().zip(sums) {
                *total += sum;
            }
        }
    }
}
