//! The forward pass: from features to the second layer's sums.

use rayon::prelude::*;
use wide::{f32x16, i8x32, i16x32};

use super::super::lanes::{ClippedRow, VECTOR, multiply_add_vectors};
use super::super::scratch::Scratch;
use super::block::{IntegerTable, Neurons, SecondWeights, WeightRow};
use super::weights::{GROUP, Weights};
use crate::batch::{SparseBatch, TILE};

/// Positions whose accumulators are computed by one task.
const TASK: usize = 1 << 12;
/// Positions whose second layer is computed by one task: their sums fit in the second-level cache.
const CHUNK: usize = 8 * TILE;

pub(super) fn forward<const V: usize, const N: usize, K: Neurons<N>>(
    kind: K,
    weights: Weights<'_>,
    batch: &SparseBatch,
    hidden: &mut Scratch,
) -> Vec<f32> {
    let (positions, outputs, blocks) = (batch.len(), weights.outputs, weights.blocks());
    if positions == 0 {
        return Vec::new();
    }
    let hidden = hidden.get_clipped(blocks * positions * V);
    if weights.is_wide {
        accumulate::<V, i16x32>(weights, batch, hidden);
    } else {
        accumulate::<V, i8x32>(weights, batch, hidden);
    }
    let second = |block| (0..weights.stacks).map(|stack| SecondWeights::new(weights, block, stack)).collect();
    let second: Vec<Vec<SecondWeights<V, N>>> = (0..blocks).into_par_iter().map(second).collect();
    let hidden = &*hidden;
    let mut sums = vec![0.0; positions * outputs];
    sums.par_chunks_mut(CHUNK * outputs).enumerate().for_each(|(chunk, sums)| {
        let first = chunk * CHUNK;
        let end = (first + CHUNK).min(positions);
        let mut totals = vec![[f32x16::ZERO; 2]; end - first];
        for (second, hidden) in second.iter().zip(hidden.chunks_exact(positions * V)) {
            let rows = &hidden.as_chunks::<V>().0[first..end];
            for (second, own) in second.iter().zip(batch.stacks().within(first..end)) {
                let (rows, totals) = (&rows[own.clone()], &mut totals[own]);
                if outputs <= VECTOR {
                    multiply::<V, N, 1, K>(kind, rows, second, totals);
                } else {
                    multiply::<V, N, 2, K>(kind, rows, second, totals);
                }
            }
        }
        for (sums, totals) in sums.chunks_exact_mut(outputs).zip(&totals) {
            for (sums, total) in sums.chunks_mut(VECTOR).zip(totals) {
                sums.copy_from_slice(&total.as_array()[..sums.len()]);
            }
        }
    });
    sums
}

/// Computes the clipped accumulators of all blocks.
fn accumulate<const V: usize, R: WeightRow>(weights: Weights<'_>, batch: &SparseBatch, hidden: &mut [ClippedRow]) {
    hidden.par_chunks_mut(batch.len() * V).enumerate().for_each(|(block, hidden)| {
        let table = IntegerTable::<R>::new(weights, block);
        hidden.par_chunks_mut(TASK * V).enumerate().for_each(|(task, hidden)| {
            for (position, kept) in (task * TASK..).zip(hidden.as_chunks_mut::<V>().0) {
                let position = batch.position(position);
                *kept = table.accumulate(position.features, position.side_input);
            }
        });
    });
}

/// Adds a block's contribution to the sums of some positions, with `W` vectors of outputs.
fn multiply<const V: usize, const N: usize, const W: usize, K: Neurons<N>>(
    kind: K,
    rows: &[[ClippedRow; V]],
    second: &SecondWeights<V, N>,
    totals: &mut [[f32x16; 2]],
) {
    for (rows, totals) in rows.chunks(GROUP).zip(totals.chunks_mut(GROUP)) {
        let mut values = [[[[0.0_f32; VECTOR]; N]; V]; GROUP];
        for (values, row) in values.iter_mut().zip(rows) {
            for (values, row) in values.iter_mut().zip(row) {
                *values = kind.values(row.neurons()).map(f32x16::to_array);
            }
        }
        let mut sums = [[f32x16::ZERO; W]; GROUP];
        for view in 0..V {
            for vector in 0..N {
                for lane in 0..VECTOR {
                    let weights = &second.by_input[view][vector][lane];
                    for (sums, values) in sums.iter_mut().zip(&values) {
                        let value = f32x16::splat(values[view][vector][lane]);
                        for (sum, &weight) in sums.iter_mut().zip(weights) {
                            *sum = multiply_add_vectors(value, weight, *sum);
                        }
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
