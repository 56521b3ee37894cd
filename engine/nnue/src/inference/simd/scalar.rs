//! The kernels in plain Rust: the reference that every other instruction set equals bit for bit.

use super::{Column, DenseWeights};
use crate::inference::chunks::{Either, I16x32, I32x16, U8x64, WeightChunk, sixteen};
use crate::shape::architecture::Activation;
use crate::shape::quantisation::{
    ACCUMULATOR_SCALE, accumulator_activation, dense_activation, dense_square, pair_activation,
};

/// One of 32 weights of the first layer.
#[inline]
fn weight<W: WeightChunk>(chunk: &W, lane: usize) -> i16 {
    match chunk.either() {
        Either::Narrow(chunk) => chunk.0[lane].into(),
        Either::Wide(chunk) => chunk.0[lane],
    }
}

pub(super) fn update<W: WeightChunk, const A: usize, const R: usize>(
    target: &mut [I16x32],
    source: &[I16x32],
    added: [&[W]; A],
    removed: [&[W]; R],
) {
    for (index, (target, source)) in target.iter_mut().zip(source).enumerate() {
        for lane in 0..32 {
            let sum = added.iter().fold(source.0[lane], |sum, row| sum.wrapping_add(weight(&row[index], lane)));
            target.0[lane] = removed.iter().fold(sum, |sum, row| sum.wrapping_sub(weight(&row[index], lane)));
        }
    }
}

pub(super) fn shift<W: WeightChunk>(
    target: &mut [I16x32],
    source: &[I16x32],
    weights: &[W],
    added: &[u16],
    removed: &[u16],
) {
    target.copy_from_slice(source);
    let mut change = |feature: u16, apply: fn(i16, i16) -> i16| {
        let row = &weights[usize::from(feature) * source.len()..][..source.len()];
        for (sum, row) in target.iter_mut().zip(row) {
            for lane in 0..32 {
                sum.0[lane] = apply(sum.0[lane], weight(row, lane));
            }
        }
    };
    for &feature in added {
        change(feature, i16::wrapping_add);
    }
    for &feature in removed {
        change(feature, i16::wrapping_sub);
    }
}

/// `clip(accumulator + column, 0, 255)`, value by value.
fn clipped<C: Column>(accumulator: &[I16x32], column: C) -> impl Iterator<Item = i16> {
    accumulator.iter().enumerate().flat_map(move |(index, chunk)| {
        let mut values = chunk.0;
        if let Some(column) = column.chunk(index) {
            values.iter_mut().zip(column.0).for_each(|(value, added)| *value = value.wrapping_add(added));
        }
        values.map(|value| value.clamp(0, ACCUMULATOR_SCALE as i16))
    })
}

pub(super) fn clipped_dot<C: Column>(accumulator: &[I16x32], column: C, weights: &[I16x32]) -> i32 {
    dot(accumulator, column, weights, |value, weight| i32::from(value) * i32::from(weight))
}

pub(super) fn squared_dot<C: Column>(accumulator: &[I16x32], column: C, weights: &[I16x32]) -> i32 {
    // Value times weight fits into 16 bits, as the quantiser sees to; the vector kernels multiply in this order too.
    dot(accumulator, column, weights, |value, weight| i32::from(value.wrapping_mul(weight)) * i32::from(value))
}

fn dot<C: Column>(accumulator: &[I16x32], column: C, weights: &[I16x32], product: impl Fn(i16, i16) -> i32) -> i32 {
    let weights = weights.iter().flat_map(|chunk| chunk.0);
    let products = clipped(accumulator, column).zip(weights).map(|(value, weight)| product(value, weight));
    products.fold(0, i32::wrapping_add)
}

pub(super) fn activate_clipped<C: Column>(accumulator: &[I16x32], column: C, target: &mut [U8x64]) {
    activate(Activation::ClippedRelu, accumulator, column, target);
}

pub(super) fn activate_squared<C: Column>(accumulator: &[I16x32], column: C, target: &mut [U8x64]) {
    activate(Activation::SquaredClippedRelu, accumulator, column, target);
}

fn activate<C: Column>(activation: Activation, accumulator: &[I16x32], column: C, target: &mut [U8x64]) {
    let target = target.iter_mut().flat_map(|chunk| &mut chunk.0);
    for (target, value) in target.zip(clipped(accumulator, column)) {
        *target = accumulator_activation(activation, i32::from(value));
    }
}

pub(super) fn activate_pairs<C: Column>(accumulator: &[I16x32], column: C, target: &mut [U8x64]) {
    let values: Vec<i16> = clipped(accumulator, column).collect();
    let (first, second) = values.split_at(values.len() / 2);
    let target = target.iter_mut().flat_map(|chunk| &mut chunk.0);
    for ((target, &first), &second) in target.zip(first).zip(second) {
        *target = pair_activation(i32::from(first), i32::from(second));
    }
}

pub(super) fn dense(input: &[U8x64], layer: DenseWeights<'_>, target: &mut [I32x16]) {
    target.copy_from_slice(layer.bias);
    let blocks = target.len();
    let groups = input.iter().flat_map(|chunk| chunk.0.as_chunks::<4>().0);
    for (group, row) in groups.zip(layer.weights.chunks_exact(blocks)) {
        if *group == [0; 4] {
            continue;
        }
        for (target, weights) in target.iter_mut().zip(row) {
            for (sum, weights) in target.0.iter_mut().zip(weights.0.as_chunks::<4>().0) {
                for (&input, &weight) in group.iter().zip(weights) {
                    *sum = sum.wrapping_add(i32::from(input) * i32::from(weight));
                }
            }
        }
    }
}

pub(super) fn activate_twice(bits: u32, sums: &[I32x16], target: &mut [U8x64]) {
    let blocks = sums.len();
    for (block, sums) in sums.iter().enumerate() {
        *sixteen(target, block) = sums.0.map(|sum| dense_activation(Activation::ClippedRelu, sum, bits));
        *sixteen(target, blocks + block) = sums.0.map(|sum| dense_square(sum, bits));
    }
}

pub(super) fn deep_dot(input: &[U8x64], weights: &[I16x32]) -> i32 {
    let inputs = input.iter().flat_map(|chunk| chunk.0);
    let weights = weights.iter().flat_map(|chunk| chunk.0);
    inputs.zip(weights).fold(0, |sum, (input, weight)| sum.wrapping_add(i32::from(input) * i32::from(weight)))
}
