//! One pass over the weights of a layer: the sum of their gradients' parts, the optimiser, clipping, the moving average, the slow
//! weights and rounding.

use alfiere_nnue::PIECE_INPUTS;
use cubecl::prelude::*;

/// The shape of a layer's weights, and what a step does with them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::device) struct Layer {
    /// Rows, without that of the biases.
    pub(in crate::device) rows: usize,
    pub(in crate::device) columns: usize,
    /// How the parts of the gradient are found.
    pub(in crate::device) parts: Parts,
    /// King buckets whose weights are sums of a shared and an own part; 0 if there is no shared part.
    pub(in crate::device) shared_sets: usize,
    /// Whether the mean gradient is divided by the root of the mean square.
    pub(in crate::device) is_scaled: bool,
    pub(in crate::device) has_average: bool,
    /// Whether the weights return to the slow ones.
    pub(in crate::device) returns: bool,
    pub(in crate::device) rounds: [bool; 2],
}

/// Which parts of a gradient a weight has: those from `starts[key]` to `starts[key + 1]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::device) enum Parts {
    /// The key is the row, a part is a row.
    Rows,
    /// The key is the bucket; a part has all rows, and the columns of a bucket.
    Buckets(usize),
    /// All parts, of all rows and columns.
    All,
}

/// The numbers of a step, computed by [`UpdateRule::constants`](crate::UpdateRule).
#[derive(CubeType, CubeLaunch, Clone, Copy)]
pub(in crate::device) struct Constants {
    pub(in crate::device) rate: f32,
    pub(in crate::device) scale: f32,
    pub(in crate::device) keep: f32,
    pub(in crate::device) limit: f32,
    pub(in crate::device) bias_limit: f32,
    /// `1 - beta1` and `1 - beta2`.
    pub(in crate::device) new_mean: f32,
    pub(in crate::device) new_square: f32,
    pub(in crate::device) epsilon: f32,
    /// How far the average moves to the weights, and the slow weights.
    pub(in crate::device) average_share: f32,
    pub(in crate::device) slow_share: f32,
    /// Distance between neighbouring rounded weights, and biases.
    pub(in crate::device) step: f32,
    pub(in crate::device) bias_step: f32,
    /// Index of the step's loss: the weights stay as they are if it is not finite.
    pub(in crate::device) loss: u32,
}

/// The gradient of a weight.
#[cube]
fn gradient(partial: &[f32], starts: &[u32], index: usize, #[comptime] layer: Layer) -> f32 {
    let Layer { rows, columns, parts, .. } = comptime!(layer);
    let (row, column) = (index / columns, index % columns);
    // Those of `Parts::All`.
    let mut at = index;
    let mut stride = ((rows + 1) * columns).runtime();
    let mut first = 0usize;
    let mut end = starts[starts.len() - 1] as usize;
    if comptime!(parts == Parts::Rows) {
        at = column;
        stride = columns.runtime();
        first = starts[row] as usize;
        end = starts[row + 1] as usize;
    } else if let Parts::Buckets(width) = comptime!(parts) {
        at = row * width + column % width;
        stride = ((rows + 1) * width).runtime();
        first = starts[column / width] as usize;
        end = starts[column / width + 1] as usize;
    }
    let mut sum = 0.0;
    for part in first..end {
        sum += partial[part * stride + at];
    }
    sum
}

/// The weight after a step without clipping. `moments` are the means of the gradients, then those of their squares.
#[cube]
fn advanced(
    weight: f32,
    gradient: f32,
    moments: &mut [f32],
    index: usize,
    count: usize,
    keep: f32,
    constants: &Constants,
    #[comptime] is_scaled: bool,
) -> f32 {
    let mean = moments[index] + constants.new_mean * (gradient - moments[index]);
    moments[index] = mean;
    let mut change = constants.rate * mean;
    if is_scaled {
        let square = moments[count + index];
        let square = square + constants.new_square * (gradient * gradient - square);
        moments[count + index] = square;
        change /= square.sqrt() * constants.scale + constants.epsilon;
    }
    weight * keep - change
}

/// The nearest multiple of `step`, halves away from zero.
#[cube]
fn nearest(number: f32, step: f32) -> f32 {
    let units = (number.abs() / step + 0.5).floor() * step;
    select(number < 0.0, -units, units)
}

/// Writes a weight after its step, clipped, with what follows from it: `followers` are the average, then the slow weights.
#[cube]
fn store(
    weight: f32,
    index: usize,
    weights: &mut [f32],
    rounded: &mut [f32],
    followers: &mut [f32],
    constants: &Constants,
    #[comptime] layer: Layer,
) {
    let count = comptime!(layer.rows * layer.columns);
    let is_bias = index >= count;
    let limit = select(is_bias, constants.bias_limit, constants.limit);
    // Unlike `max` and `min`, this keeps NaN.
    let mut weight = select(weight > limit, limit, select(weight < -limit, -limit, weight));
    if comptime!(layer.returns) {
        let at = weights.len() + index;
        weight = followers[at] + constants.slow_share * (weight - followers[at]);
        followers[at] = weight;
    }
    if comptime!(layer.has_average) {
        followers[index] += constants.average_share * (weight - followers[index]);
    }
    weights[index] = weight;
    let mut near = weight;
    if comptime!(layer.rounds[0]) {
        if !is_bias {
            near = nearest(weight, constants.step);
        }
    }
    if comptime!(layer.rounds[1]) {
        if is_bias {
            near = nearest(weight, constants.bias_step);
        }
    }
    rounded[index] = near;
}

/// Takes a step with the weights and biases of a layer. `shared` are the shared rows of king buckets, then their moments.
#[cube(launch_unchecked)]
pub(in crate::device) fn update(
    weights: &mut [f32],
    moments: &mut [f32],
    rounded: &mut [f32],
    followers: &mut [f32],
    shared: &mut [f32],
    partial: &[f32],
    starts: &[u32],
    losses: &[f32],
    constants: Constants,
    #[comptime] layer: Layer,
) {
    let Layer { columns, shared_sets, is_scaled, .. } = comptime!(layer);
    let count = weights.len();
    let biases = comptime!(layer.rows * columns);
    // A unit updates a weight of the shared rows and those of all sets that are sums with it, or one other weight.
    let set = comptime!(if shared_sets > 0 { PIECE_INPUTS * columns } else { 0 });
    let others = comptime!(set * shared_sets);
    let unit = ABSOLUTE_POS;
    let is_finite = losses[constants.loss as usize].abs() < 3.0e38;
    if is_finite {
        if unit < set {
            let before = shared[unit];
            let mut sum = 0.0;
            for bucket in 0..shared_sets {
                sum += gradient(partial, starts, bucket * set + unit, layer);
            }
            let after = advanced(before, sum, shared, set + unit, set, constants.keep, &constants, is_scaled);
            shared[unit] = after;
            for bucket in 0..shared_sets {
                let index = bucket * set + unit;
                let own = gradient(partial, starts, index, layer);
                let weight = weights[index] - before;
                let weight = advanced(weight, own, moments, index, count, constants.keep, &constants, is_scaled);
                store(weight + after, index, weights, rounded, followers, &constants, layer);
            }
        } else if unit - set + others < count {
            let index = unit - set + others;
            let found = gradient(partial, starts, index, layer);
            let keep = select(index < biases, constants.keep, 1.0);
            let weight = advanced(weights[index], found, moments, index, count, keep, &constants, is_scaled);
            store(weight, index, weights, rounded, followers, &constants, layer);
        }
    }
}
