//! The output layer, the loss and its gradient.

use cubecl::prelude::*;

use crate::objective::Objective;

/// Units that add up the inputs of one position, and positions of a cube.
pub(in crate::device) const LANES: u32 = 32;
pub(in crate::device) const POSITIONS: u32 = 8;
/// Units of the cube that adds up the losses.
pub(in crate::device) const ADDERS: u32 = 256;

/// The kind of an [`Objective`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::device) enum Loss {
    Square,
    Tanh,
    Sigmoid,
}

impl Loss {
    /// The kind, and the exponent of the error.
    pub(in crate::device) fn of(objective: Objective) -> (Self, f32) {
        match objective {
            Objective::ClippedCentipawns => (Self::Square, 2.0),
            Objective::Tanh { .. } => (Self::Tanh, 2.0),
            Objective::Sigmoid { power, .. } => (Self::Sigmoid, power),
        }
    }
}

/// The shape of the output layer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::device) struct Output {
    /// Inputs, 0 for a linear model: its sums are the outputs of all buckets.
    pub(in crate::device) inputs: usize,
    pub(in crate::device) buckets: usize,
    /// Neurons of the layer whose last two sums lead to the output; 0 without such a layer.
    pub(in crate::device) skip: usize,
}

/// Computes the outputs `[positions]`, the losses divided by the number of positions, and the outputs' gradients: `[positions]`,
/// or `[positions][buckets]` for a linear model.
#[cube(launch_unchecked)]
pub(in crate::device) fn output_and_loss(
    values: &[f32],
    weights: &[f32],
    skip_sums: &[f32],
    heads: &[u32],
    targets: &[f32],
    outputs: &mut [f32],
    gradients: &mut [f32],
    losses: &mut [f32],
    power: f32,
    #[comptime] layer: Output,
    #[comptime] loss: Loss,
) {
    let Output { inputs, buckets, skip } = comptime!(layer);
    let lane = UNIT_POS_X as usize;
    let row = UNIT_POS as usize - lane;
    let position = (CUBE_POS * POSITIONS as usize) + UNIT_POS_Y as usize;
    let mut parts = Shared::<[f32]>::new_slice((LANES * POSITIONS) as usize);
    let is_inside = position < heads.len();
    let mut bucket = 0usize;
    let mut sum = 0.0;
    if is_inside {
        if comptime!(buckets > 1) {
            bucket = ((heads[position] >> 8) & 0xFF) as usize;
        }
        if comptime!(inputs == 0) {
            if lane == 0 {
                sum = values[position * buckets + bucket];
            }
        } else {
            let mut input = lane;
            while input < inputs {
                sum += values[position * inputs + input] * weights[input * buckets + bucket];
                input += LANES as usize;
            }
        }
    }
    parts[row + lane] = sum;
    sync_cube();
    if is_inside && lane == 0 {
        let mut output = 0.0;
        for part in 0..LANES as usize {
            output += parts[row + part];
        }
        if comptime!(inputs > 0) {
            output += weights[inputs * buckets + bucket];
        }
        if comptime!(skip > 0) {
            output += skip_sums[position * skip + skip - 2] - skip_sums[position * skip + skip - 1];
        }
        outputs[position] = output;
        let mut predicted = output;
        let mut slope = 1.0;
        if comptime!(loss == Loss::Tanh) {
            predicted = output.tanh();
            slope = 1.0 - predicted * predicted;
        } else if comptime!(loss == Loss::Sigmoid) {
            predicted = 1.0 / (1.0 + (-output).exp());
            slope = predicted * (1.0 - predicted);
        }
        let error = predicted - targets[position];
        let share = 1.0 / heads.len() as f32;
        let mut value = error * error;
        let mut change = 2.0 * error;
        if comptime!(loss == Loss::Sigmoid) {
            let size = error.abs();
            let lower = size.powf(power - 1.0);
            value = lower * size;
            change = select(error < 0.0, -power * lower, power * lower);
        }
        losses[position] = value * share;
        let gradient = change * slope * share;
        if comptime!(inputs == 0) {
            for other in 0..buckets {
                gradients[position * buckets + other] = select(other == bucket, gradient, 0.0);
            }
        } else {
            gradients[position] = gradient;
        }
    }
}

/// Adds up the losses of a step: `totals[step]`. One cube.
#[cube(launch_unchecked)]
pub(in crate::device) fn total_loss(losses: &[f32], totals: &mut [f32], step: u32) {
    let mut parts = Shared::<[f32]>::new_slice(ADDERS as usize);
    let unit = UNIT_POS as usize;
    let mut sum = 0.0;
    let mut position = unit;
    while position < losses.len() {
        sum += losses[position];
        position += ADDERS as usize;
    }
    parts[unit] = sum;
    sync_cube();
    if unit == 0 {
        let mut total = 0.0;
        for part in 0..ADDERS as usize {
            total += parts[part];
        }
        totals[step as usize] = total;
    }
}
