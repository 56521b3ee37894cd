//! A pairwise first layer together with its product with a narrow second layer, forwards and backwards.
//!
//! Forwards the accumulator is computed as the engine does it: weights in bytes, sums in 16 bits. So training sees the
//! rounding, and a block of the table fits the first-level cache. The gradients found there are those of the unrounded
//! weights (straight-through estimation).
//!
//! A block is [`PAIRS`] neurons of the accumulator's first half and their partners in the second half. Sums are taken in
//! one fixed order, so the numbers are the same for every number of threads. Knows nothing of burn.

mod backward;
mod block;
mod forward;
mod tiles;

pub(crate) use backward::backward;
pub(crate) use block::ClippedRow;
pub(crate) use forward::forward;
pub(crate) use tiles::Tiles;

/// Pairs of a block: one vector of floats.
const PAIRS: usize = 16;
/// Neurons of a block.
const NEURONS: usize = 2 * PAIRS;
/// Integer units of an accumulator for each 1.0.
const SCALE: f32 = alfiere_nnue::quantisation::ACCUMULATOR_SCALE as f32;
/// Positions of a tile: their gradients fit the first-level cache.
const TILE: usize = 64;
/// Positions whose accumulators are computed by one task, a whole number of tiles.
const CHUNK: usize = 8 * TILE;

/// Where a chunk's accumulators of a block begin in a batch's: they lie `[chunk][block][position][view]`.
fn chunk_start(chunk: usize, block: usize, blocks: usize, positions: usize) -> usize {
    let first = chunk * CHUNK;
    let own = CHUNK.min(positions - first);
    first * blocks + block * own
}
