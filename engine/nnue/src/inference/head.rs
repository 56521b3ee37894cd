//! The layers behind the accumulators in the kernels' layout, and how they are evaluated.
//!
//! Receives accumulators; independent of positions and moves.

use std::ops::Range;

use ndarray::s;

use crate::inference::chunks::{I8x64, I16x32, I32x16, U8x64};
use crate::inference::simd::{DenseWeights, Kernels};
use crate::shape::architecture::{Activation, Architecture};
use crate::shape::parameters::{Hidden, Parameters, Scaled};
use crate::shape::quantisation::{dense_activation, skipped_sum};

/// What follows the accumulators.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    activation: Activation,
    pairwise: bool,
    /// With `skip`: the width of the first layer after the accumulator, and the scale of the output weights as a power
    /// of two.
    skip: Option<(usize, u32)>,
    views: usize,
    /// Chunks of 32 values that a view puts out.
    view_chunks: usize,
    /// The layers between for each bucket, or one set for all; none in a shallow network.
    stacks: Vec<Vec<PackedDense>>,
    /// `[buckets][chunks]`: in a shallow network one row per view, else one row for the last hidden layer, or for all of them.
    output: Vec<I16x32>,
    /// Chunks of `output` for one bucket.
    row_chunks: usize,
    output_bias: Vec<i32>,
}

/// A dense layer as the kernels take it.
#[derive(Clone, Debug)]
struct PackedDense {
    bits: u32,
    weights: Vec<I8x64>,
    bias: Vec<I32x16>,
}

/// Room for the values between the layers, so that an evaluation allocates nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    activations: Vec<U8x64>,
    sums: Vec<I32x16>,
    /// The inputs of the output layer of a `skip` network.
    seen: Vec<U8x64>,
}

/// An accumulator, and the column that the side to move adds to it.
#[derive(Clone, Copy)]
pub(crate) struct HeadInput<'a> {
    pub(crate) accumulator: &'a [I16x32],
    pub(crate) column: Option<&'a [I16x32]>,
}

impl Head {
    pub(crate) fn new(parameters: &Parameters, hidden: &Hidden, view_chunks: usize) -> Self {
        let architecture = &parameters.architecture;
        let Architecture { activation, pairwise, .. } = *architecture;
        let views = architecture.views();
        let width = architecture.accumulator_outputs();
        let stack = |bucket: usize| -> Vec<PackedDense> {
            let layers = hidden.dense.iter().enumerate().map(|(index, dense)| {
                let outputs = architecture.outputs_of(index + 1, bucket);
                if index == 0 {
                    PackedDense::new(dense, outputs, |input| (input / width) * view_chunks * 32 + input % width)
                } else {
                    let before = architecture.hidden[index];
                    PackedDense::new(dense, outputs, |input| place(input, before))
                }
            });
            layers.collect()
        };
        let stacks: Vec<Vec<PackedDense>> = (0..architecture.stack_count()).map(stack).collect();
        let mut output = Vec::new();
        for column in hidden.output.layer.weights.columns() {
            let column = column.to_vec();
            if hidden.dense.is_empty() {
                column.chunks(width).for_each(|half| output.extend(I16x32::row(half.iter().copied(), view_chunks)));
            } else {
                output.extend(deep_row(architecture, &column));
            }
        }
        let output_bias = hidden.output.layer.bias.to_vec();
        let row_chunks = output.len() / output_bias.len();
        let skip = architecture.skip.then(|| (architecture.hidden[1], hidden.output.bits));
        Self { activation, pairwise, skip, views, view_chunks, stacks, output, row_chunks, output_bias }
    }

    /// Room for this network's evaluations.
    pub(crate) fn scratch(&self) -> Scratch {
        let blocks = self.stacks.iter().flatten().map(|layer| layer.bias.len()).max().unwrap_or(0);
        let activations = if blocks == 0 { 0 } else { (self.views * self.view_chunks / 2).max(blocks.div_ceil(4)) };
        let seen = if self.skip.is_some() { self.row_chunks / 2 } else { 0 };
        Scratch {
            activations: vec![U8x64::ZERO; activations],
            sums: vec![I32x16::ZERO; blocks],
            seen: vec![U8x64::ZERO; seen],
        }
    }

