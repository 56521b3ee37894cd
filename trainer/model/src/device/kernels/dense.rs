//! A layer after the first: its sums, and the gradients of its inputs and of its weights.
//!
//! All three are products of matrices, of which a cube computes a tile. With output buckets of its own weights, a tile's
//! positions are all of one bucket: the batch is sorted. The biases are the last row of the weights, with the input 1.

use cubecl::prelude::*;

use super::{Drop, Finish, clipped, clipped_slope, drop_factor};

/// Rows and columns of a tile.
pub(in crate::device) const ROWS: usize = 64;
pub(in crate::device) const COLUMNS: usize = 32;
/// Terms of the sums that are in shared memory together.
const DEPTH: usize = 16;
/// Units of a cube in each direction.
const SIDE: usize = 16;
/// Sums of a unit.
const ROWS_EACH: usize = ROWS / SIDE;
const COLUMNS_EACH: usize = COLUMNS / SIDE;
/// Numbers of a group of positions: the first, how many, and their bucket.
pub(in crate::device) const GROUP_NUMBERS: usize = 3;

/// The shape of a layer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::device) struct Dense {
    pub(in crate::device) inputs: usize,
    /// Outputs of one bucket.
    pub(in crate::device) outputs: usize,
    /// Outputs of all buckets: the length of a row of weights.
    pub(in crate::device) columns: usize,
    /// Length of a row of the buffer with the inputs, and where they begin in it.
    pub(in crate::device) input_stride: usize,
    pub(in crate::device) input_offset: usize,
}

/// Which product: of the inputs and the weights, of the gradients of the sums and the weights, or of the inputs and the
/// gradients of the sums.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Product {
    Sums,
    InputGradient,
    WeightGradient,
}

/// Computes a tile of a product for a group of positions. `row` and `column` are the tile's first, counted in the group where
/// they are positions. Returns the sums of this unit, see [`place`].
#[cube]
fn multiply(
    left: &[f32],
    right: &[f32],
    groups: &[u32],
    group: usize,
    row: usize,
    column: usize,
    #[comptime] layer: Dense,
    #[comptime] product: Product,
) -> Array<f32> {
    let Dense { inputs, outputs, columns, input_stride, input_offset } = comptime!(layer);
    let numbers = group * GROUP_NUMBERS;
    let first = groups[numbers] as usize;
    let count = groups[numbers + 1] as usize;
    let bucket = groups[numbers + 2] as usize;
    // The first column of the bucket's weights.
    let own = if comptime!(columns > outputs) { bucket * outputs } else { 0usize.runtime() };
    let depth = match comptime!(product) {
        Product::Sums => (inputs + 1).runtime(),
        Product::InputGradient => outputs.runtime(),
        Product::WeightGradient => count,
    };
    let mut lefts = Shared::<[f32]>::new_slice(DEPTH * (ROWS + 1));
    let mut rights = Shared::<[f32]>::new_slice(DEPTH * (COLUMNS + 1));
    let mut sums = Array::<f32>::new(ROWS_EACH * COLUMNS_EACH);
    #[unroll]
    for index in 0..ROWS_EACH * COLUMNS_EACH {
        sums[index] = 0.0;
    }
    let unit = UNIT_POS as usize;
    let mut start = 0usize;
    while start < depth {
        #[unroll]
        for part in 0..DEPTH * ROWS / (SIDE * SIDE) {
            let index = unit + part * (SIDE * SIDE);
            let mut value = 0.0;
            // Neighbouring units read neighbouring numbers.
            if comptime!(product == Product::WeightGradient) {
                let (term, at) = (index / ROWS, row + index % ROWS);
                if start + term < count {
                    if at < inputs {
                        value = left[(first + start + term) * input_stride + input_offset + at];
                    } else if at == inputs {
                        value = 1.0;
                    }
                }
                lefts[term * (ROWS + 1) + index % ROWS] = value;
            } else {
                let (term, at) = (start + index % DEPTH, row + index / DEPTH);
                if at < count {
                    if comptime!(product == Product::Sums) {
                        if term < inputs {
                            value = left[(first + at) * input_stride + input_offset + term];
                        } else if term == inputs {
                            value = 1.0;
                        }
                    } else if term < outputs {
                        value = left[(first + at) * outputs + term];
                    }
                }
                lefts[index % DEPTH * (ROWS + 1) + index / DEPTH] = value;
            }
        }
        #[unroll]
        for part in 0..DEPTH * COLUMNS / (SIDE * SIDE) {
            let index = unit + part * (SIDE * SIDE);
            let mut value = 0.0;
            if comptime!(product == Product::InputGradient) {
                let (term, at) = (start + index % DEPTH, column + index / DEPTH);
                if term < outputs && at < inputs {
                    value = right[at * columns + own + term];
                }
                rights[index % DEPTH * (COLUMNS + 1) + index / DEPTH] = value;
            } else {
                let (term, at) = (start + index / COLUMNS, column + index % COLUMNS);
                if term < depth && at < outputs {
                    if comptime!(product == Product::Sums) {
                        value = right[term * columns + own + at];
                    } else {
                        value = right[(first + term) * outputs + at];
                    }
                }
                rights[index / COLUMNS * (COLUMNS + 1) + index % COLUMNS] = value;
            }
        }
        sync_cube();
        #[unroll]
        for term in 0..DEPTH {
            #[unroll]
            for i in 0..ROWS_EACH {
                let factor = lefts[term * (ROWS + 1) + unit / SIDE + i * SIDE];
                #[unroll]
                for j in 0..COLUMNS_EACH {
                    sums[i * COLUMNS_EACH + j] += factor * rights[term * (COLUMNS + 1) + unit % SIDE + j * SIDE];
                }
            }
        }
        sync_cube();
        start += DEPTH;
    }
    sums
}

