//! A dense layer: its matrix product, fused with bias, activation and dropout while the rows are in cache.
//!
//! If the layer has stacks, their outputs are adjacent in weights and bias, and each stack processes its own range of
//! rows. Independent of burn; [`super::operation`] wraps it as a burn operation.

use std::borrow::Cow;
use std::ops::Range;

use alfiere_nnue::Activation;
use rayon::prelude::*;

use super::lanes::{LANES, Lanes, blocks};
use super::product::{Panels, multiply, transposed_product};
use super::scratch::ScratchPool;
use crate::batch::Stacks;
use crate::random::{LayerDropout, RowDropout};

/// Rows per parallel task; fixed, so that sums over rows have a fixed order.
const RUN: usize = 128;

/// The activation and the dropout of a layer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct LayerOps {
    pub(crate) activation: Activation,
    pub(crate) drop: Option<LayerDropout>,
}

impl LayerOps {
    fn kept(self) -> f32 {
        self.drop.map_or(1.0, |drop| drop.kept)
    }

    /// Applies activation and dropout to a block of a row's sums.
    #[inline(always)]
    #[allow(clippy::inline_always)] // A call per block would cost more than the block.
    pub(crate) fn apply_to(self, sums: Lanes, drop: Option<RowDropout>, block: usize) -> Lanes {
        let values = match self.activation {
            Activation::ClippedRelu => sums.clipped(),
            Activation::SquaredClippedRelu => sums.clipped().squared(),
            Activation::Relu => sums.positive(),
            Activation::Tanh => sums.tanh(),
        };
        drop.map_or(values, |drop| values.dropped(drop, block * LANES))
    }

    /// `upstream` times the derivative of the outputs with respect to the sums. The output value is sufficient: it is 0
    /// where the neuron was dropped or clipped from below, and maximal where it was clipped from above. A tangent of exactly
    /// 0 counts as dropped.
    #[inline(always)]
    #[allow(clippy::inline_always)] // A call per block would cost more than the block.
    pub(crate) fn backward_activation(self, values: &Lanes, upstream: Lanes) -> Lanes {
        let kept = self.kept();
        match self.activation {
            Activation::ClippedRelu => upstream.scaled(kept).where_inside(values, kept),
            Activation::SquaredClippedRelu => {
                upstream.times(&values.scaled(kept).root().scaled(2.0)).where_inside(values, kept)
            }
            Activation::Relu => upstream.scaled(kept).where_inside(values, f32::INFINITY),
            Activation::Tanh => {
                let squares = values.scaled(1.0 / kept).squared();
                let lost = upstream.times(&squares);
                upstream.plus(&lost.scaled(-1.0)).scaled(kept).where_inside(&squares, f32::INFINITY)
            }
        }
    }
}

/// A layer's weights and the rows that each stack processes.
#[derive(Clone, Copy)]
pub(crate) struct Layer<'a> {
    /// `[inputs][stacks][outputs]`
    pub(crate) weights: &'a [f32],
    /// `[stacks][outputs]`
    pub(crate) bias: &'a [f32],
    pub(crate) stacks: &'a Stacks,
}

impl Layer<'_> {
    pub(crate) fn inputs(self) -> usize {
        self.weights.len() / self.bias.len()
    }

    pub(crate) fn outputs(self) -> usize {
        self.bias.len() / self.stacks.count()
    }

    /// The weights of one stack, `[inputs][outputs]`.
    fn of(&self, stack: usize) -> Cow<'_, [f32]> {
        if self.stacks.count() == 1 {
            return self.weights.into();
        }
        let rows = self.weights.chunks_exact(self.bias.len());
        rows.flat_map(|row| &row[row_range(stack..stack + 1, self.outputs())]).copied().collect()
    }
}

/// Index range of `rows` of this width.
fn row_range(rows: Range<usize>, width: usize) -> Range<usize> {
    rows.start * width..rows.end * width
}

/// The outputs of a layer, `[positions][outputs]`: rows times weights, plus bias, then activation and dropout. With
/// `layer_ops` = `None`, only the bias is added.
pub(crate) fn forward(rows: &[f32], layer: Layer<'_>, layer_ops: Option<LayerOps>, pool: &ScratchPool) -> Vec<f32> {
    let (inputs, width) = (layer.inputs(), layer.outputs());
    let mut outputs = pool.floats(rows.len() / inputs * width);
    for ((stack, own), bias) in layer.stacks.iter().enumerate().zip(layer.bias.chunks_exact(width)) {
        let bias = in_lanes(bias);
        let finish = |row: usize, values: &mut [f32]| activate_row(own.start + row, values, &bias, layer_ops);
        let (rows, outputs) = (&rows[row_range(own.clone(), inputs)], &mut outputs[row_range(own.clone(), width)]);
        multiply(rows, &Panels::new(&layer.of(stack), width), outputs, finish);
    }
    outputs
}

