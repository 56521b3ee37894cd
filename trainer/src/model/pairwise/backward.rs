//! The backward pass: from the gradients of the second layer's sums to those of the weights.

use std::ops::Range;

use rayon::prelude::*;
use wide::f32x16;

use super::super::batch::SparseBatch;
use super::super::fused_pair::{Gradients, Weights};
use super::super::lanes::{Columns, Lanes};
use super::super::table::{TableGradient, unpack};
use super::block::{ClippedRow, SecondWeights};
use super::forward::blocks;
use super::tiles::Tile;
use super::{CHUNK, PAIRS, SCALE, TILE, chunk_start};

/// Positions processed at once.
const GROUP: usize = 8;

/// Gradients of one block.
struct BlockGradient<const V: usize> {
    table: TableGradient,
    /// `[stack][view][output]`, one vector of pairs each.
    second: Vec<[Vec<f32x16>; V]>,
}

/// Computes the gradients of the weights from those of the second layer's sums and the accumulators saved by
/// [`super::forward`].
pub(crate) fn backward(weights: Weights<'_>, batch: &SparseBatch, hidden: &[ClippedRow], sums: &[f32]) -> Gradients {
    match batch.views() {
        1 => backward_as::<1>(weights, batch, hidden, sums),
        _ => backward_as::<2>(weights, batch, hidden, sums),
    }
}

fn backward_as<const V: usize>(
    weights: Weights<'_>,
    batch: &SparseBatch,
    hidden: &[ClippedRow],
    sums: &[f32],
) -> Gradients {
    let (width, outputs, stacks) = (weights.bias.len(), weights.outputs, weights.stacks);
    let pairs = width / 2;
    let place = |view: usize, pair: usize, stack: usize, output: usize| {
        ((view * pairs + pair) * stacks + stack) * outputs + output
    };
    let parts: Vec<BlockGradient<V>> = (0..blocks(weights))
        .into_par_iter()
        .map(|block| {
            let second: Vec<SecondWeights<V>> = (0..stacks)
                .map(|stack| {
                    SecondWeights::new(block, pairs, outputs, |view, pair, output| {
                        weights.second[place(view, pair, stack, output)]
                    })
                })
                .collect();
            backward_block(&second, block, blocks(weights), batch, hidden, sums, outputs)
        })
        .collect();
    let mut second = vec![0.0; weights.second.len()];
    for (block, part) in parts.iter().enumerate() {
        for (stack, views) in part.second.iter().enumerate() {
            for (view, columns) in views.iter().enumerate() {
                for (output, column) in columns.iter().enumerate() {
                    for (lane, &value) in column.as_array().iter().enumerate() {
                        let pair = block * PAIRS + lane;
                        if pair < pairs {
                            second[place(view, pair, stack, output)] = value;
                        }
                    }
                }
            }
        }
    }
    let tables: Vec<TableGradient> = parts.into_iter().map(|part| part.table).collect();
    let (table, bias) = unpack(&tables, width, Columns::Halves);
    Gradients { table, bias, second }
}

fn backward_block<const V: usize>(
    weights: &[SecondWeights<V>],
    block: usize,
    blocks: usize,
    batch: &SparseBatch,
    hidden: &[ClippedRow],
    sums: &[f32],
    outputs: usize,
) -> BlockGradient<V> {
    let positions = batch.len();
    let mut table = TableGradient::zero(batch.inputs());
    let mut second: Vec<[Vec<f32x16>; V]> =
        weights.iter().map(|_| std::array::from_fn(|_| vec![f32x16::ZERO; outputs])).collect();
    let mut through = [[Lanes::ZERO; V]; TILE];
    for first in (0..positions).step_by(TILE) {
        let end = (first + TILE).min(positions);
        let chunk = first / CHUNK;
        let kept = (chunk_start(chunk, block, blocks, positions) + first % CHUNK) * V;
        let kept = hidden[kept..][..(end - first) * V].as_chunks::<V>().0;
        for (stack, own) in batch.stacks().iter().enumerate() {
            let own = own.start.max(first)..own.end.min(end);
            if !own.is_empty() {
                let sums = &sums[own.start * outputs..own.end * outputs];
                let own = own.start - first..own.end - first;
                accumulate_gradients(&weights[stack], kept, own, sums, &mut through, &mut second[stack]);
            }
        }
        table.add_tile(batch, first, &through, end - first);
    }
    BlockGradient { table: table.finish(), second }
}

/// Computes the gradients of the accumulators of positions `own` of a tile, and of the second layer's weights.
fn accumulate_gradients<const V: usize>(
    weights: &SecondWeights<V>,
    kept: &[[ClippedRow; V]],
    own: Range<usize>,
    sums: &[f32],
    through: &mut [[Lanes; V]; TILE],
    second: &mut [Vec<f32x16>; V],
) {
    let outputs = weights.by_output[0].len();
    let groups = kept[own.clone()].chunks(GROUP).zip(through[own].chunks_mut(GROUP)).zip(sums.chunks(GROUP * outputs));
    let unit = f32x16::splat(1.0 / SCALE);
    for ((kept, through), sums) in groups {
        let mut rows: [&[f32]; GROUP] = [sums; GROUP];
        for (row, sums) in rows.iter_mut().zip(sums.chunks_exact(outputs)) {
            *row = sums;
        }
        for view in 0..V {
            let mut halves = [[f32x16::ZERO; 2]; GROUP];
            let mut products = [f32x16::ZERO; GROUP];
            for ((halves, product), kept) in halves.iter_mut().zip(&mut products).zip(kept) {
                *halves = kept[view].halves().map(|half| half * unit);
                *product = halves[0] * halves[1];
            }
            let mut upstream = [f32x16::ZERO; GROUP];
            for (output, (&weight, gradient)) in weights.by_output[view].iter().zip(&mut second[view]).enumerate() {
                let mut sum = *gradient;
                for row in 0..GROUP {
                    let factor = f32x16::splat(rows[row][output]);
                    upstream[row] = factor.mul_add(weight, upstream[row]);
                    sum = factor.mul_add(products[row], sum);
                }
                *gradient = sum;
            }
            for ((through, halves), upstream) in through.iter_mut().zip(halves).zip(upstream) {
                through[view] = Lanes::of_factors(halves, upstream);
            }
        }
    }
}

impl TableGradient {
    /// Adds the gradients of a tile's accumulators.
    fn add_tile<const V: usize>(
        &mut self,
        batch: &SparseBatch,
        first: usize,
        through: &[[Lanes; V]; TILE],
        own: usize,
    ) {
        for (row, views) in through[..own].iter().enumerate() {
            for gradient in views {
                self.bias.add(gradient);
            }
            if batch.position(first + row).side_input {
                self.side.add(&views[0]);
            }
        }
        let rows = through.as_flattened();
        assert!(rows.len() <= 2 * TILE);
        let Tile { runs, features, rows: places } = batch.tiles().get(first / TILE);
        let (mut features, mut places) = (features.as_slice(), places.as_slice());
        for &(count, own) in runs {
            let (run, others) = features.split_at(usize::from(own));
            features = others;
            let (own, others) = places.split_at(usize::from(count) * run.len());
            places = others;
            for (&feature, own) in run.iter().zip(own.chunks_exact(usize::from(count))) {
                let sum = &mut self.table[usize::from(feature)];
                *sum = add_rows(*sum, rows, own);
            }
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
