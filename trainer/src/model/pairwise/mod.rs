//! A fused kernel for a pairwise first layer and its product with a narrow second layer, forward and backward.
//!
//! The forward pass computes the accumulator as the engine does, with 8-bit weights and 16-bit sums. Training thus sees
//! the rounding, and a block of the table fits in the first-level cache. The gradients are applied to the unrounded
//! weights (straight-through estimator).
//!
//! A block is [`PAIRS`] neurons of the accumulator's first half and their partners in the second half. Sums have a
//! fixed order, so results do not depend on the number of threads. Independent of burn.

mod backward;
mod block;
mod forward;
mod tiles;

pub(crate) use backward::backward;
pub(crate) use block::ClippedRow;
pub(crate) use forward::forward;
pub(crate) use tiles::Tiles;

/// Pairs per block: one vector of floats.
const PAIRS: usize = 16;
/// Neurons per block.
const NEURONS: usize = 2 * PAIRS;
/// Integer units per 1.0 in the accumulator.
const SCALE: f32 = alfiere_nnue::quantisation::ACCUMULATOR_SCALE as f32;
/// Positions per tile: their gradients fit in the first-level cache.
const TILE: usize = 64;
/// Positions whose accumulators are computed by one task, a whole number of tiles.
const CHUNK: usize = 8 * TILE;

/// Start index of a chunk's accumulators of a block; the layout is `[chunk][block][position][view]`.
fn chunk_start(chunk: usize, block: usize, blocks: usize, positions: usize) -> usize {
    let first = chunk * CHUNK;
    let own = CHUNK.min(positions - first);
    first * blocks + block * own
}