/// Row and column in its tile of this unit's sum `index`.
#[cube]
fn place(#[comptime] index: usize) -> (usize, usize) {
    let unit = UNIT_POS as usize;
    let i = comptime!(index / COLUMNS_EACH * SIDE);
    let j = comptime!(index % COLUMNS_EACH * SIDE);
    (unit / SIDE + i, unit % SIDE + j)
}

/// Where a layer's outputs are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::device) struct Values {
    pub(in crate::device) stride: usize,
    pub(in crate::device) offset: usize,
    pub(in crate::device) finish: Finish,
    pub(in crate::device) drops: bool,
    /// Whether the layer's inputs are in the buffer of its values; `inputs` is not read then.
    pub(in crate::device) is_in_place: bool,
}

/// Computes the layer's sums `[positions][outputs]` and its values. Cubes are `(columns, tiles of positions)`.
#[cube(launch_unchecked)]
pub(in crate::device) fn dense_sums(
    inputs: &[f32],
    weights: &[f32],
    tiles: &[u32],
    sums: &mut [f32],
    values: &mut [f32],
    drop: Drop,
    #[comptime] layer: Dense,
    #[comptime] after: Values,
) {
    let outputs = comptime!(layer.outputs);
    let tile = CUBE_POS_Y as usize;
    let column = CUBE_POS_X as usize * COLUMNS;
    let found = if comptime!(after.is_in_place) {
        multiply(&*values, weights, tiles, tile, 0, column, layer, Product::Sums)
    } else {
        multiply(inputs, weights, tiles, tile, 0, column, layer, Product::Sums)
    };
    #[unroll]
    for index in 0..ROWS_EACH * COLUMNS_EACH {
        let (row, offset) = place(index);
        let output = column + offset;
        if row < tiles[tile * GROUP_NUMBERS + 1] as usize && output < outputs {
            let position = tiles[tile * GROUP_NUMBERS] as usize + row;
            let sum = found[index];
            sums[position * outputs + output] = sum;
            let mut value = clipped(sum);
            if comptime!(after.finish == Finish::SquaredClipped) {
                value *= value;
            }
            if comptime!(after.drops) {
                value *= drop_factor(&drop, position, output);
            }
            let at = position * comptime!(after.stride) + comptime!(after.offset) + output;
            values[at] = value;
            if comptime!(after.finish == Finish::WithSquares) {
                values[at + outputs] = (sum * sum).min(1.0);
            }
        }
    }
}

/// What the gradient of a layer's inputs goes through.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::device) struct Before {
    pub(in crate::device) finish: Finish,
    /// Neurons of the layer before, in one accumulator if it is the first.
    pub(in crate::device) width: usize,
    pub(in crate::device) drops: bool,
    /// Whether the gradients are added to those of another layer, which reads the same values.
    pub(in crate::device) adds: bool,
}

