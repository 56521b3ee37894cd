//! A fused kernel for the first layer of a deeper network and its product with a narrow second layer, forward and
//! backward.
//!
//! The forward pass computes the accumulator as the engine does, with integer weights and 16-bit sums. Training thus sees
//! the rounding, and a block of an 8-bit table fits in the first-level cache. The gradients are applied to the unrounded
//! weights (straight-through estimator).
//!
//! A block is [`NEURONS`] neurons of the accumulator, and [`neurons`] defines what the second layer receives of them.
//! Sums have a fixed order, so results do not depend on the number of threads. Independent of burn.

mod backward;
mod block;
mod forward;

use alfiere_nnue::quantisation::{ACCUMULATOR_SCALE, weight_limit};
use alfiere_nnue::{Activation, FloatNetwork};
use block::{Pairs, Singles};

use super::lanes::ClippedRow;
use super::lanes::{Clipped, Columns, LANES, SquaredClipped, blocks};
use super::scratch::{Scratch, ScratchPool};
use crate::batch::{MAX_OUTPUTS, SparseBatch};

/// Floats per vector.
const VECTOR: usize = 16;
const _: () = assert!(MAX_OUTPUTS == 2 * VECTOR, "the kernel keeps a second layer's sums in two vectors");
/// Neurons per block: two vectors.
const NEURONS: usize = LANES;
/// Integer units per 1.0 in the accumulator.
const SCALE: f32 = ACCUMULATOR_SCALE as f32;
/// Positions multiplied at once.
const GROUP: usize = 8;

/// The weights, in the layout of [`alfiere_nnue::FloatLayer`].
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
    /// `[blocks][inputs][NEURONS]`, see [`GradientLayout::Blocks`](super::weight_gradient::GradientLayout::Blocks).
    pub(crate) table: Vec<f32>,
    pub(crate) bias: Vec<f32>,
    pub(crate) second: Vec<f32>,
}

/// True if the first layer's weights are within the limit of training; those of networks of other origin may not be.
pub(crate) fn fits(network: &FloatNetwork) -> bool {
    let limit = weight_limit(&network.architecture, 0);
    network.layers[0].weights.iter().all(|weight| weight.abs() <= limit)
}

/// Calls a module's function of the same name with the number of views, the number of vectors that a block gives to the
/// second layer, and the kind of neurons as type parameters.
macro_rules! dispatch {
    ($module:ident, $views:expr, $weights:expr, $($argument:expr),*) => {
        match ($views, $weights.columns, $weights.activation) {
            (1, Columns::Halves, _) => $module::$module::<1, 1, _>(Pairs, $weights, $($argument),*),
            (_, Columns::Halves, _) => $module::$module::<2, 1, _>(Pairs, $weights, $($argument),*),
            (1, _, Activation::ClippedRelu) => $module::$module::<1, 2, _>(Singles(Clipped), $weights, $($argument),*),
            (_, _, Activation::ClippedRelu) => $module::$module::<2, 2, _>(Singles(Clipped), $weights, $($argument),*),
            (1, _, _) => $module::$module::<1, 2, _>(Singles(SquaredClipped), $weights, $($argument),*),
            (_, _, _) => $module::$module::<2, 2, _>(Singles(SquaredClipped), $weights, $($argument),*),
        }
    };
}

/// Computes the second layer's sums without bias, `[positions][outputs]`; the clipped accumulators are left in
/// `hidden`, `[blocks][positions][views]`.
pub(crate) fn forward(weights: Weights<'_>, batch: &SparseBatch, hidden: &mut Scratch) -> Vec<f32> {
    dispatch!(forward, batch.views(), weights, batch, hidden)
}

/// Computes the gradients of the weights from those of the second layer's sums and the accumulators saved by
/// [`forward`].
pub(crate) fn backward(
    weights: Weights<'_>,
    batch: &SparseBatch,
    hidden: &[ClippedRow],
    sums: &[f32],
    pool: &ScratchPool,
) -> Gradients {
    dispatch!(backward, batch.views(), weights, batch, hidden, sums, pool)
}

impl Weights<'_> {
    /// Number of blocks that cover the accumulator.
    fn blocks(&self) -> usize {
        blocks(self.bias.len())
    }

    /// Number of the second layer's inputs per view.
    fn view_inputs(&self) -> usize {
        match self.columns {
            Columns::Neighbours => self.bias.len(),
            Columns::Halves => self.bias.len() / 2,
        }
    }

    /// Index in `second` of the first weight of an input, `lane` of a vector; vectors are counted over all blocks.
    /// `None` beyond the end of the accumulator.
    fn start(&self, view: usize, vector: usize, lane: usize, stack: usize) -> Option<usize> {
        let (input, inputs) = (vector * VECTOR + lane, self.view_inputs());
        (input < inputs).then_some(((view * inputs + input) * self.stacks + stack) * self.outputs)
    }
}
