//! A fused kernel for the first layer of a deeper network and its product with a narrow second layer, forward and
//! backward.
//!
//! The forward pass computes the accumulator as the engine does, with integer weights and 16-bit sums. Training thus sees
//! the rounding, and a block of an 8-bit table fits in the first-level cache. The gradients are applied to the unrounded
//! weights (straight-through estimator).
//!
//! A block is [`LANES`](super::lanes::LANES) neurons of the accumulator, and [`neurons`] defines what the second layer receives of them.
//! Sums have a fixed order, so results do not depend on the number of threads. Independent of burn.

mod backward;
mod block;
mod forward;
mod weights;

use alfiere_nnue::Activation;
use alfiere_nnue::quantisation::weight_limit;
use block::{Pairs, Singles};

use super::lanes::{Clipped, ClippedRow, Columns, SquaredClipped};
use super::scratch::{Scratch, ScratchPool};
use crate::batch::SparseBatch;
use crate::float::FloatNetwork;

pub(crate) use weights::{Gradients, Weights};

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
