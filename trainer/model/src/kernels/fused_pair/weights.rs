//! The weights and gradients of the kernel, and the sizes of its blocks.

use alfiere_nnue::Activation;
use alfiere_nnue::quantisation::ACCUMULATOR_SCALE;

use super::super::lanes::{Columns, VECTOR, blocks};
use crate::batch::MAX_OUTPUTS;

const _: () = assert!(MAX_OUTPUTS == 2 * VECTOR, "the kernel keeps a second layer's sums in two vectors");
/// Integer units per 1.0 in the accumulator.
pub(super) const SCALE: f32 = ACCUMULATOR_SCALE as f32;
/// Positions multiplied at once.
pub(super) const GROUP: usize = 8;

/// The weights, in the layout of [`crate::FloatLayer`].
#[derive(Clone, Copy)]
pub(crate) struct Weights<'a> {
    /// `[inputs][width]`
    pub(crate) table: &'a [f32],
    /// `[width]`
    pub(crate) bias: &'a [f32],
    /// `[views * width][stacks][outputs]`, half the number of rows for a pairwise first layer.
    pub(crate) second: &'a [f32],
    /// Outputs of the second layer, per stack; at most [`MAX_OUTPUTS`].
    pub(crate) outputs: usize,
    /// Number of second layers: one for all positions, or one per output bucket.
    pub(crate) stacks: usize,
    /// The activation of the first layer; ignored with pairs.
    pub(crate) activation: Activation,
    /// [`Columns::Halves`] for a pairwise first layer.
    pub(crate) columns: Columns,
    /// Whether the table's weights have 16 bits instead of 8.
    pub(crate) is_wide: bool,
}

/// Gradients, in the layout of [`Weights`] except for the table.
pub(crate) struct Gradients {
    /// `[blocks][inputs][LANES]`, see [`GradientLayout::Blocks`](super::super::weight_gradient::GradientLayout::Blocks).
    pub(crate) table: Vec<f32>,
    pub(crate) bias: Vec<f32>,
    pub(crate) second: Vec<f32>,
}

impl Weights<'_> {
    /// Number of blocks that cover the accumulator.
    pub(super) fn blocks(&self) -> usize {
        blocks(self.bias.len())
    }

    /// Number of the second layer's inputs per view.
    pub(super) fn view_inputs(&self) -> usize {
        match self.columns {
            Columns::Neighbours => self.bias.len(),
            Columns::Halves => self.bias.len() / 2,
        }
    }

    /// Index in `second` of the first weight of an input, `lane` of a vector; vectors are counted over all blocks.
    /// `None` beyond the end of the accumulator.
    pub(super) fn start(&self, view: usize, vector: usize, lane: usize, stack: usize) -> Option<usize> {
        let (input, inputs) = (vector * VECTOR + lane, self.view_inputs());
        (input < inputs).then_some(((view * inputs + input) * self.stacks + stack) * self.outputs)
    }
}