/// Computes the gradients of the sums of the layer before; with [`Finish::WithSquares`] those of its values. Cubes are
/// `(inputs, tiles of positions)`.
#[cube(launch_unchecked)]
pub(in crate::device) fn dense_input_gradient(
    gradients: &[f32],
    weights: &[f32],
    tiles: &[u32],
    sums_before: &[f32],
    before: &mut [f32],
    drop: Drop,
    #[comptime] layer: Dense,
    #[comptime] shape: Before,
) {
    let inputs = comptime!(layer.inputs);
    let width = comptime!(shape.width);
    let tile = CUBE_POS_Y as usize;
    let column = CUBE_POS_X as usize * COLUMNS;
    let found = multiply(gradients, weights, tiles, tile, 0, column, layer, Product::InputGradient);
    #[unroll]
    for index in 0..ROWS_EACH * COLUMNS_EACH {
        let (row, offset) = place(index);
        let input = column + offset;
        if row < tiles[tile * GROUP_NUMBERS + 1] as usize && input < inputs {
            let position = tiles[tile * GROUP_NUMBERS] as usize + row;
            let gradient = found[index];
            if comptime!(shape.finish == Finish::WithSquares) {
                let at = position * comptime!(layer.input_stride) + comptime!(layer.input_offset) + input;
                if comptime!(shape.adds) {
                    before[at] += gradient;
                } else {
                    before[at] = gradient;
                }
            } else if comptime!(shape.finish == Finish::Pairs) {
                let pairs = comptime!(width / 2);
                let pair = position * inputs + input;
                let (accumulator, first) = (pair / pairs, pair % pairs);
                let (at, partner) = (accumulator * width + first, accumulator * width + first + pairs);
                let (sum, other) = (sums_before[at], sums_before[partner]);
                let mut gradient = gradient;
                if comptime!(shape.drops) {
                    gradient *= drop_factor(&drop, accumulator, first) * drop_factor(&drop, accumulator, first + pairs);
                }
                before[at] = gradient * clipped(other) * clipped_slope(sum);
                before[partner] = gradient * clipped(sum) * clipped_slope(other);
            } else {
                let at = position * inputs + input;
                let sum = sums_before[at];
                let mut gradient = gradient * clipped_slope(sum);
                if comptime!(shape.finish == Finish::SquaredClipped) {
                    gradient *= 2.0 * sum;
                }
                if comptime!(shape.drops) {
                    gradient *= drop_factor(&drop, at / width, at % width);
                }
                before[at] = gradient;
            }
        }
    }
}

/// Computes the weights' gradients, with the biases, for each part of the batch: `[parts][inputs + 1][outputs]`. Cubes are
/// `(columns, rows, parts)`.
#[cube(launch_unchecked)]
pub(in crate::device) fn dense_weight_gradient(
    inputs: &[f32],
    gradients: &[f32],
    parts: &[u32],
    partial: &mut [f32],
    #[comptime] layer: Dense,
) {
    let part = CUBE_POS_Z as usize;
    let (first_row, column) = (CUBE_POS_Y as usize * ROWS, CUBE_POS_X as usize * COLUMNS);
    let found = multiply(inputs, gradients, parts, part, first_row, column, layer, Product::WeightGradient);
    let rows = comptime!(layer.inputs + 1);
    let outputs = comptime!(layer.outputs);
    #[unroll]
    for index in 0..ROWS_EACH * COLUMNS_EACH {
        let (row, offset) = place(index);
        if first_row + row < rows && column + offset < outputs {
            partial[(part * rows + first_row + row) * outputs + column + offset] = found[index];
        }
    }
}

/// The shape of a layer whose values are its clipped sums and their squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::device) struct Skip {
    pub(in crate::device) width: usize,
    pub(in crate::device) stride: usize,
    pub(in crate::device) offset: usize,
    /// Whether the last two sums lead to the output.
    pub(in crate::device) is_skipped: bool,
    /// Neurons that have hints as targets.
    pub(in crate::device) hints: usize,
}

/// Computes the gradients of a layer's sums from those of its values, of the output and of the hints' loss. `hint_scale` is
/// the factor of a hint's error in its gradient.
#[cube(launch_unchecked)]
pub(in crate::device) fn skip_gradient(
    values: &[f32],
    sums: &[f32],
    outputs: &[f32],
    hints: &[f32],
    gradients: &mut [f32],
    hint_scale: f32,
    largest: f32,
    #[comptime] layer: Skip,
) {
    let width = comptime!(layer.width);
    let index = ABSOLUTE_POS;
    if index < gradients.len() {
        let (position, neuron) = (index / width, index % width);
        let sum = sums[index];
        let at = position * comptime!(layer.stride) + comptime!(layer.offset) + neuron;
        let mut gradient = values[at] * clipped_slope(sum);
        gradient += values[at + width] * select(sum * sum < 1.0, 2.0 * sum, 0.0);
        if comptime!(layer.is_skipped) {
            if neuron == comptime!(width - 2) {
                gradient += outputs[position];
            } else if neuron == comptime!(width - 1) {
                gradient -= outputs[position];
            }
        }
        if comptime!(layer.hints > 0) {
            if neuron < comptime!(layer.hints) {
                let error = sum - hints[position * comptime!(layer.hints) + neuron];
                if error.abs() < largest {
                    gradient += error * hint_scale;
                }
            }
        }
        gradients[index] = gradient;
    }
}
