//! The first layer: sums of the table's rows of the active features, and the gradients of the table.
//!
//! A table has a row for each input and the biases as its last row, which is active in every position.

use cubecl::prelude::*;

use super::{Drop, Finish, clipped, drop_factor, half_word};

/// Numbers of a run in the list of runs: its slot, the first accumulator of its part, and its range of the listed rows.
pub(in crate::device) const RUN_NUMBERS: usize = 4;

/// The shape of the first layer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::device) struct FirstLayer {
    /// Accumulators of a position.
    pub(in crate::device) views: usize,
    /// Neurons of an accumulator.
    pub(in crate::device) width: usize,
    /// Entries of a position in the feature lists.
    pub(in crate::device) stride: usize,
    /// Row of the side to move; the biases are the next row.
    pub(in crate::device) side_row: usize,
    pub(in crate::device) finish: Finish,
    pub(in crate::device) drops: bool,
}

/// Computes the sums `[positions][views][width]` and the values `[positions][views][outputs]`; a unit computes a column, or the
/// two of a pair.
#[cube(launch_unchecked)]
pub(in crate::device) fn accumulate(
    table: &[f32],
    features: &[u32],
    heads: &[u32],
    sums: &mut [f32],
    values: &mut [f32],
    drop: Drop,
    #[comptime] layer: FirstLayer,
) {
    let views = comptime!(layer.views);
    let width = comptime!(layer.width);
    let stride = comptime!(layer.stride);
    let side_row = comptime!(layer.side_row);
    let is_paired = comptime!(layer.finish == Finish::Pairs);
    let outputs = comptime!(if is_paired { width / 2 } else { width });
    let column = ABSOLUTE_POS_X as usize;
    if column < outputs {
        let mut position = CUBE_POS_Y as usize;
        while position < heads.len() {
            let head = heads[position];
            let pieces = (head & 0xFF) as usize;
            let has_side = head >> 16;
            #[unroll]
            for view in 0..views {
                let bias = (side_row + 1) * width + column;
                let mut sum = table[bias];
                let mut partner = 0.0;
                if is_paired {
                    partner = table[bias + outputs];
                }
                if comptime!(view == 0) {
                    if has_side != 0 {
                        sum += table[side_row * width + column];
                        if is_paired {
                            partner += table[side_row * width + column + outputs];
                        }
                    }
                }
                let list = position * stride + view;
                for piece in 0..pieces {
                    let row = half_word(features, list + piece * views) * width + column;
                    sum += table[row];
                    if is_paired {
                        partner += table[row + outputs];
                    }
                }
                let accumulator = position * views + view;
                let place = accumulator * width + column;
                sums[place] = sum;
                if is_paired {
                    sums[place + outputs] = partner;
                }
                if comptime!(layer.finish != Finish::Linear) {
                    let mut value = clipped(sum);
                    if comptime!(layer.finish == Finish::SquaredClipped) {
                        value *= value;
                    }
                    if comptime!(layer.drops) {
                        value *= drop_factor(&drop, accumulator, column);
                    }
                    if is_paired {
                        value *= clipped(partner);
                        if comptime!(layer.drops) {
                            value *= drop_factor(&drop, accumulator, column + outputs);
                        }
                    }
                    values[accumulator * outputs + column] = value;
                }
            }
            position += CUBE_COUNT_Y as usize;
        }
    }
}

/// Sums the gradients of the accumulators in which a row of the table is active, for each run: the accumulators of one row in
/// one part of the batch. Run by run, `partial` `[slots][width]` gets the parts of the table's gradient.
#[cube(launch_unchecked)]
pub(in crate::device) fn table_gradient(
    gradients: &[f32],
    rows: &[u32],
    runs: &[u32],
    partial: &mut [f32],
    #[comptime] width: usize,
) {
    let column = ABSOLUTE_POS_X as usize;
    if column < width {
        let count = runs.len() / RUN_NUMBERS;
        let mut run = CUBE_POS_Y as usize;
        while run < count {
            let numbers = run * RUN_NUMBERS;
            let first = runs[numbers + 1] as usize;
            let mut sum = 0.0;
            for index in runs[numbers + 2] as usize..runs[numbers + 3] as usize {
                sum += gradients[(first + half_word(rows, index)) * width + column];
            }
            partial[runs[numbers] as usize * width + column] = sum;
            run += CUBE_COUNT_Y as usize;
        }
    }
}
