//! A dense layer: its matrix product, and what follows it, bias, activation and dropout, while the rows are at hand.
//!
//! Knows nothing of burn; [`super::operation`] makes it one of its operations.

use alfiere::network::Activation;
use rayon::prelude::*;

use super::lanes::{LANES, Lanes, blocks};
use super::product::{Panels, multiply, transposed_product};
use super::random::{Drop, RowDrop};
use super::scratch::ScratchPool;

/// Rows that a task takes; fixed, so that sums over rows are taken in one order.
const RUN: usize = 128;

/// What an activation and a dropout do to a layer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Shaping {
    pub(crate) activation: Activation,
    pub(crate) drop: Option<Drop>,
}

impl Shaping {
    fn kept(self) -> f32 {
        self.drop.map_or(1.0, |drop| drop.kept)
    }

    /// Activation and dropout of a block of a row's sums.
    #[inline(always)]
    #[allow(clippy::inline_always)] // A call for every block would take longer than the block.
    pub(crate) fn shaped(self, sums: Lanes, drop: Option<RowDrop>, block: usize) -> Lanes {
        let values = match self.activation {
            Activation::ClippedRelu => sums.clipped(),
            Activation::SquaredClippedRelu => sums.clipped().squared(),
        };
        drop.map_or(values, |drop| values.dropped(drop, block * LANES))
    }

    /// `upstream` times the derivative of the values put out with respect to the sums they were made of. A value says
    /// it all: it is 0 where the neuron was dropped or clipped from below, and as large as it can be where it was
    /// clipped from above.
    #[inline(always)]
    #[allow(clippy::inline_always)] // A call for every block would take longer than the block.
    pub(crate) fn back_through(self, values: &Lanes, upstream: Lanes) -> Lanes {
        let kept = self.kept();
        let slopes = match self.activation {
            Activation::ClippedRelu => upstream.scaled(kept),
            Activation::SquaredClippedRelu => upstream.times(&values.scaled(kept).root().scaled(2.0)),
        };
        slopes.where_inside(values, kept)
    }
}

/// What a layer puts out, `[positions][bias.len()]`: its rows times its weights `[inputs][bias.len()]`, then bias,
/// activation and dropout. Without a shaping only the bias follows.
pub(crate) fn forward(
    rows: &[f32],
    weights: &[f32],
    bias: &[f32],
    shaping: Option<Shaping>,
    pool: &ScratchPool,
) -> Vec<f32> {
    let (width, inputs) = (bias.len(), weights.len() / bias.len());
    let bias = in_lanes(bias);
    let mut outputs = pool.floats(rows.len() / inputs * width);
    let finish = |row: usize, values: &mut [f32]| shape_row(row, values, &bias, shaping);
    multiply(rows, &Panels::new(weights, width), &mut outputs, finish);
    outputs
}

/// Gradients of a layer.
pub(crate) struct Gradients {
    /// `[positions][inputs]`
    pub(crate) rows: Vec<f32>,
    /// `[inputs][outputs]`
    pub(crate) weights: Vec<f32>,
    /// `[outputs]`
    pub(crate) bias: Vec<f32>,
}

/// The gradients, from the rows taken in, the rows put out, and the gradients of those, which are overwritten.
pub(crate) fn backward(
    rows: &[f32],
    weights: &[f32],
    width: usize,
    shaping: Option<Shaping>,
    outputs: &[f32],
    gradients: &mut [f32],
    pool: &ScratchPool,
) -> Gradients {
    let inputs = weights.len() / width;
    let bias = back_through(outputs, gradients, width, shaping);
    let found = transposed_product(rows, inputs, gradients, width);
    let mut back = pool.floats(rows.len());
    multiply(gradients, &Panels::transposed(weights, inputs), &mut back, |_, _| {});
    Gradients { rows: back, weights: found, bias }
}

/// Replaces rows of sums, `bias.len()` values each, by `drop(activation(sums + bias))`.
pub(crate) fn shape(sums: &mut [f32], bias: &[f32], shaping: Option<Shaping>) {
    let width = bias.len();
    let bias = in_lanes(bias);
    sums.par_chunks_mut(RUN * width).enumerate().for_each(|(run, rows)| {
        for (row, values) in rows.chunks_exact_mut(width).enumerate() {
            shape_row(run * RUN + row, values, &bias, shaping);
        }
    });
}

fn shape_row(row: usize, values: &mut [f32], bias: &[Lanes], shaping: Option<Shaping>) {
    let drop = shaping.and_then(|shaping| shaping.drop).map(|drop| drop.row(row));
    for (block, bias) in bias.iter().enumerate() {
        let mut sums = Lanes::from_row(values, block * LANES);
        sums.add(bias);
        shaping.map_or(sums, |shaping| shaping.shaped(sums, drop, block)).write_row(values, block * LANES);
    }
}

fn in_lanes(bias: &[f32]) -> Vec<Lanes> {
    (0..blocks(bias.len())).map(|block| Lanes::from_row(bias, block * LANES)).collect()
}

/// The way back through what [`shape`] does: replaces the gradients of the rows put out by those of the sums, and
/// returns those of the bias.
pub(crate) fn back_through(outputs: &[f32], gradients: &mut [f32], width: usize, shaping: Option<Shaping>) -> Vec<f32> {
    let runs = gradients.par_chunks_mut(RUN * width).zip(outputs.par_chunks(RUN * width));
    let parts: Vec<Vec<Lanes>> = runs
        .map(|(gradients, outputs)| {
            let mut bias = vec![Lanes::ZERO; blocks(width)];
            for (gradients, outputs) in gradients.chunks_exact_mut(width).zip(outputs.chunks_exact(width)) {
                for (block, bias) in bias.iter_mut().enumerate() {
                    let mut through = Lanes::from_row(gradients, block * LANES);
                    if let Some(shaping) = shaping {
                        through = shaping.back_through(&Lanes::from_row(outputs, block * LANES), through);
                        through.write_row(gradients, block * LANES);
                    }
                    bias.add(&through);
                }
            }
            bias
        })
        .collect();
    let mut bias = vec![0.0; width];
    for block in 0..blocks(width) {
        let mut sum = Lanes::ZERO;
        for part in &parts {
            sum.add(&part[block]);
        }
        sum.write_row(&mut bias, block * LANES);
    }
    bias
}
