//! A dense layer: its matrix product, and what follows it, bias, activation and dropout, while the rows are at hand.
//!
//! Where the layer has stacks, their outputs stand side by side in weights and bias, and each goes over the run of rows
//! that is its own. Knows nothing of burn; [`super::operation`] makes it one of its operations.

use std::borrow::Cow;
use std::ops::Range;

use alfiere_nnue::Activation;
use rayon::prelude::*;

use super::lanes::{LANES, Lanes, blocks};
use super::product::{Panels, multiply, transposed_product};
use super::random::{Drop, RowDrop};
use super::scratch::ScratchPool;
use super::stacks::Stacks;

/// Rows that a task takes; fixed, so that sums over rows are taken in one order.
const RUN: usize = 128;

/// What an activation and a dropout do to a layer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct LayerOps {
    pub(crate) activation: Activation,
    pub(crate) drop: Option<Drop>,
}

impl LayerOps {
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

/// A layer's weights, and the rows that each stack goes over.
#[derive(Clone, Copy)]
pub(crate) struct Layer<'a> {
    /// `[inputs][stacks][outputs]`
    pub(crate) weights: &'a [f32],
    /// `[stacks][outputs]`
    pub(crate) bias: &'a [f32],
    pub(crate) stacks: &'a Stacks,
}

impl Layer<'_> {
    /// Values that a row has before the layer.
    pub(crate) fn inputs(self) -> usize {
        self.weights.len() / self.bias.len()
    }

    /// Values that a row has behind it.
    pub(crate) fn outputs(self) -> usize {
        self.bias.len() / self.stacks.count()
    }

    /// A stack's weights, `[inputs][outputs]`.
    fn of(&self, stack: usize) -> Cow<'_, [f32]> {
        if self.stacks.count() == 1 {
            return self.weights.into();
        }
        let rows = self.weights.chunks_exact(self.bias.len());
        rows.flat_map(|row| &row[part(stack..stack + 1, self.outputs())]).copied().collect()
    }
}

/// Where rows of this width lie.
fn part(rows: Range<usize>, width: usize) -> Range<usize> {
    rows.start * width..rows.end * width
}

/// What a layer puts out, `[positions][outputs]`: its rows times its weights, then bias, activation and dropout. Without
/// a shaping only the bias follows.
pub(crate) fn forward(rows: &[f32], layer: Layer<'_>, shaping: Option<LayerOps>, pool: &ScratchPool) -> Vec<f32> {
    let (inputs, width) = (layer.inputs(), layer.outputs());
    let mut outputs = pool.floats(rows.len() / inputs * width);
    for ((stack, own), bias) in layer.stacks.iter().enumerate().zip(layer.bias.chunks_exact(width)) {
        let bias = in_lanes(bias);
        let finish = |row: usize, values: &mut [f32]| shape_row(own.start + row, values, &bias, shaping);
        let (rows, outputs) = (&rows[part(own.clone(), inputs)], &mut outputs[part(own.clone(), width)]);
        multiply(rows, &Panels::new(&layer.of(stack), width), outputs, finish);
    }
    outputs
}

/// The rows on both sides of a layer.
#[derive(Clone, Copy)]
pub(crate) struct Sides<'a> {
    /// `[positions][inputs]`
    pub(crate) before: &'a [f32],
    /// `[positions][outputs]`
    pub(crate) behind: &'a [f32],
}

/// Gradients of a layer.
pub(crate) struct Gradients {
    /// `[positions][inputs]`
    pub(crate) rows: Vec<f32>,
    /// `[inputs][stacks][outputs]`
    pub(crate) weights: Vec<f32>,
    /// `[stacks][outputs]`
    pub(crate) bias: Vec<f32>,
}

/// The gradients, from the rows and the gradients of those behind the layer, which are overwritten.
pub(crate) fn backward(
    rows: Sides<'_>,
    layer: Layer<'_>,
    shaping: Option<LayerOps>,
    gradients: &mut [f32],
    pool: &ScratchPool,
) -> Gradients {
    let (inputs, width) = (layer.inputs(), layer.outputs());
    let bias = back_through(rows.behind, gradients, shaping, width, layer.stacks);
    let mut back = pool.floats(rows.before.len());
    let mut weights = vec![0.0; layer.weights.len()];
    for (stack, own) in layer.stacks.iter().enumerate() {
        let (gradients, before) = (&gradients[part(own.clone(), width)], part(own, inputs));
        let found = transposed_product(&rows.before[before.clone()], inputs, gradients, width);
        let wanted = weights.chunks_exact_mut(layer.bias.len()).zip(found.chunks_exact(width));
        wanted.for_each(|(row, found)| row[part(stack..stack + 1, width)].copy_from_slice(found));
        multiply(gradients, &Panels::transposed(&layer.of(stack), inputs), &mut back[before], |_, _| {});
    }
    Gradients { rows: back, weights, bias }
}

/// Replaces rows of sums by `drop(activation(sums + bias))`, with the bias, `[stacks][outputs]`, of each row's stack.
pub(crate) fn shape(sums: &mut [f32], bias: &[f32], shaping: Option<LayerOps>, stacks: &Stacks) {
    let width = bias.len() / stacks.count();
    for (own, bias) in stacks.iter().zip(bias.chunks_exact(width)) {
        let bias = in_lanes(bias);
        sums[part(own.clone(), width)].par_chunks_mut(RUN * width).enumerate().for_each(|(run, rows)| {
            for (row, values) in rows.chunks_exact_mut(width).enumerate() {
                shape_row(own.start + run * RUN + row, values, &bias, shaping);
            }
        });
    }
}

fn shape_row(row: usize, values: &mut [f32], bias: &[Lanes], shaping: Option<LayerOps>) {
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

/// The way back through what [`shape`] does: replaces the gradients of the rows put out, of this width, by those of the
/// sums, and returns those of the bias, `[stacks][width]`.
pub(crate) fn back_through(
    outputs: &[f32],
    gradients: &mut [f32],
    shaping: Option<LayerOps>,
    width: usize,
    stacks: &Stacks,
) -> Vec<f32> {
    let of_stack = |own| {
        let own = part(own, width);
        back_through_stack(&outputs[own.clone()], &mut gradients[own], shaping, width)
    };
    stacks.iter().flat_map(of_stack).collect()
}

fn back_through_stack(outputs: &[f32], gradients: &mut [f32], shaping: Option<LayerOps>, width: usize) -> Vec<f32> {
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