/// Gradients of the inputs, weights and bias.
pub(crate) struct Gradients {
    /// `[positions][inputs]`
    pub(crate) rows: Vec<f32>,
    /// `[inputs][stacks][outputs]`
    pub(crate) weights: Vec<f32>,
    /// `[stacks][outputs]`
    pub(crate) bias: Vec<f32>,
}

/// Computes the gradients from the rows `[positions][inputs]`, the outputs and their gradients; the latter are overwritten.
pub(crate) fn backward(
    rows: &[f32],
    outputs: &[f32],
    layer: Layer<'_>,
    layer_ops: Option<LayerOps>,
    gradients: &mut [f32],
    pool: &ScratchPool,
) -> Gradients {
    let (inputs, width) = (layer.inputs(), layer.outputs());
    let bias = backward_activation(outputs, gradients, layer_ops, width, layer.stacks);
    let mut back = pool.floats(rows.len());
    let mut weights = vec![0.0; layer.weights.len()];
    for (stack, own) in layer.stacks.iter().enumerate() {
        let (gradients, before) = (&gradients[row_range(own.clone(), width)], row_range(own, inputs));
        let found = transposed_product(&rows[before.clone()], inputs, gradients, width);
        let wanted = weights.chunks_exact_mut(layer.bias.len()).zip(found.chunks_exact(width));
        wanted.for_each(|(row, found)| row[row_range(stack..stack + 1, width)].copy_from_slice(found));
        multiply(gradients, &Panels::transposed(&layer.of(stack), inputs), &mut back[before], |_, _| {});
    }
    Gradients { rows: back, weights, bias }
}

/// Replaces rows of sums by `dropout(activation(sums + bias))`, with the bias `[stacks][outputs]` of each row's stack.
pub(crate) fn activate(sums: &mut [f32], bias: &[f32], layer_ops: Option<LayerOps>, stacks: &Stacks) {
    let width = bias.len() / stacks.count();
    for (own, bias) in stacks.iter().zip(bias.chunks_exact(width)) {
        let bias = in_lanes(bias);
        sums[row_range(own.clone(), width)].par_chunks_mut(RUN * width).enumerate().for_each(|(run, rows)| {
            for (row, values) in rows.chunks_exact_mut(width).enumerate() {
                activate_row(own.start + run * RUN + row, values, &bias, layer_ops);
            }
        });
    }
}

fn activate_row(row: usize, values: &mut [f32], bias: &[Lanes], layer_ops: Option<LayerOps>) {
    let drop = layer_ops.and_then(|layer_ops| layer_ops.drop).map(|drop| drop.row(row));
    for (block, bias) in bias.iter().enumerate() {
        let mut sums = Lanes::from_row(values, block * LANES);
        sums.add(bias);
        layer_ops.map_or(sums, |layer_ops| layer_ops.apply_to(sums, drop, block)).write_row(values, block * LANES);
    }
}

fn in_lanes(bias: &[f32]) -> Vec<Lanes> {
    (0..blocks(bias.len())).map(|block| Lanes::from_row(bias, block * LANES)).collect()
}

/// The backward pass of [`activate`]: replaces the gradients of the output rows by those of the sums, and returns the
/// gradients of the bias, `[stacks][width]`.
pub(crate) fn backward_activation(
    outputs: &[f32],
    gradients: &mut [f32],
    layer_ops: Option<LayerOps>,
    width: usize,
    stacks: &Stacks,
) -> Vec<f32> {
    let of_stack = |own| {
        let own = row_range(own, width);
        backward_activation_stack(&outputs[own.clone()], &mut gradients[own], layer_ops, width)
    };
    stacks.iter().flat_map(of_stack).collect()
}

fn backward_activation_stack(
    outputs: &[f32],
    gradients: &mut [f32],
    layer_ops: Option<LayerOps>,
    width: usize,
) -> Vec<f32> {
    let runs = gradients.par_chunks_mut(RUN * width).zip(outputs.par_chunks(RUN * width));
    let parts: Vec<Vec<Lanes>> = runs
        .map(|(gradients, outputs)| {
            let mut bias = vec![Lanes::ZERO; blocks(width)];
            for (gradients, outputs) in gradients.chunks_exact_mut(width).zip(outputs.chunks_exact(width)) {
                for (block, bias) in bias.iter_mut().enumerate() {
                    let mut through = Lanes::from_row(gradients, block * LANES);
                    if let Some(layer_ops) = layer_ops {
                        through = layer_ops.backward_activation(&Lanes::from_row(outputs, block * LANES), through);
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