    /// The output sum of one bucket; `views` are those of the architecture, the side to move's first.
    pub(crate) fn evaluate(
        &self,
        kernels: Kernels,
        views: &[HeadInput<'_>],
        bucket: usize,
        scratch: &mut Scratch,
    ) -> i32 {
        let output = &self.output[bucket * self.row_chunks..][..self.row_chunks];
        let bias = self.output_bias[bucket];
        let dense = if self.stacks.len() == 1 { &self.stacks[0] } else { &self.stacks[bucket] };
        if dense.is_empty() {
            let dot = |(view, weights): (&HeadInput<'_>, &[I16x32])| {
                kernels.shallow_dot(self.activation, view.accumulator, view.column, weights)
            };
            let rows = output.chunks_exact(self.row_chunks / views.len());
            return views.iter().zip(rows).map(dot).fold(bias, i32::wrapping_add);
        }
        let bytes = self.view_chunks / 2;
        let mut rest = &mut *scratch.activations;
        for view in views {
            let (target, others) = rest.split_at_mut(bytes);
            rest = others;
            if self.pairwise {
                kernels.activate_pairs(view.accumulator, view.column, target);
            } else {
                kernels.activate(self.activation, view.accumulator, view.column, target);
            }
        }
        let mut inputs = bytes * views.len();
        if let Some(skip) = self.skip {
            let skipped = evaluate_all(kernels, dense, inputs, skip, scratch);
            return bias.wrapping_add(skipped).wrapping_add(kernels.deep_dot(&scratch.seen, output));
        }
        for layer in dense {
            let blocks = layer.bias.len();
            let weights = DenseWeights { weights: &layer.weights, bias: &layer.bias };
            kernels.dense(&scratch.activations[..inputs], weights, &mut scratch.sums[..blocks]);
            inputs = blocks.div_ceil(4);
            activate_sums(self.activation, layer.bits, &scratch.sums[..blocks], &mut scratch.activations[..inputs]);
        }
        bias.wrapping_add(kernels.deep_dot(&scratch.activations[..inputs], output))
    }
}

/// Evaluates the dense layers of a `skip` network into `seen`; returns the sum that bypasses the output layer.
fn evaluate_all(
    kernels: Kernels,
    dense: &[PackedDense],
    inputs: usize,
    (width, output_bits): (usize, u32),
    scratch: &mut Scratch,
) -> i32 {
    let Scratch { activations, sums, seen } = scratch;
    let (mut skipped, mut before, mut start) = (0, 0..0, 0);
    for (index, layer) in dense.iter().enumerate() {
        let input = if index == 0 { &activations[..inputs] } else { &seen[before] };
        let sums = &mut sums[..layer.bias.len()];
        kernels.dense(input, DenseWeights { weights: &layer.weights, bias: &layer.bias }, sums);
        if index == 0 {
            let sum = |neuron: usize| sums[neuron / 16].0[neuron % 16];
            skipped = skipped_sum(sum(width - 2).wrapping_sub(sum(width - 1)), layer.bits, output_bits);
        }
        before = start..start + sums.len().div_ceil(2);
        start = before.end;
        kernels.activate_twice(layer.bits, sums, &mut seen[before.clone()]);
    }
    skipped
}

/// The index of an output of a dense layer of this width after padding: the squares start after all blocks of clipped
/// values.
fn place(value: usize, width: usize) -> usize {
    if value < width { value } else { width.next_multiple_of(16) + value - width }
}

/// The weights of one output of a deep network, in the padded order of its inputs.
fn deep_row(architecture: &Architecture, column: &[i16]) -> Vec<I16x32> {
    if !architecture.skip {
        return I16x32::row(column.iter().copied(), 2 * column.len().div_ceil(64));
    }
    let mut column = column;
    let mut row = Vec::new();
    for &width in &architecture.hidden[1..] {
        let (values, rest) = column.split_at(architecture.layer_outputs(width));
        column = rest;
        let start = row.len();
        row.resize(start + (2 * width.next_multiple_of(16)).next_multiple_of(64), 0);
        values.iter().enumerate().for_each(|(value, &weight)| row[start + place(value, width)] = weight);
    }
    I16x32::row(row.iter().copied(), row.len() / 32)
}

fn activate_sums(activation: Activation, bits: u32, sums: &[I32x16], target: &mut [U8x64]) {
    for (target, sums) in target.iter_mut().zip(sums.chunks(4)) {
        let quarters = target.0.as_chunks_mut::<16>().0;
        for (index, quarter) in quarters.iter_mut().enumerate() {
            match sums.get(index) {
                Some(sums) => *quarter = sums.0.map(|sum| dense_activation(activation, sum, bits)),
                None => *quarter = [0; 16],
            }
        }
    }
}

impl PackedDense {
    /// Packs these outputs of a layer; `place` gives the padded index of an input.
    fn new(dense: &Scaled<i8>, outputs: Range<usize>, place: impl Fn(usize) -> usize) -> Self {
        let layer = &dense.layer;
        let blocks = outputs.len().div_ceil(16);
        let own = layer.weights.slice(s![.., outputs.clone()]);
        let last = place(own.nrows() - 1);
        let groups = (last + 1).next_multiple_of(64) / 4;
        let mut weights = vec![I8x64::ZERO; groups * blocks];
        for ((input, output), &weight) in own.indexed_iter() {
            let place = place(input);
            let chunk = &mut weights[place / 4 * blocks + output / 16];
            chunk.0[output % 16 * 4 + place % 4] = weight;
        }
        let mut bias = vec![I32x16::ZERO; blocks];
        for (slot, &value) in bias.iter_mut().flat_map(|block| &mut block.0).zip(layer.bias.slice(s![outputs])) {
            *slot = value;
        }
        Self { bits: dense.bits, weights, bias }
    }
}
